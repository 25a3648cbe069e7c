/** Why an answer was refused, beneath its verdict: since when and by whom, and what to do next. Said once. */
import { Block } from '../../../parts/written/block.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { dayText } from '../../../text/times.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { RefusalWords, TakenBack } from './refusal-words.ts';

export interface RefusalTextProps {
  readonly refusal: RefusalWords;
  /** Whether the checks stand on the page: then each says its own there, and nothing of it here. */
  readonly hasChecks: boolean;
}

export function SessionRefusal({ refusal: { takenBack, details, next }, hasChecks }: RefusalTextProps) {
  return (
    <div className="verdict-why">
      {takenBack && <TakenBackText takenBack={takenBack} />}
      {!hasChecks && details.length > 0 && <p>{details.join(' ')}</p>}
      <p>{next}</p>
    </div>
  );
}

function TakenBackText({ takenBack: { state, since, block, reason } }: { readonly takenBack: TakenBack }) {
  const { words, language } = useDeskWords('verify');
  const { result } = words.verify;
  return (
    <p>
      {since === undefined ? result.takenBack[state] : result.takenBackOn[state](dayText(since, language))}
      {block !== undefined && (
        <>
          {' '}
          {result.revokedIn} <Block number={block} to={`/ledger/blocks/${block}`} />.
        </>
      )}
      {reason !== undefined && (
        <>
          {' '}
          {result.itsReason}{' '}
          <q>
            <ForeignText text={reason} />
          </q>
        </>
      )}
    </p>
  );
}
