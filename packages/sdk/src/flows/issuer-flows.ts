/**
 * What an issuer does with a credential service: register a template, issue what was applied for, suspend, revoke.
 * Ed25519 signatures are the signer's; the BBS+ signature is the service's where it keeps the issuer's key, and the
 * issuer's own otherwise. What is signed is what was ordered: the service prepares, the issuer makes the same from its
 * order and compares (`orders/`). Publishing BBS+ keys is `did-keys.ts`.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64, encodeHex, parseBase64 } from '@symbolon/core/basics/bytes';
import { attachProofs, keyOfDid } from '@symbolon/core/credential/credential-assembly';
import {
  remarkHash,
  type StatusChange,
  statusCall,
  templateCall,
} from '@symbolon/core/credential/registry-calls';
import { templateOfDraft } from '@symbolon/core/credential/template-rules';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { falseIfRefused, type ProofEngine, type SignOrder } from '@symbolon/core/proofs/proof-engine';
import { bbsSignatureBytes } from '@symbolon/core/proofs/sizes';
import { readBbsPublicKey } from '@symbolon/wire/credentials/request-encodings';
import { readIdentifier } from '@symbolon/wire/credentials/requests';
import { credentialRoutes } from '@symbolon/wire/credentials/routes';
import type { CredentialStatusWord } from '@symbolon/wire/credentials/verifier-replies';
import { readServiceRequest } from '@symbolon/wire/http/service-route';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { assertDoneAsOrdered, notAsOrdered } from '../comparison/order-comparison.ts';
import { SdkError } from '../errors/errors.ts';
import { didOfSigner, type Signer } from '../keys/signer.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { assertPins, type NetworkTerms } from '../ledger/pins.ts';
import { type ReceiptSource, requireExecuted, type WaitOptions, waitMembers } from '../ledger/receipts.ts';
import {
  type CredentialOrder,
  creationBody,
  credentialOrderMembers,
  type OrderedStatement,
  orderedStatement,
} from '../orders/credential-order.ts';
import type { NonceSource } from '../orders/registry-order.ts';
import type { GivenTemplate, TemplateLedger } from '../orders/template-order.ts';
import { withProofEngine } from '../proofs/engine-choice.ts';
import type { CallOptions, CredentialClient, CredentialReply } from '../service/credential-client.ts';
import { chainIdOf } from '../transactions/transactions.ts';
import { assertCallOptions } from '../transport/service-call.ts';
import { submitOffered, untilConfirmed } from './issuer-submits.ts';

type TemplateBody = Parameters<CredentialClient['createTemplateBlob']>[0];

/** A template that is registered, and who registers it. */
export interface TemplateOrder
  extends NetworkTerms,
    GivenTemplate,
    Pick<TemplateBody, 'remark' | 'acceptUnbound'> {
  readonly signer: Signer;
  /** The signer's own, if left out. */
  readonly issuerDid?: string;
  readonly ledger?: IssuerLedger;
  readonly wait?: WaitOptions;
}

const templateMembers: MembersOf<TemplateOrder> = {
  signer: true,
  templateName: true,
  credentialFormat: true,
  version: true,
  remark: true,
  acceptUnbound: true,
  issuerDid: true,
  ledger: true,
  wait: true,
  pins: true,
  profile: true,
};

/** Throws `invalidArgument` for what is misspelt in an order, its pins or its options, before anything is asked. */
function assertOrder<Order extends Pick<NetworkTerms, 'pins'> & { readonly wait?: WaitOptions }>(
  order: Order,
  known: MembersOf<Order>,
  options: CallOptions | undefined,
): void {
  assertMembers(order, known, 'the order');
  assertPins(order.pins);
  if (order.wait !== undefined) assertMembers(order.wait, waitMembers, 'options of waiting');
  assertCallOptions(options);
}

/** Asked for the account's nonce, and whether the transaction was executed: without one both are the service's word. */
export type IssuerLedger = NonceSource & ReceiptSource;

/** Registers a template, or a higher version of one. Signs nothing but the registration of exactly this template. */
export async function registerTemplate(
  client: CredentialClient,
  registering: TemplateOrder,
  options?: CallOptions,
): Promise<CredentialReply<'submitTemplate'>> {
  assertOrder(registering, templateMembers, options);
  const { signer, pins, ledger, wait, profile = zetrixProfile, ...order } = registering;
  const credentialFormat = order.credentialFormat.map((declared) => ({ ...declared }));
  const body = { ...order, credentialFormat, issuerDid: order.issuerDid ?? didOfSigner(signer, profile) };
  const { blobId, blob } = await client.createTemplateBlob(body);
  const { acceptsUnbound, ...draft } = readServiceRequest(credentialRoutes.createTemplateBlob, { body });
  const template = templateOfDraft(draft, { didMethod: profile.didMethod, sha256 });
  const issuerKey = keyOfDid(template.issuer);
  if (!issuerKey) throw notAsOrdered('the template', ['issuerDid']);
  const registration = {
    template,
    issuerKey: createKeyFormat(profile, sha256).encodePublicKey(issuerKey),
    ...(acceptsUnbound && { acceptsUnbound }),
  };
  const expected = pins?.templateRegistry;
  const registry = expected === undefined ? undefined : ({ name: 'templateRegistry', expected } as const);
  const call = templateCall(registration, sha256);
  const ordered = { source: signer.address, call, registry, pins, ledger };
  const { reply, bytes } = await submitOffered({ blobId, blob }, { signer, ordered }, (signed) =>
    client.submitTemplate(signed, options),
  );
  const txHash = encodeHex(sha256(bytes));
  const compared = { action: 'registered the template', rootMember: '', derivedFrom: { txHash: 'blob' } };
  const answered = { templateId: reply.templateId, txHash: reply.txHash };
  assertDoneAsOrdered(compared, { templateId: template.id, txHash }, answered);
  if (ledger) await requireExecuted(ledger, txHash, wait);
  return reply;
}

