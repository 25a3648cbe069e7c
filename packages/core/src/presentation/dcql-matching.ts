/**
 * Whether a presentation answers a credential query: every credential presented is given to the part of the query that
 * asks for it, everything asked for must be there and fit its constraints, and nothing may be shown beyond it. A minimum
 * or maximum is met by a proved range that is at least as narrow, or by a revealed value inside. That proofs are good and
 * credentials valid is checked elsewhere (`presentation-checks.ts`); nothing here is worth anything without that.
 */
import { isComplaint } from '../attributes/attribute-formats.ts';
import { type ReadRange, readRange } from '../attributes/attribute-ranges.ts';
import { attributeInteger, readAttributeValue } from '../attributes/attribute-values.ts';
import { pairUp } from '../basics/pairing.ts';
import { subjectValue } from '../credential/credential-messages.ts';
import type {
  AttributeType,
  AttributeValue,
  DerivedCredential,
  RangeClaim,
  SignedAttribute,
} from '../documents/model.ts';
import type {
  ClaimConstraints,
  ClaimQuery,
  ClaimType,
  CredentialQuery,
  DcqlQuery,
  FrameClaim,
  FrameMember,
} from './dcql.ts';

export interface QueryFailure {
  /** `disclosure`: more is shown than asked for, or by another issuer. `request`: something asked for is missing or does not fit. */
  readonly check: 'disclosure' | 'request';
  readonly detail: string;
}

export interface QueryVerdict {
  readonly failures: readonly QueryFailure[];
  /** Which credential answers which part of the query, in the order of the query. */
  readonly answers: readonly { readonly queryId: string; readonly credential: number }[];
}

export function judgeAnswer(query: DcqlQuery, credentials: readonly DerivedCredential[]): QueryVerdict {
  const judged = query.credentials.map((one) =>
    credentials.map((credential) =>
      isOfKind(one, credential) ? failuresOf(one, credential, query.issuers) : undefined,
    ),
  );
  const isGood = (asked: number, shown: number) => judged[asked][shown]?.length === 0;
  const isPossible = (asked: number, shown: number) => judged[asked][shown] !== undefined;
  // Good answers first; what is left is given to whatever it could have been an answer to, so that it is named why not.
  const given = pairUp(query.credentials.length, credentials.length, isGood);
  const taken = new Set(given.values());
  for (const asked of query.credentials.keys()) {
    if (given.has(asked)) continue;
    const shown = credentials.findIndex((_one, index) => !taken.has(index) && isPossible(asked, index));
    if (shown === -1) continue;
    given.set(asked, shown);
    taken.add(shown);
  }
  const surplus = credentials.flatMap((credential, index): QueryFailure[] =>
    taken.has(index)
      ? []
      : [{ check: 'disclosure', detail: `a credential ${credential.type[1]} was not asked for` }],
  );
  const wrong = [...given].flatMap(([asked, shown]) => judged[asked][shown] ?? []);
  const isAnswered = (id: string) => given.has(query.credentials.findIndex((one) => one.id === id));
  const answers = query.credentials.flatMap(({ id }, asked) => {
    const credential = given.get(asked);
    return credential === undefined ? [] : [{ queryId: id, credential }];
  });
  return { failures: [...missing(query, isAnswered), ...wrong, ...surplus], answers };
}

function missing(
  { credentials, sets }: DcqlQuery,
  isAnswered: (id: string) => boolean,
): readonly QueryFailure[] {
  if (!sets)
    return credentials.flatMap(({ id }) =>
      isAnswered(id) ? [] : [{ check: 'request', detail: `no credential answers ${id}` } as const],
    );
  return sets.flatMap(({ options, isRequired }, index) =>
    !isRequired || options.some((option) => option.every(isAnswered))
      ? []
      : [{ check: 'request', detail: `no option of credential set ${index + 1} is answered` } as const],
  );
}

/** By template, by type, or by neither: then any credential may be meant. */
function isOfKind(
  { templateId, types }: CredentialQuery,
  { credentialSchema, type: own }: DerivedCredential,
): boolean {
  if (templateId !== undefined && credentialSchema.id.toLowerCase() !== templateId.toLowerCase())
    return false;
  return types.every((choice) => choice.some((names) => names.every((name) => own.includes(name))));
}

function failuresOf(
  query: CredentialQuery,
  credential: DerivedCredential,
  trusted: readonly string[] | undefined,
): readonly QueryFailure[] {
  // What is said of one credential and of the whole query must both hold.
  const isTrusted = [query.issuers, trusted].every((ones) => ones?.includes(credential.issuer) ?? true);
  const asked = new Map(query.claims.map((claim) => [claim.key, claim]));
  const failures: QueryFailure[] = [];
  if (!isTrusted)
    failures.push({
      check: 'disclosure',
      detail: `the issuer ${credential.issuer} is not one of those trusted`,
    });
  for (const { key } of credential.credentialSchema.attributes)
    if (subjectValue(credential.credentialSubject, key) !== undefined && !asked.has(key))
      failures.push({ check: 'disclosure', detail: `${key} was not asked for` });
  for (const { attribute } of credential.proof.ranges ?? []) {
    const claim = asked.get(attribute);
    if (!claim || !hasBounds(claim.constraints))
      failures.push({ check: 'disclosure', detail: `a range of ${attribute} was not asked for` });
  }
  const details = [
    ...query.claims.map((claim) => unmet(claim, credential)),
    ...(query.frame ?? []).map((claim) => unmetByFrame(claim, credential)),
  ];
  for (const detail of details) if (detail !== undefined) failures.push({ check: 'request', detail });
  return failures;
}

