/** What the state holds by the proof, so that it can be compared with what the page shows. */
import { Amount } from '../../../parts/written/amount.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { JsonCode } from '../written/json-code.tsx';
import type { ProvenEntry } from './proof-steps.ts';

export interface ProvenValueProps {
  readonly entry: ProvenEntry | undefined;
  /** Else a step still waits. */
  readonly isProven: boolean;
}

export function ProvenValue({ entry, isProven }: ProvenValueProps) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const { proof } = explorer;
  const says = isProven ? proof.says : proof.wouldSay;
  if (!entry)
    return (
      <p>
        {says} {proof.absent}
      </p>
    );
  if (entry.kind === 'metadata')
    return (
      <>
        <p>{says}</p>
        <JsonCode text={entry.value} label={explorer.value} />
      </>
    );
  if (entry.kind === 'asset')
    return (
      <p className="num">
        {says} {countText(entry.amount, language)}
      </p>
    );
  return (
    <p className="num">
      {says} {explorer.balance} <Amount amount={entry.balance} />, {explorer.nonce}{' '}
      {countText(entry.nonce, language)}
    </p>
  );
}
