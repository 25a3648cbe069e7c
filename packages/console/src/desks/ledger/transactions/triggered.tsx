/** What contracts did on behalf of a transaction, folded under it. */
import { Panel } from '../../../parts/frame/panel.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { AccountRef } from '../written/account-ref.tsx';
import { transactionPath } from '../written/paths.ts';
import type { TransactionEffects } from './records.ts';

const shownMax = 100;

export function Triggered({ triggered }: { readonly triggered: TransactionEffects['triggered'] }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  return (
    <Panel>
      <details className="triggered">
        <summary>{explorer.triggeredCount(triggered.length)}</summary>
        <ul>
          {triggered.slice(0, shownMax).map(({ hash, source_address: source }) => (
            <li key={hash} className="row">
              <Hash hash={hash} to={transactionPath(hash)} />
              <span className="muted">{explorer.by}</span>
              <AccountRef address={source} />
            </li>
          ))}
          {triggered.length > shownMax && (
            <li className="hint">{explorer.leftOut(triggered.length - shownMax)}</li>
          )}
        </ul>
      </details>
    </Panel>
  );
}
