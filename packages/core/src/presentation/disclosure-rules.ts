/**
 * The fourth check of a presentation: nothing is disclosed that was not asked for, and everything asked for is there.
 * A range is what was asked only with exactly the bounds that were asked: a narrower one discloses more.
 */
import { isComplaint } from '../attributes/attribute-formats.ts';
import { readRange } from '../attributes/attribute-ranges.ts';
import { attributeInteger } from '../attributes/attribute-values.ts';
import type { AttributeValue, DisclosureRequest, RangeClaim, SignedAttribute } from '../documents/model.ts';
import { ageInWords } from './age-claims.ts';

/** What one credential of a presentation discloses. Values are in normal form. */
export interface Disclosure {
  readonly attributes: readonly SignedAttribute[];
  readonly revealed: ReadonlyMap<string, AttributeValue>;
  readonly ranges: readonly RangeClaim[];
}

export interface DisclosureComplaint {
  /** In plain words. */
  readonly detail: string;
  /** Position of the credential that it is about, if it is about one. */
  readonly credential?: number;
}

type Requests = DisclosureRequest | readonly DisclosureRequest[];

/**
 * What is wrong. A single request is about one credential, which answers all of it alone: if two issuers each say a
 * part, no issuer says the whole. A list has one request for each credential, by position.
 */
export function disclosureComplaints(
  disclosures: readonly Disclosure[],
  request: Requests,
): readonly DisclosureComplaint[] {
  if (isList(request) && request.length !== disclosures.length)
    return [
      { detail: `${request.length} credentials were asked for and ${disclosures.length} are presented` },
    ];
  if (!isList(request) && disclosures.length > 1) return severalComplaints(disclosures, request);
  return disclosures.flatMap((disclosure, credential) => {
    const one = isList(request) ? request[credential] : request;
    return [...surplus(disclosure, one), ...missing([disclosure], one)].map((detail) => ({
      detail,
      credential,
    }));
  });
}

/** Whether each credential answers a request by itself. */
export const answersOf = (disclosures: readonly Disclosure[], request: Requests): readonly boolean[] =>
  disclosures.map((disclosure, position) => {
    const one = isList(request) ? request[position] : request;
    return one !== undefined && surplus(disclosure, one).length + missing([disclosure], one).length === 0;
  });

/** Of one request and several credentials: exactly one of them answers, and the others show nothing. */
function severalComplaints(
  disclosures: readonly Disclosure[],
  request: DisclosureRequest,
): readonly DisclosureComplaint[] {
  const single = (rest: string): string =>
    `a single request is about one credential, and ${rest}; ask with an array, one request for each credential`;
  const answers = answersOf(disclosures, request);
  const count = answers.filter(Boolean).length;
  const beyond = disclosures.flatMap((disclosure, credential) =>
    surplus(disclosure, request).map((detail) => ({ detail, credential })),
  );
  if (count > 1) return [...beyond, { detail: single(`${count} answer it`) }];
  if (count === 0)
    return [
      ...beyond,
      ...missing(disclosures, request).map((detail) => ({ detail })),
      { detail: single(`none of the ${disclosures.length} answers all of it alone`) },
    ];
  const others = disclosures.flatMap((disclosure, credential) =>
    answers[credential] || isBare(disclosure)
      ? []
      : [{ detail: single('another one answers it: this one may show nothing'), credential }],
  );
  return [...beyond, ...others];
}

const isBare = ({ revealed, ranges }: Disclosure): boolean => revealed.size === 0 && ranges.length === 0;

const isList = (request: Requests): request is readonly DisclosureRequest[] => Array.isArray(request);

const keysAsked = ({ revealAttributes }: DisclosureRequest): ReadonlySet<string> =>
  new Set(revealAttributes.filter((key) => key !== 'id'));

/** What one credential shows beyond what was asked for. */
function surplus(disclosure: Disclosure, request: DisclosureRequest): readonly string[] {
  const asked = keysAsked(request);
  return [
    ...[...disclosure.revealed.keys()]
      .filter((key) => !asked.has(key))
      .map((key) => `${key} was not asked for`),
    ...disclosure.ranges
      .filter((claim) => !request.ranges.some((one) => isSameRange(disclosure, one, claim)))
      .map(({ attribute }) => `a range of ${attribute} with these bounds was not asked for`),
  ];
}

/** A request has one range of an attribute; an age is told as what was asked for. */
function rangeAsked(attribute: string, { ages = [] }: DisclosureRequest): string {
  const age = ages.find((one) => one.attribute === attribute);
  return age ? `${ageInWords(age)} (by ${attribute})` : `a range of ${attribute}`;
}

/** What was asked for and no credential shows. */
function missing(disclosures: readonly Disclosure[], request: DisclosureRequest): readonly string[] {
  return [
    ...[...keysAsked(request)]
      .filter((key) => !disclosures.some(({ revealed }) => revealed.has(key)))
      .map((key) => `${key} is not revealed`),
    ...request.ranges
      .filter((asked) => !disclosures.some((disclosure) => answersRange(disclosure, asked)))
      .map(({ attribute }) => `${rangeAsked(attribute, request)} was asked for and is not proved`),
  ];
}

/** The asked range as this credential would spell it. */
function askedRange({ attributes }: Disclosure, asked: RangeClaim) {
  const attribute = attributes.find((one) => one.key === asked.attribute);
  const range = attribute && readRange(attribute, asked);
  return attribute && range && !isComplaint(range) ? { attribute, range } : undefined;
}

function isSameRange(disclosure: Disclosure, asked: RangeClaim, claim: RangeClaim): boolean {
  const found = askedRange(disclosure, asked);
  return (
    found !== undefined &&
    found.range.claim.attribute === claim.attribute &&
    found.range.claim.min === claim.min &&
    found.range.claim.max === claim.max
  );
}

/** A range is answered by its proof, or by the value itself where that was asked for too. */
function answersRange(disclosure: Disclosure, asked: RangeClaim): boolean {
  if (disclosure.ranges.some((claim) => isSameRange(disclosure, asked, claim))) return true;
  const found = askedRange(disclosure, asked);
  const value = found && disclosure.revealed.get(found.attribute.key);
  if (!found || value === undefined) return false;
  const integer = attributeInteger(found.attribute, value);
  return integer !== undefined && integer >= found.range.min && integer <= found.range.max;
}
