/** What a verifier wishes for and does not need: left off, unless its owner ticks it. */
import { Checkbox } from '@mantine/core';
import { foreignBeginning, foreignLine } from '../../../text/foreign-text.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { WishRow } from './shared-parts.ts';

/** The whole value stands in the row of the card. */
const valueCharsMax = 60;

function shortLine(value: string): string {
  const beginning = foreignBeginning(value, valueCharsMax);
  return foreignLine(beginning === undefined ? value : `${beginning}…`);
}

export interface WishedFactsProps {
  /** Of whoever asks. */
  readonly name: string;
  readonly wishes: readonly WishRow[];
  readonly isBusy: boolean;
  readonly onGrant: (key: string, isGranted: boolean) => void;
}

export function WishedFacts({ name, wishes, isBusy, onGrant }: WishedFactsProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  if (wishes.length === 0) return null;
  return (
    <fieldset className="consent-wished">
      <legend>{texts.wished(name)}</legend>
      {wishes.map(({ key, label, what, isGranted }) => (
        <Checkbox
          key={key}
          label={
            'claim' in what
              ? texts.wishProved(foreignLine(label), what.claim)
              : texts.wishShared(foreignLine(label), shortLine(what.value))
          }
          checked={isGranted}
          disabled={isBusy}
          onChange={({ currentTarget }) => onGrant(key, currentTarget.checked)}
        />
      ))}
    </fieldset>
  );
}
