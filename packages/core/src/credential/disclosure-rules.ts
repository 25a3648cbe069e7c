/**
 * The fourth check of a presentation: nothing is disclosed that was not asked for, and everything asked for is there.
 * A range is what was asked only with exactly the bounds that were asked: a narrower one discloses more.
 */
import { isComplaint } from './attribute-formats.ts';
import { readRange } from './attribute-ranges.ts';
import { attributeInteger } from './attribute-values.ts';
import type { AttributeValue, DisclosureRequest, RangeClaim, SignedAttribute } from './model.ts';

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

/**
 * What is wrong. A single request is for all credentials together: each may show what was asked, and some credential
 * must. A list has one request for each credential, by position.
 */
export function disclosureComplaints(
  disclosures: readonly Disclosure[],
  request: DisclosureRequest | readonly DisclosureRequest[],
): readonly DisclosureComplaint[] {
  if (!isList(request))
    return [
      ...disclosures.flatMap((disclosure, credential) =>
        surplus(disclosure, request).map((detail) => ({ detail, credential })),
      ),
      ...missing(disclosures, request).map((detail) => ({ detail })),
    ];
  if (request.length !== disclosures.length)
    return [
      { detail: `${request.length} credentials were asked for and ${disclosures.length} are presented` },
    ];
  return request.flatMap((one, credential) =>
    [...surplus(disclosures[credential], one), ...missing([disclosures[credential]], one)].map((detail) => ({
      detail,
      credential,
    })),
  );
}

const isList = (
  request: DisclosureRequest | readonly DisclosureRequest[],
): request is readonly DisclosureRequest[] => Array.isArray(request);

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

/** What was asked for and no credential shows. */
function missing(disclosures: readonly Disclosure[], request: DisclosureRequest): readonly string[] {
  return [
    ...[...keysAsked(request)]
      .filter((key) => !disclosures.some(({ revealed }) => revealed.has(key)))
      .map((key) => `${key} is not revealed`),
    ...request.ranges
      .filter((asked) => !disclosures.some((disclosure) => answersRange(disclosure, asked)))
      .map(({ attribute }) => `a range of ${attribute} was asked for and is not proved`),
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
