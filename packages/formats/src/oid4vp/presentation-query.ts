/**
 * What a verifier asks for in DCQL (OpenID4VP 1.0, section 6), read strictly: what changes the meaning of a query and is
 * not understood is refused, with the nearest name that is known. A range is asked for in our own format alone.
 */
import { CanonicalJsonError, canonicalJson } from '@symbolon/core/basics/jcs';
import {
  arrayOf,
  complain,
  exactObject,
  literal,
  membersOf,
  type Place,
  placeIn,
  type Shape,
  textShape,
} from '@symbolon/core/documents/document-shapes';
import { Fault, type FaultDetail } from '@symbolon/core/faults/faults';
import { credentialQueryLimits as limits } from '@symbolon/core/limits/documents';
import { oid4vpLimits } from '../limits/oid4vp-limits.ts';
import type { WantedPath } from '../sd-jwt/claim-paths.ts';

/** Credentials of ours, shown by proofs over their BBS signature. */
export const rangeFormat = 'symbolon-bbs-2026';
export const queryFormats = ['dc+sd-jwt', 'ldp_vc', rangeFormat] as const;
export type QueryFormat = (typeof queryFormats)[number];

export type ClaimValue = string | number | boolean;

export interface WantedClaim {
  readonly id?: string;
  readonly path: WantedPath;
  /** One of these, in type and value. */
  readonly values?: readonly ClaimValue[];
  readonly range?: { readonly min?: string | number; readonly max?: string | number };
}

export interface WantedCredential {
  readonly id: string;
  readonly format: QueryFormat;
  readonly isMultiple: boolean;
  /** One of these lists, all of it: of one name each, but for types of `ldp_vc`. */
  readonly kinds: readonly (readonly string[])[];
  readonly claims: readonly WantedClaim[];
  /** Ids of claims; any one of the lists will do. */
  readonly claimSets?: readonly (readonly string[])[];
  /** Whether the holder has to prove a key. */
  readonly needsHolder: boolean;
  /** Who has to vouch for the issuer; read by wallets alone. */
  readonly authorities?: readonly WantedAuthority[];
}

/** Authorities of one kind, any of which will do. */
export interface WantedAuthority {
  readonly type: string;
  readonly values: readonly string[];
}

/** Verifiers refuse what they would not look at; wallets read all of it, and say that they have nothing that fits. */
export type QueryReader = 'verifier' | 'wallet';

export interface PresentationQuery {
  readonly credentials: readonly WantedCredential[];
  /** Without any every credential is wanted. */
  readonly sets?: readonly {
    readonly options: readonly (readonly string[])[];
    readonly isRequired: boolean;
  }[];
}

const textCharsMax = 1_024;
const text = textShape({ charsMax: textCharsMax, wanted: 'a text' });
const id = textShape({
  charsMax: 128,
  pattern: /^[A-Za-z0-9_-]+$/,
  wanted: 'up to 128 letters, digits, "_" and "-"',
});
const truth: Shape<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : complain(place, 'must be true or false');

const step: Shape<string | number | null> = (value, place) => {
  const isPosition = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  if (value === null || isPosition) return value;
  return typeof value === 'string' && value.length >= 1 && value.length <= textCharsMax
    ? value
    : complain(place, 'must be a name, a position, or null');
};

/** Null is a step, and no complaint. */
const path: Shape<WantedPath> = (value, place) => {
  if (!Array.isArray(value) || value.length < 1 || value.length > limits.pathPartsMax)
    return complain(place, `must be an array of 1 to ${limits.pathPartsMax}`);
  if (typeof value[0] !== 'string') return complain(placeIn(place, 0), 'must be a name');
  const before = place.complaints.length;
  const steps = value.map((one, index) => step(one, placeIn(place, index)) ?? null);
  return place.complaints.length === before ? steps : undefined;
};

