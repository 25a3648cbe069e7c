/** The newest block, at the foot of the sidebar: a dot that breathes while the ledger answers. */
import { useConnection } from '../api/api.tsx';
import { useLedgerStream } from '../ledger/live-queries.ts';
import { useNewestBlock } from '../ledger/newest-block.ts';
import { useIsOnline } from '../parts/hooks/use-online.ts';
import { Time } from '../parts/written/time.tsx';
import { countText } from '../text/numbers.ts';
import { useWords } from '../words/words.ts';

export function LedgerPulse() {
  const { words, language } = useWords();
  useLedgerStream();
  const { block, hasFailed } = useNewestBlock();
  const isLost = useConnection().state === 'lost';
  const isOnline = useIsOnline();
  const silentService = isOnline ? words.failures.unreachable : words.failures.offline;
  const silent = isLost ? silentService : words.shell.ledgerSilent;
  if (!block || hasFailed)
    return (
      <div className="row">
        <span className={hasFailed ? 'live off' : 'live wait'} />
        <span>{hasFailed ? silent : words.shell.ledgerAsked}</span>
      </div>
    );
  return (
    <div className="row">
      <span className="live" />
      <span className="num">{words.shell.block(countText(block.number, language))}</span>
      <span className="faint side-ago">
        <Time at={block.closedAt} />
      </span>
    </div>
  );
}
