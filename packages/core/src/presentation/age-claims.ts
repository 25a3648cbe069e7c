/**
 * Ages in what is asked for or shown: each becomes a range over a date of birth, as of a day. Holder and verifier use
 * the same rules, so that a range that the one derives is the range that the other expects.
 */
import { isComplaint } from '../attributes/attribute-formats.ts';
import { type AgeBounds, ageRange } from '../attributes/attribute-ranges.ts';
import { instantTextOfUnixMs, unixMsOf } from '../basics/calendar.ts';
import type { DisclosureRequest, RangeClaim } from '../documents/model.ts';
import { Fault } from '../faults/faults.ts';

/** Years of age on the day of the request; becomes a range over a date. At least one bound is given. */
export interface AgeClaim extends AgeBounds {
  readonly attribute: string;
}

export interface DisclosureOrder extends DisclosureRequest {
  readonly ages: readonly AgeClaim[];
}

/** `YYYY-MM-DD` in UTC of milliseconds since 1970. */
const dateAt = (ms: number): string => instantTextOfUnixMs(ms).slice(0, 'YYYY-MM-DD'.length);

/** What a holder shows now. Throws the fault `rangeInvalid`. */
export const disclosedNow = (order: DisclosureOrder, now: number): DisclosureRequest =>
  withAgesOn(order, () => dateAt(now));

/**
 * What a verifier expects of a presentation made at `created`. Who was old enough on an earlier day still is, so a
 * minimum counts as of the day of the presentation; a maximum counts as of today. Throws the fault `rangeInvalid`.
 */
export function expectedOf(
  asked: DisclosureOrder | readonly DisclosureOrder[],
  { created, now }: { readonly created: string; readonly now: number },
): DisclosureRequest | readonly DisclosureRequest[] {
  const made = unixMsOf(created);
  const today = dateAt(now);
  const madeOn = made === undefined || made > now ? today : dateAt(made);
  const expected = (order: DisclosureOrder): DisclosureRequest =>
    withAgesOn(order, ({ maxAge }) => (maxAge === undefined ? madeOn : today));
  return 'ages' in asked ? expected(asked) : asked.map(expected);
}

/** Attributes by which ages are asked for: only their bounds are told as ages whatever the attribute is called. */
export const agesAskedOf = (
  asked: DisclosureOrder | readonly DisclosureOrder[] | undefined,
): readonly string[] =>
  [asked ?? []].flat().flatMap(({ ages }: DisclosureOrder) => ages.map(({ attribute }) => attribute));

function withAgesOn(
  { revealAttributes, ranges, ages, places }: DisclosureOrder,
  dayFor: (age: AgeClaim) => string,
): DisclosureRequest {
  return {
    revealAttributes,
    ranges: [...ranges, ...ages.map((age) => rangeOfAge(age, dayFor(age)))],
    ...(places && { places }),
  };
}

function rangeOfAge({ attribute, minAge, maxAge }: AgeClaim, onDate: string): RangeClaim {
  const range = ageRange(minAge, maxAge, onDate);
  if (isComplaint(range)) {
    const detail = `The age by ${attribute} ${range.complaint}`;
    throw new Fault('rangeInvalid', { detail, errors: [{ pointer: '/age', detail }] });
  }
  return { attribute, ...range };
}
