/** Until which block a transaction could be executed, as its signers have said. */
import { Block } from '../../../parts/written/block.tsx';
import { useDeskWords } from '../../../words/words.ts';

export function LastBlock({ ceiling = 0 }: { readonly ceiling: number | bigint | undefined }) {
  const { explorer } = useDeskWords('ledger').words;
  if (BigInt(ceiling) === 0n) return explorer.anyBlock;
  return (
    <>
      {explorer.untilBlock} <Block number={Number(ceiling)} />
    </>
  );
}
