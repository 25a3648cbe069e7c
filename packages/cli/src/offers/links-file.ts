/**
 * The links that were made from a table: a CSV file for its owner alone, one line an offer, on the disk before the next
 * is told of. It is also the memory of the run: a row that stands in it is done. Which rows were begun stands beside it,
 * because the offer of such a row may be there and its link is lost: that one is renewed.
 */
import { createHash, createHmac } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import { openCsv } from '../bulk/csv-rows.ts';
import { createAppender } from '../bulk/journal.ts';
import { takeLock } from '../bulk/journal-lock.ts';
import type { CheckedRow } from '../bulk/row-check.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

const columnNames = ['reference', 'offerId', 'link', 'pin', 'expiresAt', 'rowCheck'] as const;
const headerLine = columnNames.join(',');

export interface MadeLink {
  readonly offerId: string;
  readonly link: string;
  readonly txCode?: string | undefined;
  readonly expiresAt: string;
}

export type LinkProgress = 'new' | 'begun' | 'done' | 'changed';

export interface LinksFile {
  readonly file: string;
  readonly progressOf: (row: CheckedRow) => LinkProgress;
  /** Resolves when it is on the disk that something may have been asked of the service. */
  readonly begin: (row: CheckedRow) => Promise<void>;
  readonly add: (row: CheckedRow, made: MadeLink) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openLinksFile(file: string, templateId: string): Promise<LinksFile> {
  const release = await takeLock(file);
  const handles: FileHandle[] = [];
  const openFor = async (name: string): Promise<FileHandle> => {
    const handle = await open(name, 'a+', 0o600);
    handles.push(handle);
    await handle.chmod(0o600);
    return handle;
  };
  const close = async (): Promise<void> => {
    for (const handle of handles) await handle.close();
    await release();
  };
  try {
    const links = await openFor(file);
    const journal = await openFor(`${file}.journal`);
    const isNew = (await wholeLines(links, headerLine, file)) === '';
    const begun = new Set((await wholeLines(journal, '', file)).split('\n'));
    const addLine = createAppender(links);
    if (isNew) await addLine(headerLine);
    await syncFolder(path.dirname(path.resolve(file)));
    const done = await readLinks(file);
    const addMark = createAppender(journal);
    return {
      file,
      progressOf(row) {
        const known = done.get(row.subject);
        if (!known) return begun.has(markOf(row)) ? 'begun' : 'new';
        return known.rowCheck === rowCheck(known.link, templateId, row) ? 'done' : 'changed';
      },
      begin: (row) => addMark(markOf(row)),
      add: (row, { offerId, link, txCode = '', expiresAt }) =>
        addLine(
          [row.subject, offerId, link, txCode, expiresAt, rowCheck(link, templateId, row)]
            .map(cellOf)
            .join(','),
        ),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const markOf = ({ subject }: CheckedRow): string =>
  createHash('sha256').update(subject).digest('hex').slice(0, 32);

/** Of no use without the link, which shows the values anyway: whether a row reads as it did. */
const rowCheck = (link: string, templateId: string, { values }: CheckedRow): string =>
  createHmac('sha256', link).update(canonicalJson({ templateId, values })).digest('hex').slice(0, 16);

const cellOf = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What is in the file, after what a crash left of a last line is cut off; another file stays as it is. */
async function wholeLines(handle: FileHandle, header: string, file: string): Promise<string> {
  const bytes = await handle.readFile();
  const text = bytes.toString('utf8');
  const isOurs = text.startsWith(`${header}\n`) || `${header}\n`.startsWith(text);
  if (header !== '' && !isOurs)
    throw new CommandFailure(
      `${file} holds something else than links of offers.\nNothing was offered, and the file is as it was.\nChoose another file with --out.`,
      exitCodes.failed,
    );
  const end = unquotedEnd(bytes);
  if (end < bytes.length) await handle.truncate(end);
  return bytes.toString('utf8', 0, end);
}

/** Behind the last line break that ends a line: one between quotes belongs to a value. */
function unquotedEnd(bytes: Uint8Array): number {
  const [quote, lineFeed] = [0x22, 0x0a];
  let [end, isQuoted] = [0, false];
  for (const [index, byte] of bytes.entries()) {
    if (byte === quote) isQuoted = !isQuoted;
    else if (byte === lineFeed && !isQuoted) end = index + 1;
  }
  return end;
}

type KnownLinks = ReadonlyMap<string, { readonly link: string; readonly rowCheck: string }>;

async function readLinks(file: string): Promise<KnownLinks> {
  const csv = await openCsv(file);
  const links = new Map<string, { link: string; rowCheck: string }>();
  for await (const { cells } of csv.rows()) {
    const [reference = '', , link = '', , , rowCheck = ''] = cells;
    links.set(reference, { link, rowCheck });
  }
  return links;
}
