/**
 * Ranges over attributes: bounds as people write them become inclusive integer bounds on what was signed. One side may
 * be open; it then reaches to the end of what the type can be. Ages become bounds on the date of birth.
 */

import {
  type CalendarDate,
  dateOfDayNumber,
  dateText,
  dayNumber,
  daysInMonth,
  lastDayNumber,
  lastSecond,
  parseDate,
  yearMin,
} from '../basics/calendar.ts';
import { given } from '../basics/plain-values.ts';
import type { AttributeType, AttributeValue, RangeClaim, SignedAttribute } from '../documents/model.ts';
import { bbsLimits, credentialLimits } from '../limits/documents.ts';
import { type Complaint, isComplaint } from './attribute-formats.ts';
import { attributeInteger, readAttributeValue } from './attribute-values.ts';

/** The last integer of each type that has an order; the first is always 0. */
const lastIntegers: Readonly<Partial<Record<AttributeType, bigint>>> = {
  integer: bbsLimits.boundMax,
  decimal: bbsLimits.boundMax,
  date: BigInt(lastDayNumber),
  dateTime: BigInt(lastSecond),
};

export interface ReadRange {
  /** The claim with its bounds in normal form. */
  readonly claim: RangeClaim;
  readonly min: bigint;
  readonly max: bigint;
}

export interface RangeBounds {
  readonly min?: unknown;
  readonly max?: unknown;
}

/** Bounds in normal form and as integers, or what is wrong, in words that follow the attribute's name. */
export function readRange(attribute: SignedAttribute, bounds: RangeBounds): ReadRange | Complaint {
  const last = lastIntegers[attribute.type];
  if (last === undefined) return { complaint: `is of type ${attribute.type}, which has no ranges` };
  const min = readBound(attribute, 'minimum', bounds.min);
  if (isComplaint(min)) return min;
  const max = readBound(attribute, 'maximum', bounds.max);
  if (isComplaint(max)) return max;
  if (min.value === undefined && max.value === undefined)
    return { complaint: 'needs a minimum or a maximum' };
  const range = { min: min.integer ?? 0n, max: max.integer ?? last };
  if (range.min > range.max) return { complaint: 'has a minimum that is greater than its maximum' };
  const claim: RangeClaim = {
    attribute: attribute.key,
    ...given({ min: min.value, max: max.value }),
  };
  return { claim, ...range };
}

/**
 * Whether a range leaves so few values that whoever sees it proved as good as knows the value: it reveals, and a holder
 * consents to it as to a value that is shown.
 */
export function isTellingRange(
  { type }: SignedAttribute,
  { min, max }: Pick<ReadRange, 'min' | 'max'>,
): boolean {
  const few = credentialLimits.tellingRangeValues;
  return Object.hasOwn(few, type) && max - min < few[type as keyof typeof few];
}

/**
 * Whether one of these ranges of an attribute, or any of them together, leave so few values that they tell it. Bounds that
 * no value of this type meets are passed over, and so are those that exclude each other: they are of different values.
 */
export function areTellingRanges(attribute: SignedAttribute, claims: readonly RangeBounds[]): boolean {
  const asked = claims.flatMap((claim) => {
    const range = readRange(attribute, claim);
    return isComplaint(range) ? [] : [range];
  });
  return asked.some(({ min }) =>
    asked.some(({ max }) => min <= max && isTellingRange(attribute, { min, max })),
  );
}

function readBound(
  attribute: SignedAttribute,
  side: string,
  bound: unknown,
): { readonly value?: AttributeValue; readonly integer?: bigint } | Complaint {
  if (bound === undefined || bound === null) return {};
  const read = readAttributeValue(attribute, bound);
  if (isComplaint(read)) return { complaint: `has a ${side} that ${read.complaint}` };
  return { value: read.value, integer: attributeInteger(attribute, read.value) };
}

