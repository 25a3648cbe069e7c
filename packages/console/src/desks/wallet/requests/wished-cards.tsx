/** Whole cards that a verifier wishes for and does not need: left off, unless their owner ticks them. */
import { Checkbox } from '@mantine/core';
import { foreignLine } from '../../../text/foreign-text.ts';
import type { ConsoleWords } from '../../../words/catalogue.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { AnswerPart } from './answer-plan.ts';
import type { RangeWording } from './proved-words.ts';
import { rowsOf } from './shared-parts.ts';
import type { WishedSet } from './wished-sets.ts';

export interface WishedCardsProps {
  /** Of whoever asks. */
  readonly name: string;
  readonly sets: readonly WishedSet[];
  readonly wording: RangeWording;
  readonly isBusy: boolean;
  readonly onGrant: (place: number, isGranted: boolean) => void;
}

export function WishedCards({ name, sets, wording, isBusy, onGrant }: WishedCardsProps) {
  const { words } = useDeskWords();
  const texts = words.wallet.requests;
  if (sets.length === 0) return null;
  return (
    <fieldset className="consent-wished">
      <legend>{texts.wishedCards(name)}</legend>
      {sets.map(({ place, parts, types, isGranted }) =>
        parts.length > 0 ? (
          <Checkbox
            key={place}
            label={parts.map((part) => wishText(part, wording, texts)).join('; ')}
            checked={isGranted}
            disabled={isBusy}
            onChange={({ currentTarget }) => onGrant(place, currentTarget.checked)}
          />
        ) : (
          <p key={place} className="muted">
            {texts.wishUnmet(types.map((type) => foreignLine(type)).join(', '))}
          </p>
        ),
      )}
    </fieldset>
  );
}

/** The card, and what of it would be shown or proved. */
function wishText(
  part: AnswerPart,
  wording: RangeWording,
  texts: ConsoleWords['wallet']['requests'],
): string {
  const what = rowsOf(part, wording).flatMap((row) => {
    if (row.fate === 'hidden') return [];
    const label = foreignLine(row.label);
    return [row.fate === 'proved' ? `${label} (${row.range.claim})` : label];
  });
  return texts.wishCard(foreignLine(part.card.names.template), what.join(', '));
}
