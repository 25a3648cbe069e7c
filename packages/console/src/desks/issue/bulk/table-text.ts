/** A CSV text as a table: which sign separates its cells, its columns, and its rows with their lines. */
import { tableLimits } from './bulk-limits.ts';

export interface TableLine {
  /** In the file; the names of the columns are line 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly header: readonly string[];
  readonly lines: readonly TableLine[];
}

export type TableFault =
  | 'empty'
  | 'notText'
  | 'tooLarge'
  | 'tooManyRows'
  | 'tooManyColumns'
  | 'doubled'
  | 'quotes';

export type TableRead = { readonly table: CsvTable } | { readonly fault: TableFault; readonly line?: number };

const signs = [',', ';', '\t', '|'] as const;

/** The sign that stands most often in the first line, outside of quotes. */
export function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const plain = first.replaceAll(/"[^"]*"/g, '');
  const counts = signs.map((sign) => ({ sign, count: plain.split(sign).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).sign;
}

interface ParsedLine {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The parser is loaded with the first table. */
export async function readTable(text: string): Promise<TableRead> {
  if (text.length > tableLimits.fileBytesMax) return { fault: 'tooLarge' };
  if (text.includes('\0') || text.includes('\uFFFD')) return { fault: 'notText' };
  const { CsvError, parse } = await import('csv-parse/browser/esm/sync');
  try {
    const parsed = parse(text, {
      bom: true,
      delimiter: separatorOf(text),
      info: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: false,
    }) as unknown as ParsedLine[];
    return tableOf(parsed);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as unknown as { readonly lines?: number };
    return { fault: 'quotes', ...(lines !== undefined && { line: lines }) };
  }
}

function tableOf([head, ...rest]: readonly ParsedLine[]): TableRead {
  // Spreadsheets end tables with rows of empty cells: nothing is said there, so nothing is wrong.
  const lines = rest
    .filter(({ record }) => record.some((cell) => cell.trim() !== ''))
    .map(({ record, info }) => ({ line: info.lines, cells: record }));
  if (!head || lines.length === 0) return { fault: 'empty' };
  if (lines.length > tableLimits.rowsMax) return { fault: 'tooManyRows' };
  if (head.record.length > tableLimits.columnsMax) return { fault: 'tooManyColumns' };
  const header = head.record.map((name) => name.trim());
  const names = header.map((name) => name.toLowerCase());
  if (new Set(names).size < names.length) return { fault: 'doubled' };
  return { table: { header, lines } };
}
