/** A table of many rows, of which only what is seen is drawn. */
import { useState } from 'react';
import { Panel } from '../parts/frame/panel.tsx';
import { type Column, Rows } from '../parts/frame/rows.tsx';
import { Amount } from '../parts/written/amount.tsx';
import { Block } from '../parts/written/block.tsx';
import { Status } from '../parts/written/status.tsx';
import { Story } from './story.tsx';

interface SampleRow {
  readonly number: number;
  readonly sentence: string;
  readonly fee: bigint;
}

const sampleRow = (number: number): SampleRow => ({
  number,
  sentence: `University of Example issues credential ${number}`,
  fee: BigInt(number) * 1_234n,
});

const columns: readonly Column<SampleRow>[] = [
  { key: 'sentence', title: 'What happened', width: 'minmax(0, 3fr)', cell: ({ sentence }) => sentence },
  {
    key: 'status',
    title: 'Status',
    width: '110px',
    cell: () => <Status status="Active" />,
    isHiddenOnPhone: true,
  },
  {
    key: 'fee',
    title: 'Fee',
    width: '140px',
    isNumber: true,
    cell: ({ fee }) => <Amount amount={fee} />,
    isHiddenOnPhone: true,
  },
  {
    key: 'block',
    title: 'Block',
    width: '90px',
    isNumber: true,
    cell: ({ number }) => <Block number={number} />,
  },
];

const pageRows = 6;
const rowsMax = 18;

export function RowsStory() {
  const [count, setCount] = useState(pageRows);
  const [isNewShown, showNew] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(['5']));
  const tick = ({ number }: SampleRow): void =>
    setTicked((before) => before.symmetricDifference(new Set([String(number)])));
  const first = isNewShown ? 1 : 3;
  const rows = Array.from({ length: count }, (_, at) => sampleRow(first + at));
  return (
    <Story title="Rows: J and K move, X ticks, Enter opens, new ones wait above">
      <Panel>
        <Rows
          label="Sample rows"
          columns={columns}
          rows={rows}
          idOf={({ number }) => String(number)}
          hrefOf={({ number }) => `/parts?row=${number}`}
          onTick={tick}
          ticks={{ ids: ticked, labelOf: ({ number }) => `Tick ${number}` }}
          {...(count < rowsMax && { onMore: () => setCount(count + pageRows) })}
          {...(!isNewShown && { waiting: { count: 2, onShow: () => showNew(true) } })}
        />
      </Panel>
    </Story>
  );
}
