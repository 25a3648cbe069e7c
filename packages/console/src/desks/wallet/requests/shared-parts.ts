/** What an answer shows, as rows of two halves, and as it is written into the activity. Pure. */
import type { SignedAttribute } from '@symbolon/core/documents/model';
import type { HalvesRow } from '../../../parts/halves/halves.tsx';
import type { SharedPart } from '../activity/activity-log.ts';
import { cardValues } from '../cards/card-words.ts';
import type { AnswerPart } from './answer-plan.ts';
import type { AskedSet } from './asked-sets.ts';
import { type RangeWording, rangeProps } from './proved-words.ts';

/** Every attribute of the card, in the order of its template. */
export function rowsOf({ card, reveal, ranges }: AnswerPart, wording: RangeWording): readonly HalvesRow[] {
  const { attributes } = card.parsed.credential.credentialSchema;
  return cardValues(card, wording.language).map(({ key, label, text }) => {
    const row = { key, label, owned: text };
    if (reveal.includes(key)) return { ...row, fate: 'shared', value: text };
    const range = ranges.find(({ attribute }) => attribute === key);
    const attribute = attributes.find((one) => one.key === key);
    if (range && attribute)
      return { ...row, fate: 'proved', range: rangeProps(attribute as SignedAttribute, range, wording) };
    return { ...row, fate: 'hidden' };
  });
}

export interface WishRow {
  readonly key: string;
  readonly label: string;
  /** What would be proved, or the value that would be shown. */
  readonly what: { readonly claim: string } | { readonly value: string };
  readonly isGranted: boolean;
}

/** What is wished for and not needed, for its owner to grant or to leave. */
export function wishRowsOf({ card, wishes }: AnswerPart, wording: RangeWording): readonly WishRow[] {
  const { attributes } = card.parsed.credential.credentialSchema;
  const values = cardValues(card, wording.language);
  return wishes.flatMap(({ key, range, isGranted }) => {
    const value = values.find((one) => one.key === key);
    const attribute = attributes.find((one) => one.key === key);
    if (!value || !attribute) return [];
    const { label, text } = value;
    const what = range
      ? { claim: rangeProps(attribute as SignedAttribute, range, wording).claim }
      : { value: text };
    return [{ key, label, what, isGranted }];
  });
}

export const countsOf = (rows: readonly HalvesRow[]) => {
  const count = (fate: HalvesRow['fate']): number => rows.filter((row) => row.fate === fate).length;
  return { shared: count('shared'), proved: count('proved'), hidden: count('hidden') };
};

/** How many facts are needed: neither wishes that were granted nor what cards besides would show. */
export function neededFacts(
  parts: readonly AnswerPart[],
  sets: readonly AskedSet[],
  wording: RangeWording,
): number {
  const besides = new Set(
    sets
      .filter(({ isRequired }) => !isRequired)
      .flatMap(({ options }) => options.flatMap((one) => one.parts.map(({ queryId }) => queryId))),
  );
  return parts
    .filter(({ queryId }) => !besides.has(queryId))
    .reduce((sum, part) => {
      const { shared, proved } = countsOf(rowsOf(part, wording));
      return sum + shared + proved - part.wishes.filter(({ isGranted }) => isGranted).length;
    }, 0);
}

export const sharedParts = (parts: readonly AnswerPart[], wording: RangeWording): readonly SharedPart[] =>
  parts.map((part) => {
    const rows = rowsOf(part, wording);
    return {
      vcId: part.card.vcId,
      template: part.card.names.template,
      shared: rows.flatMap((row) => (row.fate === 'shared' ? [{ label: row.label, text: row.value }] : [])),
      proved: part.ranges.flatMap(({ attribute, min, max }) => {
        const row = rows.find(({ key }) => key === attribute);
        if (row?.fate !== 'proved') return [];
        return [
          {
            key: attribute,
            label: row.label,
            claim: row.range.claim,
            ...(typeof min !== 'boolean' && min !== undefined && { min }),
            ...(typeof max !== 'boolean' && max !== undefined && { max }),
          },
        ];
      }),
    };
  });
