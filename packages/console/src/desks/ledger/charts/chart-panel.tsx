/** A chart with its title, a sentence with its figures, and the same as a table for whoever would rather read. */
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { useDeskWords } from '../../../words/words.ts';

export interface ChartTable {
  readonly heads: readonly [string, string];
  /** The newest first. */
  readonly rows: readonly (readonly [string, string])[];
}

export interface ChartPanelProps {
  readonly title: string;
  readonly sentence: string;
  /** Right of the title. */
  readonly aside?: ReactNode;
  readonly table: ChartTable;
  readonly isSmall?: boolean;
  readonly children: ReactNode;
}

const shownRowsMax = 200;

export function ChartPanel({ title, sentence, aside, table, isSmall = false, children }: ChartPanelProps) {
  const { words } = useDeskWords('ledger');
  const id = useId();
  const [isTable, setTable] = useState(false);
  return (
    <section className={isSmall ? 'chart small' : 'chart panel'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <div className="r">
          {aside}
          <Button
            size="small"
            kind="quiet"
            icon="list"
            aria-pressed={isTable}
            aria-label={words.explorer.asTable(title)}
            title={words.explorer.asTable(title)}
            onClick={() => setTable(!isTable)}
          />
        </div>
      </header>
      {isTable ? <Figures table={table} title={title} /> : children}
      <p className="hint chart-words">{sentence}</p>
    </section>
  );
}

function Figures({ table: { heads, rows }, title }: { readonly table: ChartTable; readonly title: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="chart-table" tabIndex={0} aria-label={title}>
      <table className="tbl">
        <thead>
          <tr>
            <th>{heads[0]}</th>
            <th className="right">{heads[1]}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shownRowsMax).map(([name, value]) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="right">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