const claimValue: Shape<ClaimValue> = (value, place) =>
  (typeof value === 'string' && value.length <= textCharsMax) ||
  typeof value === 'boolean' ||
  Number.isSafeInteger(value)
    ? (value as ClaimValue)
    : complain(place, 'must be a short text, an integer, or true or false');

const bound: Shape<string | number> = (value, place) =>
  Number.isSafeInteger(value) || (typeof value === 'string' && value.length >= 1 && value.length <= 64)
    ? (value as string | number)
    : complain(place, 'must be an integer or a text');

const rangeShape: Shape<NonNullable<WantedClaim['range']>> = (value, place) => {
  const read = exactObject({}, { min: bound, max: bound })(value, place);
  if (!read) return undefined;
  return read.min === undefined && read.max === undefined ? complain(place, 'has no bound') : read;
};

const values = arrayOf(claimValue, { min: 1, max: limits.valuesMax });
const claimShape = exactObject({ path }, { id, values, range: rangeShape });

const metaMembers: Readonly<Record<QueryFormat, string>> = {
  'dc+sd-jwt': 'vct_values',
  ldp_vc: 'type_values',
  [rangeFormat]: 'template_values',
};

const names = arrayOf(text, { min: 1, max: limits.valuesMax });
const lists = arrayOf(names, { min: 1, max: limits.valuesMax });

function readKinds(
  meta: unknown,
  format: QueryFormat,
  place: Place,
): readonly (readonly string[])[] | undefined {
  const member = metaMembers[format];
  if (format === 'ldp_vc') return exactObject({ [member]: lists })(meta, place)?.[member];
  return exactObject({ [member]: names })(meta, place)?.[member]?.map((name) => [name]);
}

/** Who may have issued a credential is said beside the query, where it is about issuers and not about their keys. */
const noAuthorities: Shape<readonly WantedAuthority[]> = (_value, place) =>
  complain(place, 'is not supported here: name issuers in trustedIssuers, beside the query');
const someAuthorities = arrayOf(exactObject({ type: text, values: names }), {
  min: 1,
  max: limits.valuesMax,
});

const anything: Shape<object> = (value, place) =>
  membersOf(value) ? (value as object) : complain(place, 'must be an object');

const credentialShapeFor = (reader: QueryReader) =>
  exactObject(
    { id, format: literal(...queryFormats), meta: anything },
    {
      multiple: truth,
      trusted_authorities: reader === 'wallet' ? someAuthorities : noAuthorities,
      require_cryptographic_holder_binding: truth,
      claims: arrayOf(claimShape, { min: 1, max: limits.claimsMax }),
      claim_sets: arrayOf(arrayOf(id, { min: 1, max: limits.claimsMax }), {
        min: 1,
        max: oid4vpLimits.claimSetsMax,
      }),
    },
  );

const credentialShapes = { verifier: credentialShapeFor('verifier'), wallet: credentialShapeFor('wallet') };

type CredentialGiven = NonNullable<ReturnType<(typeof credentialShapes)['verifier']>>;

const credentialReader =
  (reader: QueryReader): Shape<WantedCredential> =>
  (value, place) => {
    const read = credentialShapes[reader](value, place);
    if (!read) return undefined;
    const { format } = read;
    const before = place.complaints.length;
    const kinds = readKinds(read.meta, format, placeIn(place, 'meta'));
    checkClaims(read, place);
    const needsHolder = read.require_cryptographic_holder_binding ?? true;
    if (!needsHolder && format === rangeFormat)
      complain(
        placeIn(place, 'require_cryptographic_holder_binding'),
        'must be true: credentials of this format are always shown by their holder',
      );
    if (!kinds || place.complaints.length > before) return undefined;
    return {
      id: read.id,
      format,
      isMultiple: read.multiple ?? false,
      kinds,
      claims: read.claims ?? [],
      ...(read.claim_sets && { claimSets: read.claim_sets }),
      needsHolder,
      ...(read.trusted_authorities && { authorities: read.trusted_authorities }),
    };
  };