/**
 * Bounds on the date of birth of somebody who on a day is at least `minAge` and at most `maxAge` years old. Who was
 * born on 29 February grows older on 1 March in common years.
 */
export function ageRange(
  minAge: number | undefined,
  maxAge: number | undefined,
  onDate: string,
): { readonly min?: string; readonly max?: string } | Complaint {
  const day = parseDate(onDate);
  if (!day) return { complaint: 'needs a day, such as 2001-12-31, on which the age is meant' };
  for (const age of [minAge, maxAge])
    if (age !== undefined && !(Number.isInteger(age) && age >= 0 && age <= credentialLimits.ageYearsMax))
      return { complaint: `must be in whole years from 0 to ${credentialLimits.ageYearsMax}` };
  if (minAge === undefined && maxAge === undefined) return { complaint: 'needs a minimum or a maximum' };
  if (minAge !== undefined && maxAge !== undefined && minAge > maxAge)
    return { complaint: 'has a minimum that is greater than its maximum' };
  const latest = minAge === undefined ? undefined : latestBirth(day, minAge);
  if (latest && latest.year < yearMin) return { complaint: 'reaches back before 1800' };
  const tooOld = maxAge === undefined ? undefined : latestBirth(day, maxAge + 1);
  const earliest =
    tooOld && tooOld.year >= yearMin ? dateOfDayNumber(dayNumber(tooOld) + 1) : tooOld && firstDate;
  return {
    ...(earliest ? { min: dateText(earliest) } : {}),
    ...(latest ? { max: dateText(latest) } : {}),
  };
}

const firstDate: CalendarDate = { year: yearMin, month: 1, day: 1 };

/** The latest day of birth of somebody who is `age` years old on a day. */
function latestBirth({ year, month, day }: CalendarDate, age: number): CalendarDate {
  const birthYear = year - age;
  return { year: birthYear, month, day: Math.min(day, daysInMonth(birthYear, month)) };
}

export interface AgeBounds {
  readonly minAge?: number;
  readonly maxAge?: number;
}

/**
 * The ages that bounds on a date of birth mean on a day: `ageRange` the other way round. Undefined if they mean none.
 */
export function agesOfRange({ min, max }: RangeBounds, onDate: string): AgeBounds | undefined {
  const minAge = ageOfBound(max, 'max', onDate);
  const maxAge = ageOfBound(min, 'min', onDate);
  const isEveryBoundAge =
    (min === undefined || maxAge !== undefined) && (max === undefined || minAge !== undefined);
  if (!isEveryBoundAge || (minAge === undefined && maxAge === undefined)) return undefined;
  return given({ minAge, maxAge });
}

/**
 * What bounds on a date of birth say of the age on a day, whatever days they are: whoever was born on a bound has that
 * many years. Undefined if they say nothing.
 */
export function agesWithin({ min, max }: RangeBounds, onDate: string): AgeBounds | undefined {
  const [minAge, maxAge] = [max, min].map((bound) => yearsSince(bound, onDate));
  return minAge === undefined && maxAge === undefined ? undefined : given({ minAge, maxAge });
}

function yearsSince(born: unknown, onDate: string): number | undefined {
  const [birth, day] = [typeof born === 'string' ? parseDate(born) : undefined, parseDate(onDate)];
  if (!birth || !day) return undefined;
  const years = day.year - birth.year;
  return [years, years - 1].find((age) => age >= 0 && dayNumber(birth) <= dayNumber(latestBirth(day, age)));
}

function ageOfBound(bound: unknown, side: 'min' | 'max', onDate: string): number | undefined {
  const [born, day] = [typeof bound === 'string' ? parseDate(bound) : undefined, parseDate(onDate)];
  if (!born || !day) return undefined;
  const years = day.year - born.year;
  return [years, years - 1].find((age) => {
    const range = side === 'max' ? ageRange(age, undefined, onDate) : ageRange(undefined, age, onDate);
    return !isComplaint(range) && range[side] === bound;
  });
}
