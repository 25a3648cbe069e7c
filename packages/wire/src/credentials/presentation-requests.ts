/**
 * Turns requests about presentations into requests of the inside: what to disclose of which credential, and what a
 * verifier expects (`docs/credentials.md`, "Presentations"). Documents are passed on unread: their own rules decide
 * whether they are credentials or presentations.
 */

import { given } from '@symbolon/core/basics/plain-values';
import { parseBbsPublicKey } from '@symbolon/core/did/did';
import type {
  AgeClaim,
  AttributeValue,
  DisclosurePlaces,
  RangeClaim,
  RangeMethod,
} from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import type { DisclosureOrder } from '@symbolon/core/presentation/age-claims';
import type { WithBody } from '../http/schema-parts.ts';
import { malformed, malformedAt } from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { readTrust, type TrustOrder } from '../trust/requests.ts';
import { readAttributePath } from './attribute-paths.ts';
import { type PublicKeyGiven, readPublicKey, readSignature } from './request-encodings.ts';
import { readBlobId } from './requests.ts';
import type * as schemas from './schemas.ts';

export interface CredentialDisclosure extends DisclosureOrder {
  readonly credential: JsonObject;
  /** Where the credential stands in the body. */
  readonly place: string;
}

export interface Binding {
  readonly challenge: string | undefined;
  readonly domain: string | undefined;
}

export interface DerivationRequest extends Binding {
  readonly credentials: readonly [CredentialDisclosure, ...CredentialDisclosure[]];
  readonly rangeMethod: RangeMethod | undefined;
}

export function readDerivation({ body }: WithBody<typeof schemas.derivation>): DerivationRequest {
  const { vc, vcs, challenge, domain, rangeMethod } = body;
  const binding = { challenge, domain, rangeMethod };
  if (vc && vcs) throw malformedAt('/vcs', 'must not stand beside vc');
  if (vcs) {
    // It would not be clear which credential they are about.
    const beside = (['revealAttributes', 'revealAttribute', 'rangeProof', 'age'] as const).filter(
      (name) => body[name] !== undefined,
    );
    if (beside.length > 0)
      throw malformed(
        beside.map((name) => ({ pointer: `/${name}`, detail: 'must stand in vcs, with its vc' })),
      );
    const [first, ...others] = vcs.map((given, index) => ({
      credential: given.vc,
      place: `/vcs/${index}/vc`,
      ...readDisclosure(given, `/vcs/${index}`, { types: typesOf(given.vc) }),
    }));
    return { credentials: [first, ...others], ...binding };
  }
  if (!vc) throw malformedAt('/vc');
  return {
    credentials: [{ credential: vc, place: '/vc', ...readDisclosure(body, '', { types: typesOf(vc) }) }],
    ...binding,
  };
}

/** What a credential says that it is. Whether that is so is found out where the credential is read. */
const typesOf = ({ type }: JsonObject): readonly string[] =>
  Array.isArray(type) ? type.filter((one) => typeof one === 'string') : [];

/** Paths become keys here: the inside knows attributes by nothing else. */
function readDisclosure(
  given: schemas.DisclosureWire,
  place: string,
  { types = [], isCondition = false }: { readonly types?: readonly string[]; readonly isCondition?: boolean },
): DisclosureOrder {
  const keyAt = (path: string, pointer: string): string => {
    const read = readAttributePath(path.split('.'), types);
    if ('key' in read) return read.key;
    throw malformedAt(pointer, read.complaint);
  };
  const [revealed, other] = (['revealAttributes', 'revealAttribute'] as const).map((name) =>
    given[name]?.map((path, index) => keyAt(path, `${place}/${name}/${index}`)),
  );
  // If it is said twice, differently, either may be meant.
  if (revealed && other && String(revealed) !== String(other))
    throw malformedAt(`${place}/revealAttribute`, 'must not stand beside revealAttributes with others');
  const withKey = <Claim extends { readonly attribute: string }>(claim: Claim, pointer: string): Claim => ({
    ...claim,
    attribute: keyAt(claim.attribute, pointer),
  });
  const [ranges, ages] = [`${place}/rangeProof`, `${place}/age`];
  if (isCondition) assertWholeColumns(given.rangeProof, ranges);
  const order = {
    revealAttributes: [...new Set(revealed ?? other)],
    ranges: readRanges(given.rangeProof, ranges).map((claim) => withKey(claim, ranges)),
    ages: readAges(given.age, ages).map((claim) => withKey(claim, ages)),
  };
  return isCondition ? order : { ...order, places: placesOf(given, place, revealed ?? other ?? []) };
}

/** Where the holder's wishes stand; ages come after ranges, as they become ranges. */
function placesOf(
  { revealAttributes, rangeProof, age }: schemas.DisclosureWire,
  place: string,
  revealed: readonly string[],
): DisclosurePlaces {
  const member = revealAttributes ? 'revealAttributes' : 'revealAttribute';
  const each = (given: unknown, pointer: string): readonly string[] =>
    Array.isArray(given) ? given.map((_, index) => `${pointer}/${index}`) : given ? [pointer] : [];
  const isColumns = rangeProof !== undefined && !Array.isArray(rangeProof) && 'attributes' in rangeProof;
  const ranges = isColumns
    ? each(rangeProof.attributes, `${place}/rangeProof/attributes`)
    : each(rangeProof, `${place}/rangeProof`);
  return {
    revealAttributes: [...new Set(revealed)].map((key) => `${place}/${member}/${revealed.indexOf(key)}`),
    ranges: [...ranges, ...each(age, `${place}/age`)],
  };
}

