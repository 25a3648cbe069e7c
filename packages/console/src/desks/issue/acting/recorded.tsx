/** Something stands on the ledger: in which block, by which transaction. Said only when it is so. */

import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { ActOutcome } from '../../../parts/frame/act-outcome.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { useDeskWords } from '../../../words/words.ts';

export interface RecordedProps {
  readonly what: string;
  readonly block: number;
  readonly txHash: string;
}

export function Recorded({ what, block, txHash }: RecordedProps) {
  const { words } = useDeskWords('issue');
  const hasExplorer = useBuiltPlaces().has('explorer');
  return (
    <ActOutcome className="recorded">
      <span>
        {what} {words.templates.recordedIn}
      </span>
      <Block number={block} {...(hasExplorer && { to: `/ledger/blocks/${block}` })} />
      <Hash hash={txHash} {...(hasExplorer && { to: `/ledger/tx/${txHash}` })} />
    </ActOutcome>
  );
}
