/**
 * Credential queries as verifiers write them: read strictly and bounded, once when a verifier asks and again when a
 * wallet answers. A member that changes the meaning of a query and is not understood is refused, never ignored. Whether
 * a presentation answers a query is `core/src/presentation/dcql-matching.ts`.
 */

import { PatternProblem, parseSafePattern, type SafePattern } from '@symbolon/core/attributes/safe-pattern';
import { canonicalJson } from '@symbolon/core/basics/jcs';
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
import type { AttributeValue } from '@symbolon/core/documents/model';
import { Fault, type FaultDetail } from '@symbolon/core/faults/faults';
import { credentialQueryLimits as limits } from '@symbolon/core/limits/documents';
import {
  type ClaimConstraints,
  type ClaimQuery,
  type CredentialQuery,
  claimTypes,
  type DcqlQuery,
  type FrameClaim,
  type FrameMember,
  type TypeChoice,
} from '@symbolon/core/presentation/dcql';
import { readAttributePath } from '../credentials/attribute-paths.ts';
import { complaintsMax } from '../http/schema-parts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { isSameList, repeatedAt, repeatedText } from '../trust/named-once.ts';

const nameCharsMax = 256;
const words = (wanted: string): Shape<string> => textShape({ charsMax: nameCharsMax, wanted });
const name = words('a text');
const did = textShape({
  charsMax: nameCharsMax,
  pattern: /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/,
  wanted: 'a DID',
});

const templateIdPattern = /^did:[a-z0-9]+:[0-9A-Fa-f]{64}$/;
/** DCQL's own form of an id. */
const labelPattern = /^[A-Za-z0-9_-]{1,128}$/;
/** So many hex digits in a row, or a DID, are nobody's label: whoever writes them means a template. */
const templateLike = /[0-9a-f]{32}|^\s*did:|^did[_-][a-z0-9]+[_-][0-9a-f]{16}/i;
/** More than a UUID has, whatever stands between them. */
const templateDigits = /[0-9a-f]{40}/i;

const isTemplateLike = (text: string): boolean =>
  templateLike.test(text) || templateDigits.test(text.replace(/[_-]/g, ''));

/** A template's id is a condition, a label none: what could be either, misspelt, is refused. */
const queryId: Shape<string> = (value, place) => {
  if (typeof value !== 'string') return complain(place, 'must be a text');
  if (templateIdPattern.test(value)) return value;
  if (isTemplateLike(value))
    return complain(
      place,
      'looks like a template id and is none: that is "did:", method, ":", 64 hex digits',
    );
  return labelPattern.test(value)
    ? value
    : complain(place, 'must be the id of a template, or up to 128 letters, digits, "_" and "-"');
};
const truth: Shape<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : complain(place, 'must be true or false');
const issuerList: Shape<readonly string[]> = (value, place) => {
  const issuers = arrayOf(did, { min: 1, max: limits.issuersMax })(value, place);
  const repeated = issuers && repeatedAt(issuers);
  return repeated === undefined ? issuers : complain(placeIn(place, repeated), repeatedText);
};

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
  // An empty one fits everything: what was to be asked for is lost.
  if (typeof value !== 'string' || value.trim() === '') return complain(place, 'must be a pattern');
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

type ClaimGiven = NonNullable<ReturnType<typeof claimShape>>;

function constraintsOf(read: ClaimGiven, place: Place) {
  if (read.constraints && read.filter)
    return complain(placeIn(place, 'filter'), 'must not stand beside constraints');
  const { enum: list, const: constant, required, ...others } = read.constraints ?? read.filter ?? {};
  if (read.values && list) return complain(placeIn(place, 'values'), 'must not stand beside enum');
  if (read.required !== undefined && required !== undefined && read.required !== required)
    return complain(placeIn(place, 'required'), 'must be the same in constraints');
  const values = read.values ?? list;
  const constraints: ClaimConstraints = {
    ...others,
    ...(values && { values }),
    ...(constant !== undefined && { constant }),
  };
  return { constraints, isRequired: read.required ?? required ?? true };
}

/** What of the frame can be asked for, by its path in a credential. */
const framePaths: readonly (readonly [path: readonly string[], member: FrameMember])[] = [
  [['issuer'], 'issuer'],
  [['validFrom'], 'validFrom'],
  [['validUntil'], 'validUntil'],
  [['credentialSchema', 'id'], 'templateId'],
  [['credentialSchema', 'version'], 'templateVersion'],
];
const frameMemberAt = (path: readonly string[]): FrameMember | undefined =>
  framePaths.find(
    ([known]) => known.length === path.length && known.every((part, index) => part === path[index]),
  )?.[1];
const frameWords = framePaths.map(([path]) => JSON.stringify(path)).join(', ');

