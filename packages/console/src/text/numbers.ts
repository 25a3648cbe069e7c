/**
 * Amounts and counts as people of a language write them. An amount of the ledger is a whole number of smallest units and
 * never becomes a floating-point number: it goes from BigInt to text.
 */
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import type { Language } from './language.ts';

const marks: Readonly<Record<Language, { readonly group: string; readonly point: string }>> = {
  en: { group: ',', point: '.' },
  de: { group: '.', point: ',' },
};

/** English text of a number with the marks of another language. */
const withMarks = (text: string, language: Language): string => {
  const { group, point } = marks[language];
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

export const countText = (count: bigint | number, language: Language): string =>
  withMarks(String(count).replaceAll(/\B(?=(\d{3})+$)/g, ','), language);

/** A decimal with all the digits that it came with. It is not grouped: nobody groups a grade. */
export const decimalText = (text: string, language: Language): string =>
  text.replace('.', marks[language].point);

/** `1.70` is `1.7`, and `2.00` is `2`. */
export const withoutEndZeros = (text: string): string => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

/** An amount of smallest units of a token that has its own number of places behind the point. */
export function unitsText(units: bigint, decimals: number, language: Language): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = countText(BigInt(digits.slice(0, digits.length - decimals)), language);
  return fraction === '' ? whole : `${whole}${marks[language].point}${fraction}`;
}
