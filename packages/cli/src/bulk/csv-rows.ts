/**
 * A CSV file as a stream of rows (RFC 4180, UTF-8, first line the names of the columns): never more of it in memory
 * than a few rows. What the columns mean is not known here. Complaints name lines and never repeat what is in them.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { bulkLimits } from '../limits/command-limits.ts';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import { printable } from '../terminal/terminal.ts';

export interface CsvRow {
  /** 1 for the first row after the names; lines without anything do not count. */
  readonly row: number;
  /** Where it begins in the file. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFile {
  readonly header: readonly string[];
  /** From the beginning, each time it is called. */
  readonly rows: () => AsyncGenerator<CsvRow>;
}

export interface CsvOptions {
  readonly delimiter?: string;
}

export async function openCsv(file: string, { delimiter = ',' }: CsvOptions = {}): Promise<CsvFile> {
  await requireFile(file);
  const records = () => readRecords(file, delimiter);
  const first = await firstOf(records());
  if (!first) throw unusable(`${file} is empty.`, 'Its first line must be the names of the columns.');
  const header = first.cells.map((name) => printable(name.trim()));
  if (header.length > bulkLimits.columnsMax)
    throw unusable(`${file} has too many columns.`, `There may be ${bulkLimits.columnsMax}.`);
  return { header, rows: () => withoutHeader(file, records()) };
}

async function requireFile(file: string): Promise<void> {
  let isFile: boolean;
  try {
    isFile = (await stat(file)).isFile();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw unusable(`${file} cannot be read (${reason}).`, 'Give the CSV file with --csv.');
  }
  if (!isFile)
    throw unusable(
      `${file} is not a file.`,
      'It is read more than once, so a pipe will not do: save it first.',
    );
}

async function firstOf(records: AsyncGenerator<CsvRow>): Promise<CsvRow | undefined> {
  for await (const record of records) return record;
  return undefined;
}

async function* withoutHeader(file: string, records: AsyncGenerator<CsvRow>): AsyncGenerator<CsvRow> {
  for await (const { row, line, cells } of records) {
    if (row === 0) continue;
    if (row > bulkLimits.rowsMax)
      throw unusable(`${file} has too many rows.`, `Cut it into files of ${bulkLimits.rowsMax} rows.`);
    yield { row, line, cells };
  }
}

/** All records, the names of the columns being row 0. */
async function* readRecords(file: string, delimiter: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter,
    info: true,
    // Rows that are too short or too long are complained about one by one, with the others.
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: bulkLimits.recordCharsMax,
  });
  // Whatever fails, the loop below throws it, and closing the loop closes the file.
  pipeline(createReadStream(file), decodeText, parser, () => undefined);
  let row = 0;
  try {
    for await (const item of parser) {
      const { info, record } = item as { info: Info; record: string[] };
      yield { row, line: info.lines - lineBreaksIn(record), cells: record };
      row += 1;
    }
  } catch (error) {
    throw readingFailure(file, error);
  }
}

/** The text of the file without byte order mark, every line break one line feed. */
async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // A carriage return at the end of a piece may belong to a line feed at the start of the next.
  let held = '';
  for await (const chunk of chunks) {
    const text = held + decoder.decode(chunk, { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n');
  }
  yield (held + decoder.decode()).replace(/\r\n?/g, '\n');
}

const lineBreaksIn = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);

/** The parser's own messages repeat values, so only its codes are used. */
function readingFailure(file: string, error: unknown): unknown {
  if (error instanceof CommandFailure) return error;
  if (error instanceof CsvError) {
    const line = typeof error.lines === 'number' ? `, line ${error.lines}` : '';
    const why = csvProblems[error.code] ?? 'is not CSV.';
    return unusable(
      `${file}${line}: ${why}`,
      'Nothing after this line could be read. Correct it and run again.',
    );
  }
  const isEncoding = (error as NodeJS.ErrnoException)?.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  if (isEncoding)
    return unusable(`${file} is not in UTF-8.`, 'Save it as "CSV UTF-8", so that no name is spoilt.');
  return error;
}

const csvProblems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'something follows a closing quote. A quote inside a value is written twice.',
  INVALID_OPENING_QUOTE: 'a quote stands inside a value that is not quoted.',
  CSV_MAX_RECORD_SIZE: 'a row is too long. Perhaps a quote is not closed.',
};

const unusable = (what: string, advice: string): CommandFailure => usageFailure(`${what}\n${advice}`);
