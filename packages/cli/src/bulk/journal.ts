/**
 * The memory of a bulk issue: one line a step, appended beside the table, on the disk before the next step is taken.
 * Whatever ends the command, the next run reads it and goes on where it ended. It has no attribute values: a row is
 * known by its number and a keyed hash, whose key only the issuer's signer can make, so that nobody who finds the
 * journal can guess values and compare.
 */

import { createHash, createHmac } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import type { Signer } from '@symbolon/sdk/keys/signer';
import { z } from 'zod';
import { bulkLimits } from '../limits/command-limits.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { createJournalIndex, type JournalEntry, type JournalIndex } from './journal-index.ts';
import { takeLock } from './journal-lock.ts';
import type { CheckedRow } from './row-check.ts';

const kind = 'symbolon bulk issue';
const hex32 = z.string().regex(/^[0-9a-f]{32}$/);
const identifier = z.string().regex(/^did:[a-z0-9]+:[0-9a-f]{64}$/);

const headerSchema = z.strictObject({
  journal: z.literal(kind),
  version: z.literal(1),
  templateId: identifier,
  /** Changes with the issuer's key, and says nothing about it. */
  keyCheck: hex32,
  /** Of every credential, whenever it is issued: a repeated request must be the same request. */
  validUntil: z.string(),
});
const entrySchema = z.strictObject({
  row: z.int().min(1).max(bulkLimits.rowsMax),
  key: hex32,
  state: z.enum(['begun', 'applied', 'issued', 'failed']),
  vcId: identifier.optional(),
  tx: z.string().max(128).optional(),
});

export interface Journal {
  readonly file: string;
  readonly index: JournalIndex;
  readonly validUntil: string;
  readonly keyOf: (row: CheckedRow) => string;
  /** Resolves when the entry is on the disk; entries that come together are written together. */
  readonly append: (entry: JournalEntry) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface JournalOrder {
  readonly file: string;
  readonly templateId: string;
  readonly signer: Signer;
  /** Undefined takes what the journal says, or the default when it is new. */
  readonly validUntil: string | undefined;
  readonly validUntilDefault: string;
}

export async function openJournal(order: JournalOrder): Promise<Journal> {
  const { file, templateId } = order;
  const secret = await rowSecret(order);
  const keyCheck = createHmac('sha256', secret).update('check').digest('hex').slice(0, 32);
  const release = await takeLock(file);
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'a+', 0o600);
    const { header: found, index } = await readJournal(file, handle);
    const validUntil = found?.validUntil ?? order.validUntil ?? order.validUntilDefault;
    const header = { journal: kind, version: 1, templateId, keyCheck, validUntil } as const;
    if (found) requireSame(file, found, { ...header, validUntil: order.validUntil ?? validUntil });
    const append = createAppender(handle);
    if (!found) {
      await append(JSON.stringify(header));
      // A new file is found after a power failure only if its folder is on the disk too.
      await syncFolder(path.dirname(file));
    }
    const opened = handle;
    return {
      file,
      index,
      validUntil,
      keyOf: (row) => rowKey(secret, templateId, row),
      append: (entry) => append(JSON.stringify(entry)),
      close: async () => {
        await opened.close();
        await release();
      },
    };
  } catch (error) {
    await handle?.close();
    await release();
    throw error;
  }
}

/** A text of this form is nothing that the ledger or the service would take for an order. */
async function rowSecret({ signer, templateId }: JournalOrder): Promise<Uint8Array> {
  const text = canonicalJson({ purpose: 'symbolon bulk journal', templateId });
  const signature = await signer.sign(encodeUtf8(text));
  return createHash('sha256').update(signature).digest();
}

/** Of what the row means, not of how it is spelled: other columns and another order change nothing. */
function rowKey(secret: Uint8Array, templateId: string, { row, subject, values }: CheckedRow): string {
  const meaning = JSON.stringify([templateId, row, subject, Object.entries(values)]);
  return createHmac('sha256', secret).update(meaning).digest('hex').slice(0, 32);
}

type Header = z.infer<typeof headerSchema>;

function requireSame(file: string, found: Header, wanted: Header): void {
  const refuse = (why: string) =>
    usageFailure(
      `The journal ${file} ${why}\nNothing was issued. Choose another journal with --journal, or give what the first run was given.`,
    );
  if (found.templateId !== wanted.templateId) throw refuse('is about another template.');
  if (found.keyCheck !== wanted.keyCheck) throw refuse("was written with another issuer's key.");
  if (found.validUntil !== wanted.validUntil)
    throw refuse(
      `is about credentials valid until ${found.validUntil}, and --valid-until says something else.`,
    );
}

/** Reads all of it, and cuts off a last line that a crash left unfinished. */
async function readJournal(
  file: string,
  handle: FileHandle,
): Promise<{ header: Header | undefined; index: JournalIndex }> {
  const index = createJournalIndex();
  let header: Header | undefined;
  let good = 0;
  let number = 0;
  let rest = Buffer.alloc(0);
  const piece = Buffer.alloc(64 * 1024);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    rest = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
      number += 1;
      good += end + 1;
      if (number === 1) header = readLine(headerSchema, line, { file, number });
      else index.add(readLine(entrySchema, line, { file, number }));
    }
    if (rest.length > bulkLimits.journalLineCharsMax) throw damaged(file, number + 1);
  }
  if (rest.length > 0) {
    // Only what this command began to write is cut off: another file that has no line break stays as it is.
    if (header === undefined && !headerStart.startsWith(rest.toString('utf8', 0, headerStart.length)))
      throw damaged(file, 1);
    await handle.truncate(good);
  }
  return { header, index };
}

const headerStart = `{"journal":"${kind}"`;

function readLine<Schema extends z.ZodType>(
  schema: Schema,
  line: string,
  { file, number }: { file: string; number: number },
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw damaged(file, number);
  }
}

const damaged = (file: string, line: number): CommandFailure =>
  new CommandFailure(
    `${file} is not a journal, or is damaged in line ${line}.\nNothing was issued. If it is a journal, restore it: without it rows could be issued twice.`,
    exitCodes.damaged,
  );

/** Lines that arrive while others are being written wait, and then go to the disk together. */
export function createAppender(handle: FileHandle): (line: string) => Promise<void> {
  let waiting: { line: string; written: () => void; failed: (error: unknown) => void }[] = [];
  let isWriting = false;
  // After a failure the last line may be half there: nothing may follow it.
  let failure: unknown;
  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        if (failure !== undefined) throw failure;
        await handle.appendFile(batch.map(({ line }) => `${line}\n`).join(''));
        await handle.datasync();
        for (const { written } of batch) written();
      } catch (error) {
        failure = error;
        for (const { failed } of batch) failed(error);
      }
    }
    isWriting = false;
  }
  return (line) =>
    new Promise((written, failed) => {
      waiting.push({ line, written, failed });
      if (!isWriting) void write();
    });
}