/** Attributes and members of the frame apart, each at most once. */
function readClaims(
  given: readonly ClaimGiven[],
  types: readonly string[],
  place: Place,
): { readonly claims: readonly ClaimQuery[]; readonly frame: readonly FrameClaim[] } | undefined {
  const claims: ClaimQuery[] = [];
  const frame: FrameClaim[] = [];
  for (const [index, claim] of given.entries()) {
    const here = placeIn(place, index);
    const read = constraintsOf(claim, here);
    if (!read) return undefined;
    const member = frameMemberAt(claim.path);
    if (member) {
      frame.push({ member, constraints: read.constraints });
      continue;
    }
    const path = readAttributePath(claim.path, types);
    if ('complaint' in path)
      return complain(placeIn(here, 'path'), `${path.complaint}; of the credential itself: ${frameWords}`);
    claims.push({ key: path.key, ...read });
  }
  const isOnce = (names: readonly string[]): boolean => new Set(names).size === names.length;
  return isOnce(claims.map(({ key }) => key)) && isOnce(frame.map(({ member }) => member))
    ? { claims, frame }
    : complain(place, 'must name each claim once');
}

/** Names of one list belong together; a name alone is a list of one. */
const typeNames: Shape<readonly string[]> = (value, place) => {
  if (Array.isArray(value)) return arrayOf(name, { min: 1, max: limits.valuesMax })(value, place);
  const one = name(value, place);
  return one === undefined ? undefined : [one];
};

const metaShape = exactObject(
  {},
  {
    vct_values: arrayOf(name, { min: 0, max: limits.valuesMax }),
    type_values: arrayOf(typeNames, { min: 1, max: limits.valuesMax }),
  },
);
const oneOfNames = arrayOf(name, { min: 1, max: limits.valuesMax });

const credentialShape = exactObject(
  { id: queryId },
  {
    format: literal('ldp_vc', 'ldp_vp'),
    credentialType: name,
    credential_type: name,
    credentialTypes: oneOfNames,
    credential_types: oneOfNames,
    meta: metaShape,
    claims: arrayOf(claimShape, { min: 0, max: limits.claimsMax }),
    issuers: issuerList,
    trusted_issuers: issuerList,
    name,
    purpose: name,
    description: name,
  },
);

/** Whatever is said about the type must hold, in whichever of the family's forms it is said. */
function typesOf({ meta, ...read }: NonNullable<ReturnType<typeof credentialShape>>): readonly TypeChoice[] {
  const ones = [read.credentialType, read.credential_type].flatMap((one) =>
    one === undefined ? [] : [[one]],
  );
  const lists = [...ones, read.credentialTypes, read.credential_types, meta?.vct_values];
  const choices = lists.map((list) => [...new Set(list)].map((one) => [one]));
  // A list of types that is empty, which only older clients of the family send, asks for none.
  return [...choices, meta?.type_values ?? []].filter((choice) => choice.length > 0);
}

const readCredential: Shape<CredentialQuery> = (value, place) => {
  const read = credentialShape(value, place);
  if (!read) return undefined;
  const { id } = read;
  const types = typesOf(read);
  const claims = readClaims(read.claims ?? [], types.flat(2), placeIn(place, 'claims'));
  const trust = readIssuers(read, place);
  if (!claims || !trust) return undefined;
  return {
    id,
    ...(templateIdPattern.test(id) && { templateId: id }),
    types,
    claims: claims.claims,
    ...(claims.frame.length > 0 && { frame: claims.frame }),
    ...trust,
  };
};

/** Both spellings mean the same; who uses both must say the same, or it is not clear whom to trust. */
function readIssuers(
  { issuers, trusted_issuers: trusted }: Partial<Record<'issuers' | 'trusted_issuers', readonly string[]>>,
  place: Place,
): Pick<DcqlQuery, 'issuers'> | undefined {
  if (issuers && trusted && !isSameList(issuers, trusted))
    return complain(placeIn(place, 'issuers'), 'must not stand beside trusted_issuers with others');
  const given = issuers ?? trusted;
  return given ? { issuers: given } : {};
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
export const parseDcql = (value: unknown, pointer: string): DcqlQuery =>
  parsed(pointer, (place) => {
    const read = isSmall(value)
      ? queryShape(value, place)
      : complain(place, 'is too large or not plain JSON');
    return read && withSets(read, place);
  });

const someObject: Shape<JsonObject> = (value, place) =>
  isJsonObject(value as JsonValue) ? (value as JsonObject) : complain(place, 'must be an object');
const wrapperShape = exactObject({ query: someObject }, { requirementsId: name });

/** The query itself, which servers of the family also send as `{requirementsId, query}`. Throws `queryInvalid`. */
export function unwrapQuery(given: JsonObject, pointer: string): { query: JsonObject; pointer: string } {
  if (!('query' in given) && !('requirementsId' in given)) return { query: given, pointer };
  const { query } = parsed(pointer, (place) => wrapperShape(given, place));
  return { query, pointer: `${pointer}/query` };
}

function parsed<Value>(pointer: string, read: (place: Place) => Value | undefined): Value {
  const complaints: FaultDetail[] = [];
  const value = read({ pointer, complaints });
  if (value !== undefined && complaints.length === 0) return value;
  const [first] = complaints;
  throw new Fault('queryInvalid', {
    detail: first && `${first.pointer}: ${first.detail}`,
    errors: complaints.slice(0, complaintsMax),
  });
}

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
  const trust = readIssuers(read, place);
  return trust && { credentials: read.credentials, ...(sets && { sets }), ...trust };
}
