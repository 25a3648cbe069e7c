/**
 * Strict reading of documents from outside: each shape takes an unknown value and gives back a fresh value of exactly
 * the members it knows, or notes what is wrong and where. Members that are not known are complaints, because what a
 * signature covers must be exactly what is read. What a document means is not decided here.
 */

import { isWellFormed } from '../basics/jcs.ts';
import { unknownName } from '../basics/known-names.ts';
import { Fault, type FaultDetail } from '../faults/faults.ts';
import { credentialLimits } from '../limits/documents.ts';

/** Where a value stands, and where complaints about it go. */
export interface Place {
  readonly pointer: string;
  readonly complaints: FaultDetail[];
}

/** Undefined means that a complaint was noted. */
export type Shape<Value> = (value: unknown, place: Place) => Value | undefined;
type ValueOf<Known> = Known extends Shape<infer Value> ? Value : never;
type Shapes = Readonly<Record<string, Shape<unknown>>>;
type ObjectOf<Required extends Shapes, Optional extends Shapes> = {
  readonly [Name in keyof Required]: ValueOf<Required[Name]>;
} & { readonly [Name in keyof Optional]?: ValueOf<Optional[Name]> };

export function complain({ pointer, complaints }: Place, detail: string): undefined {
  if (complaints.length < credentialLimits.complaintsMax) complaints.push({ pointer, detail });
}

/** The place of a member or element, by JSON pointer (RFC 6901). */
export const placeIn = ({ pointer, complaints }: Place, name: string | number): Place => ({
  pointer: `${pointer}/${String(name).slice(0, credentialLimits.nameCharsMax).replaceAll('~', '~0').replaceAll('/', '~1')}`,
  complaints,
});

/** Reads a document that stands at a place of something larger: pointers of complaints begin there. */
export function readAt<Value>(place: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const errors = error.errors.map(({ pointer, detail }) => ({ pointer: place + pointer, detail }));
    throw new Fault(error.code, { detail: error.message, errors, cause: error.cause });
  }
}

/** The members of a plain object, own ones only, or undefined for everything else: arrays, null, texts. */
export function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

export interface TextRule {
  readonly charsMax: number;
  readonly pattern?: RegExp;
  /** What it must be, in words that follow "must be". */
  readonly wanted: string;
  readonly isValid?: (text: string) => boolean;
}

export const textShape =
  ({ charsMax, pattern, wanted, isValid }: TextRule): Shape<string> =>
  (value, place) => {
    const isGood =
      typeof value === 'string' &&
      value.length > 0 &&
      value.length <= charsMax &&
      isWellFormed(value) &&
      (pattern?.test(value) ?? true) &&
      (isValid?.(value) ?? true);
    return isGood ? value : complain(place, `must be ${wanted}`);
  };

export const literal =
  <Text extends string>(...wanted: readonly Text[]): Shape<Text> =>
  (value, place) => {
    const found = wanted.find((one) => one === value);
    return found ?? complain(place, `must be ${wanted.map((one) => `"${one}"`).join(' or ')}`);
  };

/** Exactly these texts in this order. */
export const literals =
  (wanted: readonly string[]): Shape<readonly string[]> =>
  (value, place) =>
    Array.isArray(value) &&
    value.length === wanted.length &&
    wanted.every((one, index) => value[index] === one)
      ? wanted
      : complain(place, `must be ${JSON.stringify(wanted)}`);

export const arrayOf =
  <Item>(
    item: Shape<Item>,
    { min, max }: { readonly min: number; readonly max: number },
  ): Shape<readonly Item[]> =>
  (value, place) => {
    if (!Array.isArray(value) || value.length < min || value.length > max)
      return complain(place, `must be an array of ${min} to ${max}`);
    const items = Array.from(value, (one, index) => item(one, placeIn(place, index)));
    return items.some((one) => one === undefined) ? undefined : (items as Item[]);
  };

export function exactObject<Required extends Shapes, Optional extends Shapes = Record<never, never>>(
  required: Required,
  optional?: Optional,
): Shape<ObjectOf<Required, Optional>> {
  const shapes: readonly [string, Shape<unknown>][] = Object.entries({ ...required, ...optional });
  const known = new Set(shapes.map(([name]) => name));
  return (value, place) => {
    const members = membersOf(value);
    if (!members) return complain(place, 'must be an object');
    const before = place.complaints.length;
    for (const name of members.keys()) {
      // Finding the name that was meant takes a while; complaints that nobody will read are not worth it.
      if (place.complaints.length >= credentialLimits.complaintsMax) break;
      if (!known.has(name)) complain(placeIn(place, name), unknownName(name, [...known]));
    }
    const read: [string, unknown][] = [];
    for (const [name, shape] of shapes) {
      if (members.has(name)) read.push([name, shape(members.get(name), placeIn(place, name))]);
      else if (Object.hasOwn(required, name)) complain(placeIn(place, name), 'is missing');
    }
    const isGood = place.complaints.length === before;
    return isGood ? (Object.fromEntries(read) as ObjectOf<Required, Optional>) : undefined;
  };
}