/** What is to be signed with BBS+: everything of an order but the keys. */
export type BbsSigningTask = Pick<SignOrder, 'interface' | 'header' | 'messages'>;

/** The issuer's BBS+ key: in the service's vault, or elsewhere with a function that signs. */
export interface IssuerBbsKey {
  readonly publicKeyMultibase: string;
  /** Needed where the service does not keep the key: answers the 80-byte signature. */
  sign?(task: BbsSigningTask): Promise<Uint8Array>;
}

/** A credential that is issued: all of its contents, and the keys that sign it. */
export interface IssuanceOrder extends CredentialOrder {
  readonly signer: Signer;
  readonly bbsKey: IssuerBbsKey;
  /** Until when the holder can download, as a date or a number of seconds. */
  readonly keyExpiry?: string | number;
  /** Verifies what the service has signed with BBS+; loaded for this one call if left out. */
  readonly engine?: Pick<ProofEngine, 'verifySignature'>;
  /** Asked for the template where its registry is pinned, and which chain it is where that is. */
  readonly ledger?: TemplateLedger & Pick<LedgerClient, 'getLedger'>;
}

const issuanceMembers: MembersOf<IssuanceOrder> = {
  ...credentialOrderMembers,
  signer: true,
  bbsKey: true,
  keyExpiry: true,
  engine: true,
};

/**
 * Approves an application, signs the credential and has it recorded. What is signed is computed from the order alone;
 * a service that drafted something else gets no signature. An application is read with `readApplication`.
 */
export async function issueCredential(
  client: CredentialClient,
  order: IssuanceOrder,
  options?: CallOptions,
): Promise<CredentialReply<'submitCredential'>> {
  assertOrder<IssuanceOrder>(order, issuanceMembers, options);
  assertComplete(order);
  const { signer, bbsKey, keyExpiry, profile, ledger, pins } = order;
  // A credential names a registry and no chain, so the ledger alone can say which chain it is for.
  if (ledger && pins?.chainId !== undefined) await chainIdOf(ledger, pins.chainId);
  const draft = await client.createCredential(creationBody(order));
  const statement = await orderedStatement(client, didOfSigner(signer, profile), order, draft);
  const bbs = await bbsSignature(order, statement, draft.bbsBlsBase64);
  const signature = await signer.sign(statement.signingInput);
  const submission = {
    vcId: order.vcId,
    ed25519PubKey: signer.publicKey,
    ed25519SignData: encodeHex(signature),
    bbsBlsPubKey: bbsKey.publicKeyMultibase,
    bbsBlsSignData: encodeBase64(bbs),
    ...(keyExpiry !== undefined && { keyExpiry }),
  };
  const reply = await untilConfirmed(() => client.submitCredential(submission, options));
  assertIssued(statement, { signature, bbs }, reply.vcObject);
  return reply;
}

/** In plain JavaScript an order may leave out what makes it one. */
function assertComplete(order: Partial<IssuanceOrder>): void {
  const needed = ['vcId', 'holder', 'templateId', 'templateVersion', 'attributes', 'expiredDate'] as const;
  const missing = needed.filter((name) => order[name] === undefined);
  if (missing.length === 0) return;
  const hint = 'Read the application with readApplication, look at it, and order what it says.';
  throw new SdkError('invalidArgument', `an order to issue says ${missing.join(', ')}`, { hint });
}

/** One that the service made, verified, or one that the issuer makes itself. */
async function bbsSignature(
  { bbsKey, engine }: IssuanceOrder,
  { task }: OrderedStatement,
  offered: string,
): Promise<Uint8Array> {
  const signature = parseBase64(offered);
  if (signature?.length === bbsSignatureBytes) {
    const publicKey = readBbsPublicKey(bbsKey.publicKeyMultibase, '/bbsKey/publicKeyMultibase');
    const order = { interface: 'typed', publicKey, ...task, signature } as const;
    if (await withProofEngine(engine, (used) => falseIfRefused(() => used.verifySignature(order))))
      return signature;
    throw notAsOrdered('the credential', ['bbsBlsBase64', 'salt']);
  }
  if (bbsKey.sign) return bbsKey.sign({ interface: 'typed', ...task });
  const hint = 'Give bbsKey a sign function, or make the key with POST /cred/bbs/create.';
  throw new SdkError('invalidArgument', "the service does not keep the issuer's BBS+ key", {
    hint,
    members: ['bbsBlsBase64'],
  });
}

