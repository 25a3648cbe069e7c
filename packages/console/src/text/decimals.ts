/** Decimals as people of a language type and read them. They stay texts: no float is ever made of them. Pure. */
import type { Language } from './language.ts';
import { type NumberMark, numberMarks } from './numbers.ts';

/** Digits, their groups of three under one mark, and what stands behind the other mark. */
const grouped = /^(-?)([1-9]\d{0,2})((?:([.,])\d{3})(?:\4\d{3})*)(?:(?!\4)[.,](\d+))?$/;
const plain = /^(-?\d+)(?:([.,])(\d+))?$/;
const either = /^-?[1-9]\d{0,2}([.,])\d{3}$/;

const tidied = (typed: string): string => typed.trim().replace(/^\u2212/, '-');
const otherMark = (mark: NumberMark): NumberMark => (mark === '.' ? ',' : '.');

/**
 * The mark of what could be two numbers, such as `1,300` of somebody who writes `1.3`; undefined for what cannot.
 * `point` undefined: nobody knows how whoever typed it writes.
 */
export function ambiguousMark(typed: string, point: NumberMark | undefined): NumberMark | undefined {
  const mark = either.exec(tidied(typed))?.[1];
  return mark === point ? undefined : (mark as NumberMark | undefined);
}

/**
 * With a point, as values are kept; undefined for what is no number. People type the mark of another language, too, and
 * groups of three digits: what could be two numbers is not guessed.
 */
export function readTypedDecimal(typed: string, point: NumberMark | undefined): string | undefined {
  if (ambiguousMark(typed, point)) return undefined;
  const text = tidied(typed);
  const [, whole, , fraction] = plain.exec(text) ?? [];
  if (whole !== undefined) return fraction === undefined ? whole : `${whole}.${fraction}`;
  const [, sign = '', first, rest = '', , behind] = grouped.exec(text) ?? [];
  if (first === undefined) return undefined;
  return `${sign}${first}${rest.replaceAll(/[.,]/g, '')}${behind === undefined ? '' : `.${behind}`}`;
}

/** The point that a number was written with, where nothing else can be meant. */
function pointOf(typed: string): NumberMark | undefined {
  const text = tidied(typed);
  if (either.test(text)) return undefined;
  const mark = plain.exec(text)?.[2];
  if (mark !== undefined) return mark as NumberMark;
  const group = grouped.exec(text)?.[4];
  return group === undefined ? undefined : otherMark(group as NumberMark);
}

/** The point that numbers of one hand were written with; undefined where none of them tells, or they contradict. */
export function commonPoint(typed: Iterable<string>): NumberMark | undefined {
  const points = new Set<NumberMark>();
  for (const one of typed) {
    const point = pointOf(one);
    if (point !== undefined) points.add(point);
  }
  const [point] = points;
  return points.size === 1 ? point : undefined;
}

/** A kept decimal without the zeros at its end. It is not grouped: nobody groups a grade. */
export const decimalText = (kept: string, language: Language): string =>
  kept
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace('.', numberMarks[language].point);
