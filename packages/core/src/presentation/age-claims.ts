/**
 * Ages in what is asked for, shown and proved: each is a range over a date of birth, as of a day. Holder and verifier
 * use the same rules, so that a range that the one derives is the range that the other expects, and reads as an age.
 *
 * Who was old enough on an earlier day still is, so a minimum counts as of the day that the holder names, unless it is
 * yet to come; a maximum counts as of today.
 */
import { isComplaint } from '../attributes/attribute-formats.ts';
import { type AgeBounds, ageRange, agesOfRange, agesWithin } from '../attributes/attribute-ranges.ts';
import { instantTextOfUnixMs, unixMsOf } from '../basics/calendar.ts';
import type { AgeClaim, DerivedCredential, DisclosureRequest, RangeClaim } from '../documents/model.ts';
import { Fault } from '../faults/faults.ts';

export interface DisclosureOrder extends DisclosureRequest {
  readonly ages: readonly AgeClaim[];
}

/** `YYYY-MM-DD` in UTC of milliseconds since 1970. */
const dateAt = (ms: number): string => instantTextOfUnixMs(ms).slice(0, 'YYYY-MM-DD'.length);

/** What a holder shows now. Throws the fault `rangeInvalid`. */
export const disclosedNow = (order: DisclosureOrder, now: number): DisclosureRequest =>
  withAgesOn(order, () => dateAt(now));

interface Moments {
  /** When the presentation was made, as it says. */
  readonly created: string;
  readonly now: number;
}

function daysOf({ created, now }: Moments): { readonly madeOn: string; readonly today: string } {
  const made = unixMsOf(created);
  const today = dateAt(now);
  return { madeOn: made === undefined || made > now ? today : dateAt(made), today };
}

/** What a verifier expects of a presentation. Throws the fault `rangeInvalid`. */
export function expectedOf(
  asked: DisclosureOrder | readonly DisclosureOrder[],
  moments: Moments,
): DisclosureRequest | readonly DisclosureRequest[] {
  const { madeOn, today } = daysOf(moments);
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
    ...(ages.length > 0 && { ages }),
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

/** Such as `18 or older`. */
export function ageInWords({ minAge, maxAge }: AgeBounds): string {
  if (maxAge === undefined) return `${minAge} or older`;
  return minAge === undefined ? `${maxAge} or younger` : `${minAge} to ${maxAge} years old`;
}

/**
 * Names of attributes that are the holder's own date of birth, in small letters without `_`. A closed list of whole
 * names: the birth date of a child, or the day of a birth certificate, says nothing about the holder's age.
 */
const birthKeys: readonly string[] = ['birthdate', 'dateofbirth', 'dob', 'birthday', 'born', 'bornon'];

/** The bounds of any other date are no age unless the verifier asked for one by it. */
export const isBirthKey = (key: string): boolean => birthKeys.includes(key.replaceAll('_', '').toLowerCase());

export interface ProvedAge extends AgeBounds {
  /** The range is the one of these ages; otherwise its bounds are other days, and this is what they say of the age. */
  readonly isWhole: boolean;
}

/** By attribute: the ages that the proved ranges mean. `asked`: attributes by which the verifier asked for an age. */
export function agesProved(
  { credentialSchema, proof: { ranges = [] } }: DerivedCredential,
  { asked = [], ...moments }: Moments & { readonly asked: readonly string[] | undefined },
): ReadonlyMap<string, ProvedAge> {
  const { madeOn, today } = daysOf(moments);
  const isAge = (attribute: string): boolean =>
    (asked.includes(attribute) || isBirthKey(attribute)) &&
    credentialSchema.attributes.some(({ key, type }) => key === attribute && type === 'date');
  return new Map(
    ranges.flatMap((range) => {
      const { attribute, min } = range;
      if (!isAge(attribute)) return [];
      const whole = agesOfRange(range, min === undefined ? madeOn : today);
      const ages = whole ?? agesWithin(range, today);
      return ages ? [[attribute, { ...ages, isWhole: whole !== undefined }] as const] : [];
    }),
  );
}