/** What comes back is what was signed; which number the issuer's BBS+ key has in its document is the service's word. */
function assertIssued(
  { credential, options, contents }: OrderedStatement,
  { signature, bbs }: { readonly signature: Uint8Array; readonly bbs: Uint8Array },
  issued: JsonObject,
): void {
  const [proof] = Array.isArray(issued.proof) ? issued.proof : [];
  const named = isJsonObject(proof) ? proof.verificationMethod : undefined;
  const start = `${credential.issuer}#delegateKey-`;
  const verificationMethod = typeof named === 'string' && named.startsWith(start) ? named : `${start}0`;
  const whole = attachProofs(credential, {
    bbs: { created: options.created, verificationMethod, signature: bbs, contents },
    issuer: { options, signature },
  });
  const compared = {
    action: 'issued the credential',
    rootMember: 'vcObject',
    derivedFrom: { 'proof[0].': 'salt' },
  };
  assertDoneAsOrdered(compared, whole as unknown as JsonObject, issued);
}

/** Which credential is suspended, reinstated or revoked, and by whom. */
export interface StatusChangeOrder extends Pick<NetworkTerms, 'pins'> {
  readonly signer: Signer;
  readonly vcId: string;
  /** Why; the ledger gets only its hash. */
  readonly remark?: string;
  /** The contract that keeps the credential, where that is another than the pinned one. */
  readonly registry?: string;
  readonly ledger?: IssuerLedger;
  readonly wait?: WaitOptions;
}

const statusMembers: MembersOf<StatusChangeOrder> = {
  signer: true,
  vcId: true,
  remark: true,
  registry: true,
  ledger: true,
  wait: true,
  pins: true,
};

/** `txHash` is that of what was signed. */
type StatusReply = CredentialReply<'submitRevocation'> & { readonly txHash: string };

/** Seen by every verification from the next block on, and final. */
export function revokeCredential(
  client: CredentialClient,
  order: StatusChangeOrder,
  options?: CallOptions,
): Promise<StatusReply> {
  return changeStatus(client, 'revoke', order, options);
}

/** Seen by every verification from the next block on, until the credential is reinstated. */
export function suspendCredential(
  client: CredentialClient,
  order: StatusChangeOrder,
  options?: CallOptions,
): Promise<StatusReply> {
  return changeStatus(client, 'suspend', order, options);
}

/** Ends a suspension. */
export function reinstateCredential(
  client: CredentialClient,
  order: StatusChangeOrder,
  options?: CallOptions,
): Promise<StatusReply> {
  return changeStatus(client, 'reinstate', order, options);
}

const statusCalls = {
  revoke: ['createRevocationBlob', 'submitRevocation', 'Revoked'],
  suspend: ['createSuspensionBlob', 'submitSuspension', 'Suspended'],
  reinstate: ['createReinstatementBlob', 'submitReinstatement', 'Active'],
} as const satisfies Record<StatusChange, readonly [string, string, CredentialStatusWord]>;

/** A suspension that the ledger has lost is made again to be ended, and the other way about. */
const oppositeChange: Readonly<Partial<Record<StatusChange, StatusChange>>> = {
  suspend: 'reinstate',
  reinstate: 'suspend',
};

async function changeStatus(
  client: CredentialClient,
  change: StatusChange,
  changing: StatusChangeOrder,
  options: CallOptions | undefined,
): Promise<StatusReply> {
  assertOrder(changing, statusMembers, options);
  const { signer, vcId, remark, pins, registry, ledger, wait } = changing;
  const [prepare, submit, status] = statusCalls[change];
  const order = { vcId, issuerAddress: signer.address, ...(remark !== undefined && { remark }) };
  const { blobId, blob, remarkSalt = '' } = await client[prepare](order);
  const remarkHashes = remark === undefined ? undefined : [remarkHash(remarkSalt, remark, sha256)];
  const credentials = [readIdentifier(vcId)];
  const opposite = oppositeChange[change];
  const expected = registry ?? pins?.credentialRegistry;
  const name = registry === undefined ? ('credentialRegistry' as const) : ('registry' as const);
  const ordered = {
    source: signer.address,
    call: statusCall({ change, credentials, ...(remarkHashes && { remarkHashes }) }),
    before: opposite && statusCall({ change: opposite, credentials }),
    registry: expected === undefined ? undefined : { name, expected },
    pins,
    ledger,
  };
  const { reply, bytes } = await submitOffered({ blobId, blob }, { signer, ordered }, (signed) =>
    client[submit](signed, options),
  );
  const txHash = encodeHex(sha256(bytes));
  const answered = { vcId: reply.vcId, status: reply.status };
  assertDoneAsOrdered(
    { action: 'changed the status', rootMember: '' },
    { vcId: readIdentifier(vcId), status },
    answered,
  );
  if (ledger) await requireExecuted(ledger, txHash, wait);
  return { ...reply, txHash };
}
