/**
 * How people say what is shown of a credential: names to reveal, `NAME:MIN..MAX` for a range with one side open if
 * they like, and the same for an age by a date of birth. Whether a credential has such attributes is found out later.
 */
import { credentialLimits } from '@symbolon/core/limits/documents';
import { type Command, InvalidArgumentError } from 'commander';

export interface RangeWord {
  readonly attribute: string;
  readonly min?: string;
  readonly max?: string;
}
export interface AgeWord {
  readonly attribute: string;
  readonly minAge?: number;
  readonly maxAge?: number;
}

export interface DisclosureWords {
  readonly reveal?: readonly string[];
  readonly range?: readonly RangeWord[];
  readonly age?: readonly AgeWord[];
}

/** The options; `verb` says what becomes of the attributes, as in `--reveal` or `--ask`. */
export const addDisclosureOptions = (
  command: Command,
  verb: { readonly reveal: string; readonly what: string },
): Command =>
  command
    .option(
      `--${verb.reveal} <names>`,
      `${verb.what}: names with commas between them; repeatable`,
      namesOption,
    )
    .option('--range <name:min..max>', 'a number or date in a range, without its value; repeatable', ranges)
    .option('--age <name:years..years>', 'an age by a date of birth, without the date; repeatable', ages);

/** As `vp/create` and `vp/verify` take it; undefined where nothing was said. */
export function disclosureOf({ reveal, range, age }: DisclosureWords) {
  if (reveal === undefined && range === undefined && age === undefined) return undefined;
  return {
    revealAttributes: [...(reveal ?? [])],
    ...(range && { rangeProof: [...range] }),
    ...(age && { age: [...age] }),
  };
}

const namePattern = /^[A-Za-z][A-Za-z0-9_]*$/;
const isName = (text: string): boolean =>
  namePattern.test(text) && text.length <= credentialLimits.attributeKeyCharsMax;

export function namesOption(text: string, before: readonly string[] = []): readonly string[] {
  const given = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (given.length === 0 || !given.every(isName))
    throw new InvalidArgumentError(
      'It must be names of attributes with commas between them, as name,degree.',
    );
  return [...new Set([...before, ...given])];
}

interface Sides {
  readonly attribute: string;
  readonly low: string;
  readonly high: string;
}

/** The sides of `NAME:LOW..HIGH`; undefined for anything else. */
function sidesOf(text: string): Sides | undefined {
  const colon = text.indexOf(':');
  const [low, high, ...others] = text.slice(colon + 1).split('..');
  const attribute = text.slice(0, Math.max(colon, 0));
  if (!isName(attribute) || low === undefined || high === undefined || others.length > 0) return undefined;
  return low.trim() === '' && high.trim() === ''
    ? undefined
    : { attribute, low: low.trim(), high: high.trim() };
}

export function ranges(text: string, before: readonly RangeWord[] = []): readonly RangeWord[] {
  const sides = sidesOf(text);
  if (!sides)
    throw new InvalidArgumentError('It must be like points:100..500, points:100.. or born:..2007-12-31.');
  const { attribute, low, high } = sides;
  return [...before, { attribute, ...(low !== '' && { min: low }), ...(high !== '' && { max: high }) }];
}

const yearsPattern = /^([0-9]{1,3})?$/;

export function ages(text: string, before: readonly AgeWord[] = []): readonly AgeWord[] {
  const sides = sidesOf(text);
  const isGood =
    sides &&
    [sides.low, sides.high].every(
      (years) => yearsPattern.test(years) && Number(years) <= credentialLimits.ageYearsMax,
    );
  if (!isGood) throw new InvalidArgumentError('It must be like birthDate:18.. or birthDate:18..65.');
  const { attribute, low, high } = sides;
  return [
    ...before,
    {
      attribute,
      ...(low !== '' && { minAge: Number(low) }),
      ...(high !== '' && { maxAge: Number(high) }),
    },
  ];
}
