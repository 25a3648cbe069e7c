/** An amount of coins as somebody types it, in the large unit, and as a draft has it, in the smallest. Exact: no floats. */
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { int64Max } from '@symbolon/core/limits/consensus';
import type { Language } from '../../../text/language.ts';

const { decimals } = zetrixProfile.nativeAsset;

/** Undefined for what is no amount, has more digits than there are, or is more than the ledger can hold. */
export function unitsOfCoins(text: string, language: Language): bigint | undefined {
  const plain = language === 'de' ? text.replace(',', '.') : text;
  const [, whole = '', fraction = ''] = /^\s*(\d+)(?:\.(\d+))?\s*$/.exec(plain) ?? [];
  if (whole === '' || fraction.length > decimals) return undefined;
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return units <= int64Max ? units : undefined;
}

/** As one would type it; a text that is no number of units stays as it is, for the reader to see. */
export function coinsOfUnits(units: string, language: Language): string {
  if (!/^\d+$/.test(units)) return units;
  const digits = units.padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const whole = digits.slice(0, -decimals).replace(/^0+(?=\d)/, '');
  return fraction === '' ? whole : `${whole}${language === 'de' ? ',' : '.'}${fraction}`;
}
