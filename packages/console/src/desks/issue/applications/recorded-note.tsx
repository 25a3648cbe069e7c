/** What was done, and where the ledger has it: the block, the transaction, the request. Nothing is said before it is so. */
import type { ReactNode } from 'react';
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { ActOutcome } from '../../../parts/frame/act-outcome.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { OnLedger } from './issue-application.ts';

export interface RecordedNoteProps {
  /** "Issued.", "Revoked." */
  readonly title: string;
  readonly recorded: Omit<OnLedger, 'vcId'>;
  readonly children?: ReactNode;
}

export function RecordedNote({ title, recorded, children }: RecordedNoteProps) {
  const { words } = useDeskWords('issue');
  const { block, txHash, requestId } = recorded;
  const texts = words.issueInbox;
  const ways = useLedgerWays();
  return (
    <ActOutcome className="done-note">
      <span className="done-mark">
        <Icon name="check" />
      </span>
      <div className="grow">
        <b>
          {title} {block === undefined ? texts.blockUnknown : texts.recordedIn}{' '}
          {block !== undefined && <Block number={block} {...ways.block(block)} />}
        </b>
        <div className="row wrap hint">
          {txHash !== null && <Hash hash={txHash} {...ways.transaction(txHash)} />}
          {requestId !== undefined && <span className="mono">{words.parts.request(requestId)}</span>}
        </div>
        {children}
      </div>
    </ActOutcome>
  );
}

/** Ways into the explorer, where there is one. */
export function useLedgerWays() {
  const hasExplorer = useBuiltPlaces().has('explorer');
  return {
    block: (number: number) => (hasExplorer ? { to: `/ledger/blocks/${number}` } : {}),
    transaction: (hash: string) => (hasExplorer ? { to: `/ledger/tx/${hash}` } : {}),
  };
}
