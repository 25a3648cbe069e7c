/**
 * What an issuer does with a credential service: register a template, issue what was applied for, suspend, revoke. Ed25519
 * signatures are the signer's; the BBS+ signature is the service's where it keeps the issuer's key, and the issuer's
 * own otherwise. Publishing BBS+ keys is `did-keys.ts`.
 */
import {
  decodeUtf8,
  encodeBase64,
  encodeHex,
  encodeUtf8,
  equalBytes,
  parseBase64,
  parseHex,
} from '@symbolon/core/bytes';
import { commitmentBytes } from '@symbolon/core/credential/credential-shapes';
import { jwsSigningInput } from '@symbolon/core/credential/jws';
import type { BbsMessage, SignOrder } from '@symbolon/core/credential/proof-engine';
import { tidyName } from '@symbolon/core/credential/template-names';
import { clientLimits } from '@symbolon/core/limits';
import { type JsonValue, parseJson } from '@symbolon/wire/json';
import type { CallOptions, CredentialClient, CredentialReply } from './credential-client.ts';
import { SdkError } from './errors.ts';
import { didOfSigner } from './holder-flows.ts';
import { readOfferedCall } from './issuer-blobs.ts';
import type { Signer } from './signer.ts';

type TemplateBody = Parameters<CredentialClient['createTemplateBlob']>[0];

export interface TemplateOrder
  extends Pick<TemplateBody, 'templateName' | 'credentialFormat' | 'version' | 'remark' | 'acceptUnbound'> {
  readonly signer: Signer;
  /** The signer's own, if left out. */
  readonly issuerDid?: string;
}

/** Registers a template, or a higher version of one. */
export async function registerTemplate(
  client: CredentialClient,
  { signer, issuerDid = didOfSigner(signer), ...template }: TemplateOrder,
  options?: CallOptions,
): Promise<CredentialReply<'submitTemplate'>> {
  const { blobId, blob } = await client.createTemplateBlob({ ...template, issuerDid });
  const bytes = readOfferedCall(blob, {
    source: signer.address,
    method: 'addTemplate',
    isOrdered: ({ templateName, version, issuerZid, metadata }) =>
      templateName === tidyName(template.templateName) &&
      version === template.version &&
      issuerZid === issuerDid &&
      acceptsUnbound(metadata) === (template.acceptUnbound === true),
    feeLimitMax: clientLimits.preparedFeeMax,
  });
  return client.submitTemplate(await signedBlob(signer, blobId, bytes), options);
}

/** What a template says beside its attributes: exactly one of two texts, so that nothing else is signed along. */
function acceptsUnbound(metadata: JsonValue | undefined): boolean | undefined {
  if (metadata === '{"acceptsUnbound":true}') return true;
  return metadata === '{}' ? false : undefined;
}

/** What is to be signed with BBS+: everything of an order but the keys. */
export type BbsSigningTask = Pick<SignOrder, 'interface' | 'header' | 'messages'>;

export interface IssuerBbsKey {
  readonly publicKeyMultibase: string;
  /** Needed where the service does not keep the key: answers the 80-byte signature. */
  sign?(task: BbsSigningTask): Promise<Uint8Array>;
}

type CreationBody = Parameters<CredentialClient['createCredential']>[0];

export interface IssuanceOrder extends Omit<CreationBody, 'data'> {
  readonly signer: Signer;
  readonly bbsKey: IssuerBbsKey;
  /** Until when the holder can download, as a date or a number of seconds. */
  readonly keyExpiry?: string | number;
}

/** Approves an application, signs the credential and has it recorded. */
export async function issueCredential(
  client: CredentialClient,
  { signer, bbsKey, keyExpiry, ...creation }: IssuanceOrder,
  options?: CallOptions,
): Promise<CredentialReply<'submitCredential'>> {
  const { ed25519Blob, bbsBlsBase64 } = await client.createCredential(creation);
  const submission = {
    vcId: creation.vcId,
    ed25519PubKey: signer.publicKey,
    ed25519SignData: encodeHex(await signer.sign(readIssuerInput(ed25519Blob))),
    bbsBlsPubKey: bbsKey.publicKeyMultibase,
    bbsBlsSignData: await bbsSignature(bbsKey, bbsBlsBase64),
    ...(keyExpiry !== undefined && { keyExpiry }),
  };
  return client.submitCredential(submission, options);
}

