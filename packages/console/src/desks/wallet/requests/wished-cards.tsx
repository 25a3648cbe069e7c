/** Whole cards that a verifier wishes for and does not need: left off, unless their owner ticks them. */
import { Checkbox } from '@mantine/core';
import { useDeskWords } from '../../../words/words.ts';
import type { AskedSet } from './asked-sets.ts';
import { MissingCards } from './missing-cards.tsx';
import { OptionChoice, type OptionChoiceProps, optionText } from './option-choice.tsx';

export interface WishedCardsProps extends Pick<OptionChoiceProps, 'wording' | 'isBusy' | 'onChoose'> {
  /** Of whoever asks. */
  readonly name: string;
  readonly sets: readonly AskedSet[];
}

export function WishedCards({ name, sets, ...choosing }: WishedCardsProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const single = sets.filter(({ options }) => options.length < 2);
  return (
    <>
      {sets
        .filter(({ options }) => options.length > 1)
        .map((one) => (
          <OptionChoice key={one.set} legend={texts.wishedOneOf(name)} asked={one} {...choosing} />
        ))}
      {single.length > 0 && (
        <fieldset className="consent-wished">
          <legend>{texts.wishedCards(name)}</legend>
          {single.map((one) => (
            <WishedCard key={one.set} wished={one} {...choosing} />
          ))}
        </fieldset>
      )}
    </>
  );
}

interface WishedCardProps extends Omit<WishedCardsProps, 'name' | 'sets'> {
  readonly wished: AskedSet;
}

function WishedCard({ wished, wording, isBusy, onChoose }: WishedCardProps) {
  const { words } = useDeskWords('wallet');
  const { set, asked, chosen } = wished;
  const [only] = wished.options;
  if (!only) return <MissingCards asked={asked} />;
  return (
    <Checkbox
      label={optionText(only.parts, wording, words.wallet.requests)}
      checked={chosen !== undefined}
      disabled={isBusy}
      onChange={({ currentTarget }) => onChoose(set, currentTarget.checked ? only.option : undefined)}
    />
  );
}
