/** What was handed in and left before anybody knew what became of it: its hash, and what is known by now. */
import { failureWords } from '../../../api/failure.ts';
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { LeftHandIn } from '../facts/use-submission.ts';

export function LeftHandIns({ left }: { readonly left: readonly LeftHandIn[] }) {
  const { words, language } = useDeskWords('lab');
  const { lab } = words;
  const hasExplorer = useBuiltPlaces().has('explorer');
  const textOf = (submission: LeftHandIn['submission']): string => {
    if (submission.state === 'refused')
      return `${lab.notSubmitted} ${failureWords(submission.error, words).text}`;
    // It cannot be handed in again from here.
    if (submission.state === 'absent') return lab.steps.absent;
    if (submission.state !== 'executed') return lab[submission.state];
    const { code, ledgerSeq } = submission.receipt;
    return (code === 0 ? lab.executed : lab.failed)(countText(ledgerSeq, language));
  };
  return left.map(({ id, hash, submission }) => (
    <p key={id} className="note lab-note" role="status">
      {lab.leftBefore} <Hash hash={hash} {...(hasExplorer && { to: `/ledger/tx/${hash}` })} />{' '}
      {textOf(submission)}
    </p>
  ));
}
