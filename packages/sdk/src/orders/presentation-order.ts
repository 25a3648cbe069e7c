/**
 * What a holder orders to be shown, and the comparison of a presentation that a service offers with it: every member of
 * every credential in hand, every value, every range, the verifier that it is for, the time. A proof itself is not
 * looked at: a wrong one is for its verifier to refuse.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { areTellingRanges } from '@symbolon/core/attributes/attribute-ranges';
import { decodeUtf8, encodeHex, parseExactBase64Url, parseHex } from '@symbolon/core/basics/bytes';
import { unixMsOf } from '@symbolon/core/basics/calendar';
import { type ParsedCredential, parseCredential } from '@symbolon/core/credential/credential-parsing';
import { parseProofValue } from '@symbolon/core/credential/credential-shapes';
import type { UnsignedPresentation } from '@symbolon/core/documents/model';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import { presenceLimits } from '@symbolon/core/limits/documents';
import { type DisclosureOrder, disclosedNow } from '@symbolon/core/presentation/age-claims';
import {
  buildUnsignedPresentation,
  holderSigningInput,
  type ShownDisclosure,
  showDisclosure,
} from '@symbolon/core/presentation/presentation-derivation';
import type { DerivationRequest } from '@symbolon/wire/credentials/presentation-requests';
import { credentialRoutes } from '@symbolon/wire/credentials/routes';
import { readServiceRequest } from '@symbolon/wire/http/service-route';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@symbolon/wire/json/json';
import { assertAsOrdered, notAsOrdered } from '../comparison/order-comparison.ts';
import { SdkError } from '../errors/errors.ts';

export interface OrderedDisclosure extends DisclosureOrder {
  readonly parsed: ParsedCredential;
}

/** An order as the service reads it, so that no path means one thing here and another there. */
export interface OrderedPresentation extends Omit<DerivationRequest, 'credentials'> {
  readonly disclosures: readonly OrderedDisclosure[];
}

/** Throws the faults of `vp/create` for an order that cannot be read. */
export function readPresentationOrder(body: object, profile: NetworkProfile): OrderedPresentation {
  const { credentials, ...asked } = readServiceRequest(credentialRoutes.createPresentation, {
    body: body as JsonValue,
  });
  const disclosures = credentials.map(({ credential, ...disclosure }) => ({
    ...disclosure,
    parsed: parseCredential(credential, profile),
  }));
  return { ...asked, disclosures };
}

/**
 * Throws `invalidArgument` for ranges that tell the value, unless their attribute is among those that may be told. All of one
 * name count together, whichever credentials they are of: a date of birth in two of them is the same date.
 */
export function assertConsented(
  disclosures: readonly OrderedDisclosure[],
  { tellingRanges = [], now }: { readonly tellingRanges?: readonly string[]; readonly now: number },
): void {
  // What is no range is refused where it is planned.
  const claims = disclosures.flatMap((disclosure) => disclosedNow(disclosure, now).ranges);
  const attributes = disclosures.flatMap(({ parsed }) => parsed.credential.credentialSchema.attributes);
  const told = attributes.find(
    (attribute) =>
      !tellingRanges.includes(attribute.key) &&
      areTellingRanges(
        attribute,
        claims.filter((claim) => claim.attribute === attribute.key),
      ),
  );
  if (told) throw tellsValue(told.key);
  const ranged = new Set(claims.map(({ attribute }) => attribute));
  const idle = tellingRanges.find((name) => !ranged.has(name));
  if (idle === undefined) return;
  const hint = 'Name attributes of which a range is proved.';
  throw new SdkError('invalidArgument', 'tellingRanges names an attribute without a range', { hint });
}

const tellsValue = (attribute: string): SdkError =>
  new SdkError(
    'invalidArgument',
    `what is proved of ${attribute} leaves so few values that it tells the value`,
    {
      hint: `Nothing was shown. Prove a wider range, reveal ${attribute}, or name it in tellingRanges.`,
    },
  );

const what = 'the presentation';

