/**
 * A table of rows that come in pages: whole rows are links, only what is seen is drawn, J and K move, X ticks, Enter opens.
 * New rows wait above until somebody asks for them, so that nothing jumps.
 */
import { Link, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useKeys } from '../../keys/keys.tsx';
import { useWords } from '../../words/words.ts';
import { Button } from '../controls/button.tsx';
import { Bones } from '../states/bones.tsx';
import { type PhoneColumn, phonePlaces } from './phone-places.ts';

export interface Column<Row> extends PhoneColumn {
  readonly key: string;
  readonly title: string;
  /** Of a grid: `96px`, `minmax(0, 2fr)`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
}

export interface RowsProps<Row> {
  /** What the table is about. */
  readonly label: string;
  /** The first is what the link is called. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly hrefOf?: (row: Row) => string;
  readonly onTick?: (row: Row) => void;
  /** Which rows are ticked, and what ticking one is called: given, every row has a box. */
  readonly ticks?: {
    readonly ids: ReadonlySet<string>;
    readonly labelOf: (row: Row) => string;
    readonly canTick?: (row: Row) => boolean;
  };
  /** Asks for the next page; left out at the end. */
  readonly onMore?: () => void;
  readonly isLoadingMore?: boolean;
  /** How many new rows wait, and who shows them. */
  readonly waiting?: { readonly count: number; readonly onShow: () => void };
}

const rowHeight = 44;
const boxWidth = '16px';
/** Rows beyond the edge of the window that are drawn all the same. */
const overscan = 8;

export function Rows<Row>(props: RowsProps<Row>) {
  const { label, columns, rows, idOf, hrefOf, onTick, onMore, isLoadingMore = false, waiting } = props;
  const { words } = useWords();
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useEffect(() => setTop(body.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: top,
    getItemKey: (at) => idOf(rows[at] as Row),
  });
  const chosen = useRowKeys({ rows, idOf, hrefOf, onTick, show: (at) => virtual.scrollToIndex(at) });
  const { ticks } = props;
  const boxes = ticks && onTick && { ...ticks, onTick, idOf };
  const widths = columns.map(({ width }) => width);
  const template = { '--columns': [...(boxes ? [boxWidth] : []), ...widths].join(' ') };
  return (
    <>
      {waiting && waiting.count > 0 && (
        <div className="table-new">
          <Button size="small" kind="quiet" onClick={waiting.onShow}>
            {words.parts.newRows(waiting.count)}
          </Button>
        </div>
      )}
      <div role="table" aria-label={label} aria-rowcount={onMore ? -1 : rows.length + 1} style={template}>
        <div role="rowgroup">
          <div role="row" className="tr th">
            {boxes && <span role="columnheader" aria-label={words.shell.keys.tick} />}
            {columns.map(({ key, title, isNumber }) => (
              <span role="columnheader" key={key} className={isNumber ? 'right' : ''}>
                {title}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="table-rows" ref={body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              data-chosen={index === chosen}
              data-last={index === rows.length - 1 && !onMore && !isLoadingMore}
              className="tr-line"
              role="presentation"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <RowLine
                row={rows[index] as Row}
                index={index}
                columns={columns}
                hrefOf={hrefOf}
                boxes={boxes}
              />
            </div>
          ))}
        </div>
      </div>
      {isLoadingMore && <Bones rows={2} hasMark={false} />}
      {onMore && !isLoadingMore && (
        <div className="table-more">
          <Button size="small" onClick={onMore}>
            {words.parts.more}
          </Button>
        </div>
      )}
    </>
  );
}

interface RowLineProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly hrefOf: ((row: Row) => string) | undefined;
  readonly boxes: TickBoxes<Row> | undefined;
}

interface TickBoxes<Row> extends NonNullable<RowsProps<Row>['ticks']> {
  readonly onTick: (row: Row) => void;
  readonly idOf: (row: Row) => string;
}

function RowLine<Row>({ row, index, columns, hrefOf, boxes }: RowLineProps<Row>) {
  const href = hrefOf?.(row);
  const places = phonePlaces(columns);
  return (
    <div role="row" aria-rowindex={index + 2} className={boxes ? 'tr ticks' : 'tr'}>
      {boxes && (
        <span role="cell">
          <input
            type="checkbox"
            className="check-input"
            aria-label={boxes.labelOf(row)}
            checked={boxes.ids.has(boxes.idOf(row))}
            disabled={boxes.canTick?.(row) === false}
            onChange={() => boxes.onTick(row)}
          />
        </span>
      )}
      {columns.map(({ key, isNumber, cell }, at) => (
        <span role="cell" key={key} className={isNumber ? 'right' : ''} data-phone={places[at]}>
          {at === 0 && href !== undefined ? (
            <Link to={href} className="tr-open">
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </span>
      ))}
    </div>
  );
}

interface RowKeys<Row> {
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly hrefOf: ((row: Row) => string) | undefined;
  readonly onTick: ((row: Row) => void) | undefined;
  readonly show: (at: number) => void;
}

/** Where the row is that J and K have chosen, whatever came on top of it; -1 for none. */
function useRowKeys<Row>({ rows, idOf, hrefOf, onTick, show }: RowKeys<Row>): number {
  const { words } = useWords();
  const navigate = useNavigate();
  const [chosenId, setChosenId] = useState<string>();
  const chosen = chosenId === undefined ? -1 : rows.findIndex((one) => idOf(one) === chosenId);
  const row = rows[chosen];
  const move = (step: number): void => {
    const at = Math.min(rows.length - 1, Math.max(0, chosen + step));
    const next = rows[at];
    if (next === undefined) return;
    setChosenId(idOf(next));
    show(at);
  };
  const { keys } = words.shell;
  const group = 'lists';
  useKeys([
    { keys: 'j', title: keys.down, group, act: () => move(1) },
    { keys: 'k', title: keys.up, group, act: () => move(-1) },
    ...(onTick
      ? [{ keys: 'x', title: keys.tick, group, act: () => row !== undefined && onTick(row) } as const]
      : []),
    ...(hrefOf
      ? [
          {
            keys: 'Enter',
            title: keys.open,
            group,
            act: () => row !== undefined && void navigate({ to: hrefOf(row) }),
          } as const,
        ]
      : []),
  ]);
  return chosen;
}