function checkClaims({ format, claims = [], claim_sets: sets }: CredentialGiven, place: Place): void {
  const here = placeIn(place, 'claims');
  const paths = claims.map((one) => JSON.stringify(one.path));
  if (new Set(paths).size < paths.length) complain(here, 'must name each claim once');
  const ids = claims.flatMap((one) => one.id ?? []);
  if (new Set(ids).size < ids.length) complain(here, 'must each have an id of their own');
  for (const [index, claim] of claims.entries()) {
    if (claim.range && format !== rangeFormat)
      complain(placeIn(placeIn(here, index), 'range'), `can be asked for in the format ${rangeFormat} alone`);
    if (claim.range && claim.values)
      complain(placeIn(placeIn(here, index), 'range'), 'must not stand beside values');
    if (format === rangeFormat && keyOfPath(claim.path) === undefined)
      complain(placeIn(placeIn(here, index), 'path'), 'must be [key] or ["credentialSubject", key]');
    if (sets && claim.id === undefined)
      complain(placeIn(here, index), 'needs an id, because there are claim_sets');
  }
  for (const [index, set] of (sets ?? []).entries())
    if (!set.every((one) => ids.includes(one)))
      complain(placeIn(placeIn(place, 'claim_sets'), index), 'names a claim that is not asked for');
}

/** The attribute that a path leads to, in our own format. */
export function keyOfPath(steps: WantedPath): string | undefined {
  const [first, second, ...more] = steps;
  if (more.length > 0) return undefined;
  const key = steps.length === 1 ? first : first === 'credentialSubject' ? second : undefined;
  return typeof key === 'string' ? key : undefined;
}

const setShape = exactObject(
  {
    options: arrayOf(arrayOf(id, { min: 1, max: limits.credentialsMax }), {
      min: 1,
      max: limits.setOptionsMax,
    }),
  },
  { required: truth },
);

const queryShapeFor = (reader: QueryReader) =>
  exactObject(
    { credentials: arrayOf(credentialReader(reader), { min: 1, max: limits.credentialsMax }) },
    { credential_sets: arrayOf(setShape, { min: 1, max: limits.setsMax }) },
  );

const queryShapes = { verifier: queryShapeFor('verifier'), wallet: queryShapeFor('wallet') };

/** Throws the fault `queryInvalid` with everything that is wrong. `pointer` is where the query stands. */
export function parsePresentationQuery(
  value: unknown,
  pointer: string,
  reader: QueryReader = 'verifier',
): PresentationQuery {
  const complaints: FaultDetail[] = [];
  const place = { pointer, complaints };
  const read = isSmall(value)
    ? queryShapes[reader](value, place)
    : complain(place, 'is too large or no plain JSON');
  if (read) checkSets(read, place);
  if (!read || complaints.length > 0) {
    const [first] = complaints;
    throw new Fault('queryInvalid', {
      detail: first && `${first.pointer}: ${first.detail}`,
      errors: complaints,
    });
  }
  return {
    credentials: read.credentials,
    ...(read.credential_sets && {
      sets: read.credential_sets.map(({ options, required }) => ({ options, isRequired: required ?? true })),
    }),
  };
}

function checkSets(read: NonNullable<ReturnType<(typeof queryShapes)['verifier']>>, place: Place): void {
  const ids = read.credentials.map((one) => one.id);
  if (new Set(ids).size < ids.length)
    complain(placeIn(place, 'credentials'), 'must each have an id of their own');
  for (const [index, { options }] of (read.credential_sets ?? []).entries())
    if (!options.flat().every((one) => ids.includes(one)))
      complain(placeIn(placeIn(place, 'credential_sets'), index), 'names a credential that is not asked for');
}

function isSmall(value: unknown): boolean {
  const text = membersOf(value) && plainJson(value);
  return text !== undefined && text.length <= limits.queryBytesMax;
}

/** Undefined for what JSON cannot carry exactly, such as integers beyond 2^53. */
export function plainJson(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return undefined;
    throw error;
  }
}
