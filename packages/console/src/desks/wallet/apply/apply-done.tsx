/** What came of applying: the card is here, or the issuer decides. */
import { Link } from '@tanstack/react-router';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { ApplyOutcome } from './obtaining.ts';

export interface ApplyDoneProps {
  readonly got: Extract<ApplyOutcome, { kind: 'issued' | 'waiting' }>;
  /** Of the template. */
  readonly name: string;
}

export function ApplyDone({ got, name }: ApplyDoneProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.apply;
  const isIssued = got.kind === 'issued';
  return (
    <DeskPage title={isIssued ? texts.issued(name) : texts.waiting(name)} isOutcome>
      <Panel>
        <EmptyState
          title={isIssued ? texts.issued(name) : texts.waiting(name)}
          text={isIssued ? texts.issuedWhy : texts.waitingWhy}
        >
          {isIssued ? (
            <Link to="/wallet/cards/$vcId" params={{ vcId: got.vcId }} className="btn pri">
              {texts.toCard}
            </Link>
          ) : (
            <Link to="/wallet/apply" className="btn">
              {texts.toApplications}
            </Link>
          )}
          {isIssued && got.txHash !== null && <Hash hash={got.txHash} to={`/ledger/tx/${got.txHash}`} />}
        </EmptyState>
      </Panel>
    </DeskPage>
  );
}