const rangeFault = (pointer: string, detail: string) =>
  new Fault('rangeInvalid', { detail: `${pointer}: ${detail}`, errors: [{ pointer, detail }] });

/** Of a verifier: a column that lacks a bound would drop a condition that somebody may mean. */
function assertWholeColumns(given: schemas.DisclosureWire['rangeProof'], pointer: string): void {
  if (given === undefined || Array.isArray(given) || !('attributes' in given)) return;
  for (const name of ['minValues', 'maxValues'] as const) {
    const column = given[name];
    if (column === undefined) continue;
    if (column.length !== given.attributes.length)
      throw rangeFault(
        `${pointer}/${name}`,
        `has ${column.length} bounds for ${given.attributes.length} attributes; give one for each, or leave ${name} out`,
      );
    if (column.includes(null))
      throw rangeFault(
        `${pointer}/${name}`,
        `has null for a bound; where only some attributes have this side, give an array of {attribute, min, max}`,
      );
  }
}

/** One range, several, or columns of names, minima and maxima side by side. */
function readRanges(given: schemas.DisclosureWire['rangeProof'], pointer: string): readonly RangeClaim[] {
  if (given === undefined) return [];
  if (!Array.isArray(given) && 'attributes' in given) {
    const { attributes, minValues = [], maxValues = [] } = given;
    if (minValues.length > attributes.length || maxValues.length > attributes.length) {
      throw rangeFault(pointer, 'has more bounds than attributes');
    }
    return attributes.map((attribute, index) =>
      rangeClaim(attribute, [minValues[index] ?? undefined, maxValues[index] ?? undefined], pointer),
    );
  }
  const isList = Array.isArray(given);
  return (isList ? given : [given]).map((range, index) => {
    const place = isList ? `${pointer}/${index}` : pointer;
    const either = <Value>(one: Value | undefined, other: Value | undefined, names: string) => {
      if (one !== undefined && other !== undefined) throw rangeFault(place, `has both ${names}`);
      return one ?? other;
    };
    const attribute = either(range.attribute, range.key, 'attribute and key');
    if (attribute === undefined) throw rangeFault(place, 'names no attribute');
    const min = either(range.min, range.minValue, 'min and minValue');
    const max = either(range.max, range.maxValue, 'max and maxValue');
    return rangeClaim(attribute, [min, max], place);
  });
}

function rangeClaim(
  attribute: string,
  [min, max]: readonly [AttributeValue | undefined, AttributeValue | undefined],
  place: string,
): RangeClaim {
  if (min === undefined && max === undefined) throw rangeFault(place, 'has neither min nor max');
  return { attribute, ...given({ min, max }) };
}

function readAges(age: schemas.DisclosureWire['age'], pointer: string): readonly AgeClaim[] {
  if (age === undefined) return [];
  return (Array.isArray(age) ? age : [age]).map(({ attribute, minAge, maxAge }) => {
    if (minAge === undefined && maxAge === undefined)
      throw rangeFault(pointer, 'has neither minAge nor maxAge');
    if (minAge !== undefined && maxAge !== undefined && minAge > maxAge) {
      throw rangeFault(pointer, 'has a minAge above its maxAge');
    }
    return { attribute, ...given({ minAge, maxAge }) };
  });
}

/** The holder's signature under a presentation that waits for it. */
export interface PresentationSignature {
  readonly blobId: string;
  readonly signature: Uint8Array;
  readonly publicKey: PublicKeyGiven;
}

export const readPresentationSignature = ({
  body,
}: WithBody<typeof schemas.presentationCompletion>): PresentationSignature => ({
  blobId: readBlobId(body.blobId),
  signature: readSignature(body.ed25519SignData, '/ed25519SignData'),
  publicKey: readPublicKey(body.ed25519PubKey, '/ed25519PubKey'),
});

export interface VerificationRequest extends Binding {
  readonly presentation: JsonObject;
  /** Where it stands in the body; absent where it does not. */
  readonly place?: string;
  /** What was asked for, if the verifier says: an order for one credential, or one for each. */
  readonly asked: DisclosureOrder | readonly DisclosureOrder[] | undefined;
  /** Keys that the verifier says are the issuer's. */
  readonly issuerKeys?: { readonly bbs?: Uint8Array; readonly ed25519?: PublicKeyGiven };
  readonly trust: TrustOrder;
}

function namedBbsKey(text: string): Uint8Array {
  const key = parseBbsPublicKey(text);
  if (key) return key;
  throw malformedAt('/bbsPublicKey', 'must be a BBS+ public key of 96 bytes, z and base58');
}

export function readVerification({ body }: WithBody<typeof schemas.verification>): VerificationRequest {
  const { challenge, domain, request, bbsPublicKey: bbs, ed25519PubKey: ed25519 } = body;
  if (body.vp && body.vpObject) throw malformedAt('/vpObject', 'must not stand beside vp');
  const presentation = body.vp ?? body.vpObject;
  if (!presentation) throw malformedAt('/vp');
  const asked = Array.isArray(request)
    ? request.map((given, index) => readDisclosure(given, `/request/${index}`, { isCondition: true }))
    : request && readDisclosure(request, '/request', { isCondition: true });
  const issuerKeys = {
    ...(bbs !== undefined && { bbs: namedBbsKey(bbs) }),
    ...(ed25519 !== undefined && { ed25519: readPublicKey(ed25519, '/ed25519PubKey') }),
  };
  const place = body.vp ? '/vp' : '/vpObject';
  return { presentation, place, challenge, domain, asked, issuerKeys, trust: readTrust(body) };
}
