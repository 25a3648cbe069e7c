/**
 * What a holder does with a credential: apply, download, present. Before a presentation is signed it is compared
 * with the order (`orders/presentation-order.ts`): a holder signs what it consented to and nothing else. A holder who
 * would not show a service the whole credential derives presentations alone (`derivePresentation`), with the proof
 * engine and the issuer's key; what comes out is the same.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { parseBbsPublicKey } from '@symbolon/core/did/did';
import type { Presentation } from '@symbolon/core/documents/model';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { disclosedNow } from '@symbolon/core/presentation/age-claims';
import {
  attachHolderSignature,
  buildUnsignedPresentation,
  holderSigningInput,
  planPresentation,
} from '@symbolon/core/presentation/presentation-derivation';
import type { ProofEngine, RangeParameters } from '@symbolon/core/proofs/proof-engine';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { assertDoneAsOrdered } from '../comparison/order-comparison.ts';
import { SdkError } from '../errors/errors.ts';
import { didOfSigner, type Signer } from '../keys/signer.ts';
import { assertPins } from '../ledger/pins.ts';
import {
  assertConsented,
  readOfferedPresentation,
  readPresentationOrder,
} from '../orders/presentation-order.ts';
import { withProofEngine } from '../proofs/engine-choice.ts';
import type { CallOptions, CredentialClient, CredentialReply } from '../service/credential-client.ts';
import { signPresence, subjectOf } from '../transport/presence.ts';
import { assertCallOptions } from '../transport/service-call.ts';
import type { KnownIssuerKey } from '../verification/collected-facts.ts';
import {
  assertLedger,
  type CredentialExpectation,
  requireCredential,
} from '../verification/verify-credential.ts';

/** What a holder applies with. */
export interface ApplicationOrder {
  readonly signer: Signer;
  readonly templateId: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** Applies for a credential: the holder signs the template and the values, and nothing else. */
export async function applyForCredential(
  client: CredentialClient,
  order: ApplicationOrder,
  options?: CallOptions,
): Promise<CredentialReply<'applyForCredential'>> {
  assertMembers(order, { signer: true, templateId: true, attributes: true }, 'the order');
  assertCallOptions(options);
  const { signer, templateId, attributes } = order;
  const metadata = Object.entries(attributes).map(([key, value]) => ({ key, value }));
  const { text, signature } = await signPresence(signer, client, {
    purpose: 'application',
    subject: subjectOf(canonicalJson({ templateId, metadata })),
  });
  const body = {
    templateId,
    metadata,
    signData: signature,
    holderPublicKey: signer.publicKey,
    signedText: text,
  };
  return client.applyForCredential(body, options);
}

/** Which credential is handed over, and to whom. */
export interface DownloadChoice {
  /** The holder, or with `isIssuer` the issuer, each of whom gets a copy. */
  readonly signer: Signer;
  readonly vcId: string;
  readonly isIssuer?: boolean;
}

/**
 * What the service hands over for an id, as it came: it may be anything. Only for those who verify it themselves
 * (`verifyCredential`), or want what is revoked.
 */
export async function downloadUnverified(
  client: Pick<CredentialClient, 'downloadCredential' | 'audience'>,
  order: DownloadChoice,
  options?: CallOptions,
): Promise<JsonObject> {
  assertMembers(order, { signer: true, vcId: true, isIssuer: true }, 'the order');
  assertCallOptions(options);
  const { signer, vcId, isIssuer = false } = order;
  const wanted = { purpose: 'download', subject: vcId.trim().toLowerCase() } as const;
  const { text, signature } = await signPresence(signer, client, wanted);
  return client.downloadCredential({ vcId, signVcId: signature, isIssuer, signedText: text }, options);
}

/** The same, and by whose word it is verified. */
export interface DownloadOrder
  extends DownloadChoice,
    Pick<CredentialExpectation, 'ledger' | 'pins' | 'engine' | 'now' | 'profile'> {}

const downloadMembers: MembersOf<DownloadOrder> = {
  signer: true,
  vcId: true,
  isIssuer: true,
  ledger: true,
  pins: true,
  engine: true,
  now: true,
  profile: true,
};

/**
 * The issued credential, if it is the one and genuine by the word of the ledger (`requireCredential`): what is not, or is
 * revoked, is `notAsOrdered` and not handed over.
 */
export async function downloadCredential(
  client: Pick<CredentialClient, 'downloadCredential' | 'audience'>,
  order: DownloadOrder,
  options?: CallOptions,
): Promise<JsonObject> {
  assertMembers(order, downloadMembers, 'the order');
  assertPins(order.pins);
  const { signer, vcId, isIssuer = false, ...network } = order;
  assertLedger(network.ledger, 'downloadUnverified hands over what was not verified.');
  const own = didOfSigner(signer, network.profile);
  const document = await downloadUnverified(client, { signer, vcId, isIssuer }, options);
  const whose = isIssuer ? { issuer: own } : { holder: own };
  await requireCredential(document, { ...network, ...whose, vcId: vcId.trim().toLowerCase() });
  return document;
}

type DerivationBody = Parameters<CredentialClient['createPresentation']>[0];

/** What of which credentials is shown, and to whom. */
export interface PresentationOrder extends DerivationBody {
  readonly signer: Signer;
  /** Attributes whose range may be so narrow that it tells the value; a range of any other is then refused. */
  readonly tellingRanges?: readonly string[];
}

/** For a call that presents. */
export interface PresentationOptions extends CallOptions {
  readonly profile?: NetworkProfile;
  /** Milliseconds since 1970; this machine's clock, if left out. */
  readonly now?: number;
}

/**
 * Has the service derive a presentation, compares it with the order and the credential in hand, signs it and has it
 * completed. What differs in anything is `notAsOrdered`, and is not signed.
 */
export async function presentCredential(
  client: CredentialClient,
  { signer, tellingRanges, ...order }: PresentationOrder,
  options: PresentationOptions = {},
): Promise<JsonObject> {
  const { profile = zetrixProfile, now = Date.now(), ...callOptions } = options;
  assertCallOptions(callOptions);
  const holder = didOfSigner(signer, profile);
  assertOwn(order, holder);
  const ordered = readPresentationOrder(order, profile);
  assertConsented(ordered.disclosures, { tellingRanges, now });
  const { blobId, blob } = await client.createPresentation(order, callOptions);
  const { presentation, bytes } = readOfferedPresentation(blob, { ordered, holder, now });
  const signature = await signer.sign(bytes);
  const submission = {
    blobId,
    ed25519SignData: encodeHex(signature),
    ed25519PubKey: signer.publicKey,
  };
  const { vpObject } = await client.submitPresentation(submission, callOptions);
  // Whoever gets it next sees what was signed, and nothing that a service has put in its place.
  const signed = attachHolderSignature(presentation, signature) as unknown as JsonObject;
  assertDoneAsOrdered({ action: 'completed the presentation', rootMember: 'vpObject' }, signed, vpObject);
  return vpObject;
}

/** Before a service is asked, and blamed: whose mistake it is to present what somebody else holds. */
function assertOwn(order: DerivationBody, ownDid: string): void {
  for (const { vc } of order.vcs ?? [order]) {
    const subject = isJsonObject(vc) ? vc.credentialSubject : undefined;
    const holder = isJsonObject(subject) ? subject.id : undefined;
    if (typeof holder !== 'string' || holder === ownDid) continue;
    const hint = 'Sign with the key of the DID that stands in credentialSubject.id.';
    throw new SdkError('invalidArgument', 'the signer is not the holder of the credential', { hint });
  }
}

/** A presentation that is derived here, without a service. */
export interface LocalPresentationOrder extends Omit<PresentationOrder, 'rangeMethod'> {
  readonly issuerKeys: readonly KnownIssuerKey[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Loaded for this one call if left out. */
  readonly engine?: ProofEngine;
  /** Bulletproofs if left out, which every verifier takes; or the parameters of the verifier that asks. */
  readonly rangeParameters?: RangeParameters;
  readonly profile?: NetworkProfile;
}

/**
 * Throws the faults of `vp/create` for an order that cannot be met, and `ProofEngineError`. Whether the credential's
 * own signatures are good is not checked: a presentation of a bad one does not verify.
 */
export async function derivePresentation(order: LocalPresentationOrder): Promise<Presentation> {
  const { signer, issuerKeys, now, engine: given, tellingRanges, ...asked } = order;
  const { profile = zetrixProfile, rangeParameters = { method: 'bulletproofs' }, ...body } = asked;
  const { challenge, domain, disclosures } = readPresentationOrder(body, profile);
  assertConsented(disclosures, { tellingRanges, now });
  const sources = disclosures.map(({ parsed, ...disclosure }) => ({
    parsed,
    publicKey: keyFor(parsed.bbsProof.verificationMethod, issuerKeys),
    request: disclosedNow(disclosure, now),
  }));
  const binding = { challenge, domain, created: instantTextOfUnixMs(now), rangeParameters };
  const plan = planPresentation(sources, binding, sha256);
  if (plan.holder !== didOfSigner(signer, profile)) {
    const hint = "Sign with the key of the credential's holder.";
    throw new SdkError('invalidArgument', 'the credential is of another holder', { hint });
  }
  return withProofEngine(given, async (engine) => {
    const proofs: Uint8Array[] = [];
    for (const disclosure of plan.disclosures) proofs.push(await engine.derive(disclosure.order));
    const presentation = buildUnsignedPresentation(plan, proofs);
    return attachHolderSignature(presentation, await signer.sign(holderSigningInput(presentation)));
  });
}

function keyFor(verificationMethod: string, known: readonly KnownIssuerKey[]): Uint8Array {
  const named = known.find((key) => key.verificationMethod === verificationMethod);
  const publicKey = named && parseBbsPublicKey(named.publicKeyMultibase);
  if (publicKey) return publicKey;
  const hint = 'Take the keys from the DID document of the issuer.';
  const members = named
    ? ['publicKeyMultibase']
    : ['issuerKeys', 'didDocument.verificationMethod', 'didDocument.assertionMethod'];
  const message = `the key that the credential names is ${named ? 'none' : 'not given'}`;
  throw new SdkError('invalidArgument', message, { hint, members });
}
