/**
 * What a holder does with a credential service: apply, download, present. Before a presentation is signed it is read:
 * a holder signs only what shows no more than was meant, for the verifier that was meant. A holder who would not show
 * the service the whole credential derives presentations here instead (`holder-flows-local.ts`).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeUtf8, encodeHex, parseExactBase64Url, parseHex } from '@symbolon/core/bytes';
import type { UnsignedPresentation } from '@symbolon/core/credential/model';
import { holderSigningInput } from '@symbolon/core/credential/presentation-derivation';
import { didOfPublicKey } from '@symbolon/core/did';
import { canonicalJson } from '@symbolon/core/jcs';
import { createKeyFormat } from '@symbolon/core/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/profile';
import { credentialRoutes } from '@symbolon/wire/credential-routes';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@symbolon/wire/json';
import { readServiceRequest } from '@symbolon/wire/service-route';
import type { CallOptions, CredentialClient, CredentialReply } from './credential-client.ts';
import { SdkError } from './errors.ts';
import { signPresence, subjectOf } from './presence.ts';
import type { Signer } from './signer.ts';

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
  { signer, templateId, attributes }: ApplicationOrder,
  options?: CallOptions,
): Promise<CredentialReply<'applyForCredential'>> {
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

/** The issued credential: the holder's copy, or with `isIssuer` the issuer's. */
export async function downloadCredential(
  client: CredentialClient,
  { signer, vcId, isIssuer = false }: { signer: Signer; vcId: string; isIssuer?: boolean },
  options?: CallOptions,
): Promise<JsonObject> {
  const wanted = { purpose: 'download', subject: vcId.trim().toLowerCase() } as const;
  const { text, signature } = await signPresence(signer, client, wanted);
  return client.downloadCredential({ vcId, signVcId: signature, isIssuer, signedText: text }, options);
}

type DerivationBody = Parameters<CredentialClient['createPresentation']>[0];

export interface PresentationOrder extends DerivationBody {
  readonly signer: Signer;
}

/** Has the service derive a presentation, looks at it, signs it and has it completed. */
export async function presentCredential(
  client: CredentialClient,
  { signer, ...order }: PresentationOrder,
  options: CallOptions & { readonly profile?: NetworkProfile } = {},
): Promise<JsonObject> {
  const { profile, ...callOptions } = options;
  const ownDid = didOfSigner(signer, profile);
  assertOwn(order, ownDid);
  const { blobId, blob } = await client.createPresentation(order, callOptions);
  const bytes = parseHex(blob);
  const offered = bytes && readOffered(bytes);
  if (!bytes || !offered) throw notAsOrdered('is not a presentation');
  assertAsOrdered(offered, order, ownDid);
  const signature = await signer.sign(bytes);
  const submission = {
    blobId,
    ed25519SignData: encodeHex(signature),
    ed25519PubKey: signer.publicKey,
  };
  return (await client.submitPresentation(submission, callOptions)).vpObject;
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

/** What the bytes to sign say; undefined unless they are exactly the signing input of that. */
function readOffered(bytes: Uint8Array): UnsignedPresentation | undefined {
  try {
    const [, payload = ''] = decodeUtf8(bytes).split('.');
    const encoded = parseExactBase64Url(payload);
    const document = encoded && parseJson(decodeUtf8(encoded));
    if (!isJsonObject(document)) return undefined;
    const offered = document as unknown as UnsignedPresentation;
    return encodeHex(holderSigningInput(offered)) === encodeHex(bytes) ? offered : undefined;
  } catch {
    // Whatever it is, it is not what was ordered.
    return undefined;
  }
}

function assertAsOrdered(
  { holder, verifiableCredential, proof }: UnsignedPresentation,
  order: DerivationBody,
  ownDid: string,
): void {
  if (holder !== ownDid) throw notAsOrdered('is of another holder');
  if (proof?.challenge !== (order.challenge ?? undefined)) throw notAsOrdered('has another challenge');
  if (proof?.domain !== (order.domain ?? undefined)) throw notAsOrdered('has another domain');
  const wanted = order.vcs ?? [order];
  if (!Array.isArray(verifiableCredential) || verifiableCredential.length !== wanted.length)
    throw notAsOrdered('has other credentials');
  // Read as the service reads it, so that no path means one thing here and another there.
  const { credentials } = readServiceRequest(credentialRoutes.createPresentation, {
    body: order as unknown as JsonValue,
  });
  for (const [position, { revealAttributes }] of credentials.entries()) {
    const meant = new Set(revealAttributes);
    const { credentialSubject } = verifiableCredential[position];
    for (const key of Object.keys(credentialSubject ?? {}))
      if (key !== 'id' && !meant.has(key)) throw notAsOrdered(`shows ${key}`);
  }
}

function notAsOrdered(what: string): SdkError {
  const hint = 'Nothing was signed. Do not use this service for presentations.';
  return new SdkError('unexpectedReply', `the presentation that the service offers ${what}`, { hint });
}
