/**
 * Claims as they are with their disclosures put where the digests were (RFC 9901, section 7.1). Every digest stands for
 * one thing, every disclosure is used once, and nothing that is disclosed takes the place of what is open.
 */
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { joseLimits, sdJwtLimits } from '../limits/format-limits.ts';
import {
  algorithmMember,
  alwaysOpenClaims,
  digestAlgorithm,
  digestsMember,
  elementMember,
} from './claim-names.ts';
import type { SdDisclosure } from './disclosures.ts';

export type ClaimPath = readonly (string | number)[];

/** A disclosure that was used, where, and the ones it stands in. */
export interface PlacedDisclosure {
  readonly disclosure: SdDisclosure;
  readonly path: ClaimPath;
  readonly parents: readonly SdDisclosure[];
}

export interface Unpacked {
  readonly claims: Fields;
  readonly placed: readonly PlacedDisclosure[];
  /** What is wrong with digests and disclosures. */
  readonly complaints: readonly string[];
  /** Claims that must be open and were disclosed. */
  readonly hidden: readonly string[];
}

interface Walk {
  readonly byDigest: ReadonlyMap<string, SdDisclosure>;
  readonly seen: Set<string>;
  readonly placed: PlacedDisclosure[];
  readonly complaints: string[];
}

interface Spot {
  readonly path: ClaimPath;
  readonly parents: readonly SdDisclosure[];
}

export function unpackClaims(payload: Fields, disclosures: readonly SdDisclosure[]): Unpacked {
  const byDigest = new Map(disclosures.map((one) => [one.digest, one]));
  const walk: Walk = { byDigest, seen: new Set(), placed: [], complaints: [] };
  if (byDigest.size < disclosures.length) walk.complaints.push('a disclosure is there twice');
  const algorithm = payload[algorithmMember];
  if (algorithm !== undefined && algorithm !== digestAlgorithm)
    walk.complaints.push(`digests are not of ${digestAlgorithm}`);
  const { [algorithmMember]: _algorithm, ...open } = payload;
  const claims = unpackObject(open, { path: [], parents: [] }, walk);
  if (walk.placed.length < byDigest.size) walk.complaints.push('a disclosure belongs to no digest');
  const hidden = walk.placed.flatMap(({ path: [first], path }) =>
    path.length >= 1 && typeof first === 'string' && alwaysOpenClaims.includes(first) ? [first] : [],
  );
  return {
    claims,
    placed: walk.placed,
    complaints: [...new Set(walk.complaints)],
    hidden: [...new Set(hidden)],
  };
}

function unpackValue(value: unknown, spot: Spot, walk: Walk): unknown {
  if (spot.path.length > joseLimits.depthMax) {
    walk.complaints.push('claims nest too deep');
    return undefined;
  }
  if (Array.isArray(value)) return unpackArray(value, spot, walk);
  const object = asObject(value);
  return object ? unpackObject(object, spot, walk) : value;
}

function unpackObject(object: Fields, { path, parents }: Spot, walk: Walk): Fields {
  const claims = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    if (name === digestsMember) continue;
    if (name === elementMember) walk.complaints.push('a digest of an element stands in an object');
    else if (name === algorithmMember) walk.complaints.push('the algorithm of digests is named twice');
    else claims.set(name, unpackValue(value, { path: [...path, name], parents }, walk));
  }
  for (const digest of digestsOf(object, walk)) {
    const disclosure = takeDisclosure(digest, walk);
    if (!disclosure) continue;
    const { name, value } = disclosure;
    if (name === undefined) walk.complaints.push('an element of an array is disclosed as a claim');
    else if (claims.has(name)) walk.complaints.push(`a disclosure overwrites the claim ${name}`);
    else {
      const spot = { path: [...path, name], parents: [...parents, disclosure] };
      walk.placed.push({ disclosure, path: spot.path, parents });
      claims.set(name, unpackValue(value, spot, walk));
    }
  }
  return Object.fromEntries(claims);
}

function digestsOf(object: Fields, { complaints }: Walk): readonly string[] {
  if (!Object.hasOwn(object, digestsMember)) return [];
  const digests = object[digestsMember];
  if (Array.isArray(digests) && digests.every((one) => typeof one === 'string')) return digests;
  complaints.push('digests are no array of texts');
  return [];
}

function unpackArray(items: readonly unknown[], { path, parents }: Spot, walk: Walk): unknown[] {
  const shown: unknown[] = [];
  for (const item of items) {
    const object = asObject(item);
    const place = [...path, shown.length];
    if (!object || !Object.hasOwn(object, elementMember)) {
      shown.push(unpackValue(item, { path: place, parents }, walk));
      continue;
    }
    const digest = object[elementMember];
    if (typeof digest !== 'string' || Object.keys(object).length > 1) {
      walk.complaints.push('a digest of an element has something beside it');
      continue;
    }
    const disclosure = takeDisclosure(digest, walk);
    if (!disclosure) continue;
    if (disclosure.name !== undefined) {
      walk.complaints.push('a claim is disclosed as an element of an array');
      continue;
    }
    walk.placed.push({ disclosure, path: place, parents });
    shown.push(unpackValue(disclosure.value, { path: place, parents: [...parents, disclosure] }, walk));
  }
  return shown;
}

/** What a digest stands for, if it is shown. A digest that is there twice could be two claims. */
function takeDisclosure(digest: string, { byDigest, seen, complaints }: Walk): SdDisclosure | undefined {
  if (seen.has(digest)) {
    complaints.push('a digest is there twice');
    return undefined;
  }
  seen.add(digest);
  if (seen.size > sdJwtLimits.digestsMax) {
    complaints.push('there are too many digests');
    return undefined;
  }
  return byDigest.get(digest);
}