const hasBounds = ({ minimum, maximum }: ClaimConstraints): boolean =>
  minimum !== undefined || maximum !== undefined;

/** Why a credential does not answer a claim. */
function unmet(
  { key, isRequired, constraints }: ClaimQuery,
  credential: DerivedCredential,
): string | undefined {
  const { credentialSchema, credentialSubject, proof } = credential;
  if (key === 'id') return unmetByValue(holderAttribute, credentialSubject.id, constraints);
  const attribute = credentialSchema.attributes.find((one) => one.key === key);
  const value = attribute && subjectValue(credentialSubject, key);
  const range = proof.ranges?.find((one) => one.attribute === key);
  if (attribute && value !== undefined) return unmetByValue(attribute, value, constraints);
  if (attribute && range) return unmetByRange(attribute, range, constraints);
  return isRequired ? `${key} is not shown` : undefined;
}

/** The holder's DID as an attribute, so that it can be compared like one. */
const holderAttribute: SignedAttribute = { key: 'id', type: 'text', format: 'string' };

/** Members of the frame as attributes, for the same reason. */
const frameAttributes: Readonly<Record<FrameMember, SignedAttribute>> = {
  issuer: { key: 'the issuer', type: 'text', format: 'string' },
  validFrom: { key: 'validFrom', type: 'dateTime', format: 'date-time' },
  validUntil: { key: 'validUntil', type: 'dateTime', format: 'date-time' },
  templateId: { key: 'the template', type: 'text', format: 'string' },
  templateVersion: { key: 'the version of the template', type: 'text', format: 'string' },
};

function unmetByFrame(
  { member, constraints }: FrameClaim,
  { issuer, validFrom, validUntil, credentialSchema: { id, version } }: DerivedCredential,
): string | undefined {
  const frame = { issuer, validFrom, validUntil, templateId: id, templateVersion: version };
  return unmetByValue(frameAttributes[member], frame[member], constraints);
}

const typesOf: Readonly<Record<ClaimType, readonly AttributeType[]>> = {
  string: ['text', 'image', 'date', 'dateTime'],
  number: ['integer', 'decimal'],
  integer: ['integer'],
  boolean: ['boolean'],
};

function unmetByValue(
  attribute: SignedAttribute,
  value: AttributeValue,
  constraints: ClaimConstraints,
): string | undefined {
  const { key } = attribute;
  const { values, constant, pattern, type } = constraints;
  if (type !== undefined && !typesOf[type].includes(attribute.type)) return `${key} is not of type ${type}`;
  if (constant !== undefined && !isSame(attribute, constant, value))
    return `${key} has another value than asked for`;
  if (values && !values.some((one) => isSame(attribute, one, value)))
    return `${key} has none of the values asked for`;
  if (pattern && !pattern.matches(String(value))) return `${key} does not fit the pattern`;
  if (!hasBounds(constraints)) return undefined;
  const asked = askedRange(attribute, constraints);
  const integer = attributeInteger(attribute, value);
  if (!asked || integer === undefined) return `${key} has no order that bounds could be about`;
  return integer >= asked.min && integer <= asked.max ? undefined : `${key} is not in the bounds asked for`;
}

function unmetByRange(
  attribute: SignedAttribute,
  range: RangeClaim,
  constraints: ClaimConstraints,
): string | undefined {
  const { key } = attribute;
  const { values, constant, pattern, type } = constraints;
  if (values || constant !== undefined || pattern || !hasBounds(constraints))
    return `${key} must be revealed`;
  if (type !== undefined && !typesOf[type].includes(attribute.type)) return `${key} is not of type ${type}`;
  const asked = askedRange(attribute, constraints);
  const proved = readRange(attribute, range);
  if (!asked || isComplaint(proved)) return `${key} has no order that bounds could be about`;
  return proved.min >= asked.min && proved.max <= asked.max
    ? undefined
    : `the range proved of ${key} is wider than the bounds asked for`;
}

function askedRange(
  attribute: SignedAttribute,
  { minimum, maximum }: ClaimConstraints,
): ReadRange | undefined {
  const range = readRange(attribute, { min: minimum, max: maximum });
  return isComplaint(range) ? undefined : range;
}

/** Compared in the attribute's own spelling, so that 5 and "5.0" are the same decimal. */
function isSame(attribute: SignedAttribute, asked: AttributeValue, value: AttributeValue): boolean {
  const read = readAttributeValue(attribute, asked);
  return !isComplaint(read) && read.value === value;
}
