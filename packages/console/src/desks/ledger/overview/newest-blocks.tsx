/** The newest blocks, with how full each is beside the fullest of them. */
import { Amount } from '../../../parts/written/amount.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { ShownFigures } from '../blocks/ledger-figures.ts';
import { blockPath } from '../written/paths.ts';

/** The newest first. */
export function NewestBlocks({ blocks }: { readonly blocks: readonly ShownFigures[] }) {
  const { words, language } = useDeskWords('ledger');
  const most = Math.max(1, ...blocks.map(({ transactions }) => transactions));
  return (
    <table className="tbl newest-blocks">
      <thead>
        <tr>
          <th>{words.explorer.block}</th>
          <th>{words.explorer.age}</th>
          <th className="right">{words.explorer.txs}</th>
          <th className="only-d">
            <span className="sr">{words.explorer.fill}</span>
          </th>
          <th className="right">{words.explorer.fees}</th>
        </tr>
      </thead>
      <tbody>
        {blocks.map(({ seq, closedAt, transactions, fees }) => (
          <tr key={seq}>
            <td>
              <Block number={seq} to={blockPath(seq)} />
            </td>
            <td className="muted nowrap">
              <Time at={closedAt} width="narrow" />
            </td>
            <td className="right">{countText(transactions, language)}</td>
            <td className="only-d">
              <span className="fill" aria-hidden="true">
                <i style={{ width: `${(transactions / most) * 100}%` }} />
              </span>
            </td>
            <td className="right nowrap">
              <Amount amount={fees} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
