/** Amounts as people type them, and back: whole numbers of smallest units, never a floating-point number. Pure. */
import { decimalText, readTypedDecimal } from './decimals.ts';
import type { Language } from './language.ts';
import { numberMarks } from './numbers.ts';

const digitsMax = 30;

/** `2.5` with six decimals is 2500000; undefined for what is no amount, or has more places than there are. */
export function unitsOf(typed: string, decimals: number, language: Language): bigint | undefined {
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(readTypedDecimal(typed, numberMarks[language].point) ?? '');
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals || whole.length + decimals > digitsMax) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** 2500000 with six decimals is `2.5`, with the comma of the reader. */
export function typedUnits(units: bigint, decimals: number, language: Language): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return decimalText(`${digits.slice(0, at)}.${digits.slice(at)}`, language);
}
