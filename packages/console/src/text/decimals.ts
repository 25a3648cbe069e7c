/** Decimals as people of a language type and read them. They stay texts: no float is ever made of them. Pure. */
import type { Language } from './language.ts';
import { numberMarks } from './numbers.ts';

/** Digits, their groups of three under one mark, and what stands behind the other mark. */
const grouped = /^(-?)([1-9]\d{0,2})((?:([.,])\d{3})(?:\4\d{3})*)(?:(?!\4)[.,](\d+))?$/;
const plain = /^(-?\d+)(?:([.,])(\d+))?$/;

/**
 * With a point, as values are kept; undefined for what is no number. People type the mark of another language, too, and
 * groups of three digits: what could be two numbers, such as `1.500` of somebody who writes `1,5`, is not guessed. What
 * a program wrote, or a reader of another language may open, is read as English.
 */
export function readTypedDecimal(typed: string, language: Language = 'en'): string | undefined {
  const text = typed.trim().replace(/^\u2212/, '-');
  const [, whole = '', mark, fraction] = plain.exec(text) ?? [];
  const groups = grouped.exec(text);
  const isPoint = mark === undefined || mark === numberMarks[language].point;
  if (whole !== '' && (isPoint || !groups)) return fraction === undefined ? whole : `${whole}.${fraction}`;
  if (whole !== '' || !groups) return undefined;
  const [, sign = '', first = '', rest = '', , behind] = groups;
  return `${sign}${first}${rest.replaceAll(/[.,]/g, '')}${behind === undefined ? '' : `.${behind}`}`;
}

/** A kept decimal without the zeros at its end. It is not grouped: nobody groups a grade. */
export const decimalText = (kept: string, language: Language): string =>
  kept
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace('.', numberMarks[language].point);
