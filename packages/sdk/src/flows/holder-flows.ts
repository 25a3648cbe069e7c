/**
 * What a holder does with a credential service: apply, download, present. Before a presentation is signed it is compared
 * with the order (`orders/presentation-order.ts`): a holder signs what it consented to and nothing else. A holder who
 * would not show the service the whole credential derives presentations here instead (`holder-flows-local.ts`).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { didOfPublicKey } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { attachHolderSignature } from '@symbolon/core/presentation/presentation-derivation';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';
import { assertMembers, type MembersOf } from '../errors/exact-arguments.ts';
import { assertAsDone } from '../errors/order-comparison.ts';
import type { Signer } from '../keys/signer.ts';
import { assertPins } from '../ledger/pins.ts';
import {
  assertConsented,
  readOfferedPresentation,
  readPresentationOrder,
} from '../orders/presentation-order.ts';
import type { CallOptions, CredentialClient, CredentialReply } from '../service/credential-client.ts';
import { signPresence, subjectOf } from '../transport/presence.ts';
import { assertCallOptions } from '../transport/service-call.ts';
import {
  assertLedger,
  type CredentialExpectation,
  requireCredential,
} from '../verification/verify-credential.ts';

/** The DID that a signer's key is. */
export function didOfSigner(signer: Signer, profile: NetworkProfile = zetrixProfile): string {
  const publicKey = createKeyFormat(profile, sha256).parsePublicKey(signer.publicKey);
  if (publicKey) return didOfPublicKey(publicKey, profile);
  const hint = 'Use a signer of the network that the service belongs to.';
  throw new SdkError('invalidArgument', 'the signer has no public key of this network', { hint });
}

export interface ApplicationOrder {
  readonly signer: Signer;
  readonly templateId: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

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

export interface PresentationOrder extends DerivationBody {
  readonly signer: Signer;
  /** Attributes whose range may be so narrow that it tells the value; a range of any other is then refused. */
  readonly tellingRanges?: readonly string[];
}

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
  assertAsDone({ deed: 'completed the presentation', whole: 'vpObject' }, signed, vpObject);
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