/** A header that says what it is, two digests and a commitment: nothing that could be a transaction. */
function readIssuerInput(blob: string): Uint8Array {
  const bytes = parseHex(blob);
  const start = jwsSigningInput('issuer', new Uint8Array(0));
  const isInput =
    bytes !== undefined &&
    bytes.length === start.length + 2 * digestBytes + commitmentBytes &&
    equalBytes(bytes.subarray(0, start.length), start);
  if (!isInput) throw unexpected('offers something else to sign than a credential');
  return bytes;
}

const digestBytes = 32;
const bbsSignatureBytes = 80;

/** A signature that the service made, or one over the texts that it gives. */
async function bbsSignature({ sign }: IssuerBbsKey, offered: string): Promise<string> {
  const bytes = parseBase64(offered);
  if (bytes?.length === bbsSignatureBytes) return offered;
  const task = bytes && readSigningTask(bytes);
  if (!task) throw unexpected('offers nothing that can be signed with BBS+');
  if (sign) return encodeBase64(await sign(task));
  const hint = 'Give bbsKey a sign function, or make the key with POST /cred/bbs/create.';
  throw new SdkError('invalidArgument', "the service does not keep the issuer's BBS+ key", { hint });
}

/** Header and messages as texts; an integer that stands for itself begins with a number sign. */
function readSigningTask(bytes: Uint8Array): BbsSigningTask | undefined {
  let texts: unknown;
  try {
    texts = parseJson(decodeUtf8(bytes));
  } catch {
    // Neither a signature nor JSON.
    return undefined;
  }
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) return undefined;
  const [header, ...messages] = texts as string[];
  if (header === undefined) return undefined;
  return { interface: 'typed', header: encodeUtf8(header), messages: messages.map(readMessage) };
}

const readMessage = (text: string): BbsMessage =>
  /^#[0-9]{1,16}$/.test(text) ? { integer: BigInt(text.slice(1)) } : { bytes: encodeUtf8(text) };

export interface StatusChangeOrder {
  readonly signer: Signer;
  readonly vcId: string;
  /** Why; the ledger gets only its hash. */
  readonly remark?: string;
}

type StatusReply = CredentialReply<'submitRevocation'>;

/** Seen by every verification from the next block on, and final. */
export function revokeCredential(
  client: CredentialClient,
  order: StatusChangeOrder,
  options?: CallOptions,
): Promise<StatusReply> {
  return changeStatus(client, { ...order, change: 'revoke' }, options);
}

/** Seen by every verification from the next block on, until the credential is reinstated. */
export function suspendCredential(
  client: CredentialClient,
  order: StatusChangeOrder,
  options?: CallOptions,
): Promise<StatusReply> {
  return changeStatus(client, { ...order, change: 'suspend' }, options);
}

/** Ends a suspension. */
export function reinstateCredential(
  client: CredentialClient,
  order: StatusChangeOrder,
  options?: CallOptions,
): Promise<StatusReply> {
  return changeStatus(client, { ...order, change: 'reinstate' }, options);
}

const statusCalls = {
  revoke: ['createRevocationBlob', 'submitRevocation'],
  suspend: ['createSuspensionBlob', 'submitSuspension'],
  reinstate: ['createReinstatementBlob', 'submitReinstatement'],
} as const;

async function changeStatus(
  client: CredentialClient,
  { signer, vcId, remark, change }: StatusChangeOrder & { readonly change: keyof typeof statusCalls },
  options: CallOptions | undefined,
): Promise<StatusReply> {
  const [prepare, submit] = statusCalls[change];
  const order = { vcId, issuerAddress: signer.address, ...(remark !== undefined && { remark }) };
  const { blobId, blob } = await client[prepare](order);
  const bytes = readOfferedCall(blob, {
    source: signer.address,
    method: change,
    isOrdered: ({ credentials }) =>
      Array.isArray(credentials) && credentials.length === 1 && credentials[0] === vcId,
    feeLimitMax: clientLimits.preparedFeeMax,
  });
  return client[submit](await signedBlob(signer, blobId, bytes), options);
}

async function signedBlob(signer: Signer, blobId: string, bytes: Uint8Array) {
  return { blobId, signBlob: encodeHex(await signer.sign(bytes)), publicKey: signer.publicKey };
}

function unexpected(what: string): SdkError {
  const hint = 'Something else than a credential service seems to answer at this address.';
  return new SdkError('unexpectedReply', `the service ${what}`, { hint });
}
