/**
 * What is asked, shown and paid, in people's words: "18 or older, without the birth date" instead of bounds and names of
 * proofs. Every text of somebody else goes through the caller's `print`, because people and agents are shown such texts
 * differently.
 */
import { agesOfRange, agesWithin } from '@symbolon/core/attributes/attribute-ranges';
import { ageInWords, isBirthKey } from '@symbolon/core/presentation/age-claims';
import type { ClaimConstraints, ClaimQuery } from '@symbolon/core/presentation/dcql';
import type { PlannedDisclosure } from '@symbolon/sdk/orders/disclosure-plan';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import { nativeAsset } from './spending.ts';

/** How a text by somebody else is shown. */
export type PrintText = (text: string) => string;

interface Bounds {
  readonly min?: unknown;
  readonly max?: unknown;
}

const isDate = (bound: unknown): boolean => typeof bound === 'string' && /^\d{4}-\d\d-\d\d/.test(bound);

/** As dates of birth are written. */
export const dateTextAt = (ms: number): string => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** What bounds say of an attribute; of a date of birth, the age on that day. */
export function boundsInWords(
  key: string,
  { min, max }: Bounds,
  { today, print }: { readonly today: string; readonly print: PrintText },
): string {
  const isOfDates = [min, max].some(isDate);
  const [low, high] = [min, max].map((bound) => print(String(bound)));
  const [atLeast, atMost] = isOfDates
    ? [`${low} or later`, `${high} or earlier`]
    : [`${low} or more`, `${high} or less`];
  const plain = min === undefined ? atMost : max === undefined ? atLeast : `${low} to ${high}`;
  if (!isOfDates || !isBirthKey(key)) return `${print(key)}: ${plain}`;
  const whole = agesOfRange({ min, max }, today);
  if (whole) return ageInWords(whole);
  const ages = agesWithin({ min, max }, today);
  return `${print(key)}: ${plain}${ages ? `, so ${ageInWords(ages)}` : ''}`;
}

/** What is not told although it is spoken of. */
function untold(key: string, { min, max }: Bounds): string {
  if (isBirthKey(key)) return 'without the birth date';
  return [min, max].some(isDate) ? 'without the date' : 'without the number';
}

interface DisclosureWording {
  readonly today: string;
  readonly print: PrintText;
  /** The value of an attribute as it is shown; without it, values are not told. */
  readonly shownValueOf?: (key: string) => string;
}

/** What one credential shows, a phrase for each attribute. */
export const disclosureInWords = (
  { reveal, ranges, telling }: Pick<PlannedDisclosure, 'reveal' | 'ranges' | 'telling'>,
  { today, print, shownValueOf }: DisclosureWording,
): readonly string[] => [
  ...reveal.map((key) => (shownValueOf ? `${print(key)}: ${shownValueOf(key)}` : print(key))),
  ...ranges.map((range) => {
    const { attribute } = range;
    const rest = telling.includes(attribute) ? 'which tells the value' : untold(attribute, range);
    return `${boundsInWords(attribute, range, { today, print })}, ${rest}`;
  }),
];

/** What a verifier asks for, a phrase for each attribute. */
export const claimsInWords = (
  claims: readonly ClaimQuery[],
  wording: { readonly today: string; readonly print: PrintText },
): readonly string[] =>
  claims.map(({ key, isRequired, constraints }) => {
    const words = `${claimInWords(key, constraints, wording)}`;
    return isRequired ? words : `${words} (if you have it)`;
  });

function claimInWords(
  key: string,
  constraints: ClaimConstraints,
  wording: { readonly today: string; readonly print: PrintText },
): string {
  const { minimum: min, maximum: max, values, constant } = constraints;
  const { print } = wording;
  if (key === 'id') return 'your DID';
  if (min !== undefined || max !== undefined) return boundsInWords(key, { min, max }, wording);
  if (constant !== undefined) return `${print(key)}, which must be ${print(String(constant))}`;
  if (values)
    return `${print(key)}, which must be one of ${values.map((one) => print(String(one))).join(', ')}`;
  return print(key);
}

export interface AskedPrice {
  readonly amount: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly asset: string;
}

/** Such as `1.5 Gas`. A token is named with its address: what it calls itself is its own word. */
export function priceInWords({ amount, symbol, decimals, asset }: AskedPrice, print: PrintText): string {
  if (!/^[0-9]{1,19}$/.test(amount)) return 'a price that cannot be read';
  const units = BigInt(amount);
  if (units === 0n) return 'free';
  if (asset === nativeAsset) return coinText(units);
  return `${tokenText(units, decimals)} ${print(symbol)} (the token ${print(asset)})`;
}

/** No token has more: with more, nothing is made of what it says. */
const tokenDecimalsMax = 30;

function tokenText(units: bigint, decimals: number): string {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > tokenDecimalsMax)
    return `${units} of the smallest unit of`;
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Names of several things in a sentence. */
export const listed = (phrases: readonly string[], nothing: string): string =>
  phrases.length === 0 ? nothing : phrases.join('; ');
