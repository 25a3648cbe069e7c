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

/**
 * What is wrong, in plain words. A single request is for all credentials together: each may show what was asked, and
 * some credential must. A list has one request for each credential, by position.
 */
export function disclosureComplaints(
  disclosures: readonly Disclosure[],
  request: DisclosureRequest | readonly DisclosureRequest[],
): readonly string[] {
  if (!isList(request)) return complaintsAgainst(disclosures, request);
  if (request.length !== disclosures.length)
    return [`${request.length} credentials were asked for and ${disclosures.length} are presented`];
  return request.flatMap((one, position) => complaintsAgainst([disclosures[position]], one));
}

const isList = (
  request: DisclosureRequest | readonly DisclosureRequest[],
): request is readonly DisclosureRequest[] => Array.isArray(request);

function complaintsAgainst(
  disclosures: readonly Disclosure[],
  request: DisclosureRequest,
): readonly string[] {
  const askedKeys = new Set(request.revealAttributes.filter((key) => key !== 'id'));
  const complaints: string[] = [];
  for (const disclosure of disclosures) {
    for (const key of disclosure.revealed.keys())
      if (!askedKeys.has(key)) complaints.push(`${key} was not asked for`);
    for (const claim of disclosure.ranges)
      if (!request.ranges.some((asked) => isSameRange(disclosure, asked, claim)))
        complaints.push(`a range of ${claim.attribute} with these bounds was not asked for`);
  }
  for (const key of askedKeys)
    if (!disclosures.some(({ revealed }) => revealed.has(key))) complaints.push(`${key} is not revealed`);
  for (const asked of request.ranges)
    if (!disclosures.some((disclosure) => answersRange(disclosure, asked)))
      complaints.push(`a range of ${asked.attribute} was asked for and is not proved`);
  return complaints;
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
