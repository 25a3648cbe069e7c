/**
 * Amounts and counts as people of a language write them. An amount of the ledger is a whole number of smallest units and
 * never becomes a floating-point number: it goes from BigInt to text.
 */
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import type { Language } from './language.ts';

export type NumberMark = '.' | ',';

/** What stands between groups of three digits, and before what is less than one. */
export const numberMarks: Readonly<
  Record<Language, { readonly group: NumberMark; readonly point: NumberMark }>
> = {
  en: { group: ',', point: '.' },
  de: { group: '.', point: ',' },
};

/** English text of a number with the marks of another language. */
const withMarks = (text: string, language: Language): string => {
  const { group, point } = numberMarks[language];
  return text.replaceAll(/[.,]/g, (mark) => (mark === ',' ? group : point));
};

export interface AmountText {
  /** Without its unit and without zeros at its end. */
  readonly figure: string;
  readonly unit: string;
  /** In the smallest unit, for whoever wants to know exactly. */
  readonly exact: string;
}

export function amountText(amount: bigint, language: Language): AmountText {
  const [figure = '', unit = ''] = coinText(amount).split(' ');
  return { figure: withMarks(figure, language), unit, exact: countText(amount, language) };
}

/** An amount of coins with its unit. */
export function coinsText(amount: bigint, language: Language): string {
  const { figure, unit } = amountText(amount, language);
  return `${figure} ${unit}`;
}

export const countText = (count: bigint | number, language: Language): string =>
  withMarks(String(count).replaceAll(/\B(?=(\d{3})+$)/g, ','), language);

/** An amount of smallest units of a token that has its own number of places behind the point. */
export function unitsText(units: bigint, decimals: number, language: Language): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = countText(BigInt(digits.slice(0, digits.length - decimals)), language);
  return fraction === '' ? whole : `${whole}${numberMarks[language].point}${fraction}`;
}