export interface OfferExpectation {
  readonly ordered: OrderedPresentation;
  /** DID of whoever signs. */
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What is to be signed, and its bytes. Throws `notAsOrdered` with the first member that differs from the order. */
export function readOfferedPresentation(
  blob: string,
  { ordered, holder, now }: OfferExpectation,
): { readonly presentation: UnsignedPresentation; readonly bytes: Uint8Array } {
  const bytes = parseHex(blob);
  const offered = bytes && readOffered(bytes);
  if (!bytes || !offered) throw notAsOrdered(what, ['blob']);
  const created = createdAbout(offered, now);
  const credentials = Array.isArray(offered.verifiableCredential) ? offered.verifiableCredential : [];
  const disclosures = ordered.disclosures.map((disclosure, position) =>
    expectedDisclosure(ordered, { disclosure, offered: credentials[position], created }),
  );
  // As many proofs as were ordered; whether more are offered is found out by the comparison.
  const proofs = disclosures.map((_one, position) => proofOf(credentials[position], position));
  const { challenge, domain } = ordered;
  const expected = buildUnsignedPresentation(
    { holder, binding: { created: created.text, challenge, domain }, disclosures },
    proofs,
  );
  assertAsOrdered({ what, rootMember: 'blob' }, expected as unknown as JsonValue, offered);
  return { presentation: expected, bytes };
}

/** What the bytes to sign say; undefined unless they are exactly the signing input of that. */
function readOffered(bytes: Uint8Array): JsonObject | undefined {
  try {
    const [, payload = ''] = decodeUtf8(bytes).split('.');
    const encoded = parseExactBase64Url(payload);
    const document = encoded && parseJson(decodeUtf8(encoded));
    if (!isJsonObject(document)) return undefined;
    const signed = holderSigningInput(document as unknown as UnsignedPresentation);
    return encodeHex(signed) === encodeHex(bytes) ? document : undefined;
  } catch {
    // Whatever it is, it is not what was ordered.
    return undefined;
  }
}

interface CreationTime {
  readonly text: string;
  readonly ms: number;
}

/** The service's clock says when, and may be a little apart from the holder's: ages count from it. */
function createdAbout({ proof }: JsonObject, now: number): CreationTime {
  const text = isJsonObject(proof) && typeof proof.created === 'string' ? proof.created : '';
  const ms = unixMsOf(text);
  if (ms === undefined || !(Math.abs(now - ms) <= presenceLimits.ageMsMax))
    throw notAsOrdered(what, ['proof.created']);
  return { text, ms };
}

interface Offered {
  readonly disclosure: OrderedDisclosure;
  readonly offered: JsonValue | undefined;
  readonly created: CreationTime;
}

/** Of set membership the parameters are the service's, which only a verifier can judge. */
function expectedDisclosure(
  { rangeMethod }: OrderedPresentation,
  { disclosure, offered, created }: Offered,
): ShownDisclosure {
  const { parsed, ...order } = disclosure;
  const request = disclosedNow(order, created.ms);
  const binding = { created: created.text, rangeParameters: { method: 'bulletproofs' } } as const;
  const shown = showDisclosure({ parsed, request }, binding, sha256);
  if (rangeMethod !== 'set-membership' || shown.ranges.length === 0) return shown;
  const proof = isJsonObject(offered) && isJsonObject(offered.proof) ? offered.proof : {};
  const named = typeof proof.rangeParameters === 'string' ? proof.rangeParameters : '';
  const rangeParameters = /^[0-9a-f]{64}$/.test(named) ? named : 'a hash';
  return { ...shown, terms: { ...shown.terms, rangeMethod, rangeParameters } };
}

function proofOf(offered: JsonValue | undefined, position: number): Uint8Array {
  if (!isJsonObject(offered)) throw notAsOrdered(what, ['verifiableCredential']);
  const value = isJsonObject(offered.proof) ? offered.proof.proofValue : undefined;
  const proof = typeof value === 'string' ? parseProofValue(value) : undefined;
  if (proof) return proof;
  throw notAsOrdered(what, [`verifiableCredential[${position}].proof.proofValue`]);
}
