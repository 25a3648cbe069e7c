/** Options of which one answers a set of a request: each named by its cards and by what of them would be shown. */
import { Radio } from '@mantine/core';
import { foreignLine } from '../../../text/foreign-text.ts';
import type { DeskSections } from '../../../words/desk-words.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { AnswerPart } from './answer-plan.ts';
import type { AskedSet } from './asked-sets.ts';
import type { RangeWording } from './proved-words.ts';
import { rowsOf } from './shared-parts.ts';

export interface OptionChoiceProps {
  readonly legend: string;
  readonly asked: AskedSet;
  readonly wording: RangeWording;
  readonly isBusy: boolean;
  readonly onChoose: (set: number, option: number | undefined) => void;
}

/** What is not needed can be left, too. */
export function OptionChoice({ legend, asked, wording, isBusy, onChoose }: OptionChoiceProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const { set, isRequired, options, chosen } = asked;
  const choices = [
    ...options.map(({ option, parts }) => ({ option, label: optionText(parts, wording, texts) })),
    ...(isRequired ? [] : [{ option: undefined, label: texts.noneOf }]),
  ];
  return (
    <fieldset className="consent-wished">
      <legend>{legend}</legend>
      {choices.map(({ option, label }) => (
        <Radio
          key={option ?? 'none'}
          name={`set-${set}`}
          label={label}
          checked={option === chosen}
          disabled={isBusy}
          onChange={() => onChoose(set, option)}
        />
      ))}
    </fieldset>
  );
}

/** The cards, and what of each would be shown or proved. */
export const optionText = (
  parts: readonly AnswerPart[],
  wording: RangeWording,
  texts: DeskSections['wallet']['requests'],
): string => parts.map((part) => partText(part, wording, texts)).join('; ');

function partText(
  part: AnswerPart,
  wording: RangeWording,
  texts: DeskSections['wallet']['requests'],
): string {
  const what = rowsOf(part, wording).flatMap((row) => {
    if (row.fate === 'hidden') return [];
    const label = foreignLine(row.label);
    return [row.fate === 'proved' ? `${label} (${row.range.claim})` : label];
  });
  return texts.wishCard(foreignLine(part.card.names.template), what.join(', '));
}
