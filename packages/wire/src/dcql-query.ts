/**
 * Credential queries as verifiers write them (reference §1.7): read strictly and bounded, once when a verifier asks and
 * again when a wallet answers. A member that changes the meaning of a query and is not understood is refused, never
 * ignored. Whether a presentation answers a query is `core/credential/dcql-matching.ts`.
 */
import {
  type ClaimQuery,
  type CredentialQuery,
  claimTypes,
  type DcqlQuery,
} from '@symbolon/core/credential/dcql';
import {
  arrayOf,
  complain,
  exactObject,
  literal,
  membersOf,
  type Place,
  placeIn,
  type Shape,
  text,
} from '@symbolon/core/credential/document-shapes';
import type { AttributeValue } from '@symbolon/core/credential/model';
import { PatternProblem, parseSafePattern, type SafePattern } from '@symbolon/core/credential/safe-pattern';
import { Fault, type FaultDetail } from '@symbolon/core/faults';
import { canonicalJson } from '@symbolon/core/jcs';
import { credentialQueryLimits as limits } from '@symbolon/core/limits';

const nameCharsMax = 256;
const words = (wanted: string): Shape<string> => text({ charsMax: nameCharsMax, wanted });
const name = words('a text');
const did = text({
  charsMax: nameCharsMax,
  pattern: /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/,
  wanted: 'a DID',
});
const truth: Shape<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : complain(place, 'must be true or false');
const issuerList = arrayOf(did, { min: 1, max: limits.issuersMax });

const plainValue: Shape<AttributeValue> = (value, place) => {
  const isGood =
    (typeof value === 'string' && value.length <= nameCharsMax) ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value));
  return isGood ? value : complain(place, 'must be a short text, a number, or true or false');
};
const bound: Shape<AttributeValue> = (value, place) =>
  typeof value === 'boolean' ? complain(place, 'must be a number or a text') : plainValue(value, place);
const plainValues = arrayOf(plainValue, { min: 1, max: limits.valuesMax });

const pattern: Shape<SafePattern> = (value, place) => {
  if (typeof value !== 'string') return complain(place, 'must be a pattern');
  try {
    return parseSafePattern(value);
  } catch (error) {
    if (error instanceof PatternProblem) return complain(place, error.message);
    throw error;
  }
};

const constraintsShape = exactObject(
  {},
  {
    minimum: bound,
    maximum: bound,
    enum: plainValues,
    const: plainValue,
    pattern,
    type: literal(...claimTypes),
    required: truth,
  },
);

const claimShape = exactObject(
  { path: arrayOf(name, { min: 1, max: limits.pathPartsMax }) },
  {
    id: name,
    values: plainValues,
    constraints: constraintsShape,
    filter: constraintsShape,
    required: truth,
    purpose: name,
  },
);

const readClaim: Shape<ClaimQuery> = (value, place) => {
  const read = claimShape(value, place);
  if (!read) return undefined;
  if (read.constraints && read.filter)
    return complain(placeIn(place, 'filter'), 'must not stand beside constraints');
  const { enum: list, const: constant, required, ...others } = read.constraints ?? read.filter ?? {};
  if (read.values && list) return complain(placeIn(place, 'values'), 'must not stand beside enum');
  const key = read.path.at(-1) as string;
  const values = read.values ?? list;
  return {
    key,
    isRequired: read.required ?? required ?? true,
    constraints: {
      ...others,
      ...(values && { values }),
      ...(constant !== undefined && { constant }),
    },
  };
};

/** What is always there need not be asked for; who does, means the holder. */
const metaShape = exactObject({}, { vct_values: arrayOf(name, { min: 0, max: limits.valuesMax }) });

const credentialShape = exactObject(
  { id: name },
  {
    format: literal('ldp_vc', 'ldp_vp'),
    credentialType: name,
    meta: metaShape,
    claims: arrayOf(readClaim, { min: 0, max: limits.claimsMax }),
    issuers: issuerList,
    trusted_issuers: issuerList,
    name,
    purpose: name,
    description: name,
  },
);

const readCredential: Shape<CredentialQuery> = (value, place) => {
  const read = credentialShape(value, place);
  if (!read) return undefined;
  const { id, claims = [], credentialType, meta } = read;
  const keys = claims.map(({ key }) => key);
  if (new Set(keys).size < keys.length)
    return complain(placeIn(place, 'claims'), 'must name each claim once');
  const issuers = issuersOf(read);
  return {
    id,
    ...(/^did:[a-z0-9]+:[0-9A-Fa-f]{64}$/.test(id) && { templateId: id }),
    ...(credentialType !== undefined && { type: credentialType }),
    types: [...new Set(meta?.vct_values ?? [])],
    claims,
    ...(issuers && { issuers }),
  };
};

interface IssuersGiven {
  readonly issuers?: readonly string[];
  readonly trusted_issuers?: readonly string[];
}

/** Both spellings mean the same; who uses both means all of them. */
function issuersOf({ issuers, trusted_issuers: trusted }: IssuersGiven): readonly string[] | undefined {
  return issuers || trusted ? [...new Set([...(issuers ?? []), ...(trusted ?? [])])] : undefined;
}

const setShape = exactObject(
  {
    options: arrayOf(arrayOf(name, { min: 1, max: limits.credentialsMax }), {
      min: 1,
      max: limits.setOptionsMax,
    }),
  },
  { required: truth, purpose: name },
);

const queryShape = exactObject(
  { credentials: arrayOf(readCredential, { min: 1, max: limits.credentialsMax }) },
  {
    credential_sets: arrayOf(setShape, { min: 1, max: limits.setsMax }),
    issuers: issuerList,
    trusted_issuers: issuerList,
  },
);

/** Throws the fault `queryInvalid` with everything that is wrong. `pointer` is where the query stands. */
export function parseDcql(value: unknown, pointer: string): DcqlQuery {
  const complaints: FaultDetail[] = [];
  const place: Place = { pointer, complaints };
  const read = isSmall(value) ? queryShape(value, place) : complain(place, 'is too large or not plain JSON');
  const query = read && withSets(read, place);
  if (query && complaints.length === 0) return query;
  const [first] = complaints;
  throw new Fault('queryInvalid', {
    detail: first && `${first.pointer}: ${first.detail}`,
    errors: complaints.slice(0, complaintsMax),
  });
}

const complaintsMax = 20;

function isSmall(value: unknown): boolean {
  if (!membersOf(value)) return false;
  try {
    return canonicalJson(value).length <= limits.queryBytesMax;
  } catch {
    // Thrown for what JSON cannot carry exactly, such as integers beyond 2^53.
    return false;
  }
}

function withSets(read: NonNullable<ReturnType<typeof queryShape>>, place: Place): DcqlQuery | undefined {
  const ids = new Set(read.credentials.map(({ id }) => id));
  if (ids.size < read.credentials.length)
    return complain(placeIn(place, 'credentials'), 'must each have an id of their own');
  const sets = read.credential_sets?.map(({ options, required }) => ({
    options,
    isRequired: required ?? true,
  }));
  for (const [index, { options }] of (sets ?? []).entries())
    if (!options.flat().every((id) => ids.has(id)))
      return complain(
        placeIn(placeIn(place, 'credential_sets'), index),
        'names a credential that is not asked for',
      );
  const issuers = issuersOf(read);
  return { credentials: read.credentials, ...(sets && { sets }), ...(issuers && { issuers }) };
}
