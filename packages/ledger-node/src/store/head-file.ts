/**
 * The `head` file of a store: which block was last confirmed. LevelDB drops a log that was cut short without
 * a word, so an acknowledged block could vanish; this record, kept outside LevelDB, remembers that it was there.
 *
 * One fixed record, `seq (8) ‖ hash (32) ‖ CRC-32 (4)`, overwritten in place and not synced: it is written
 * only after its block is on disk, so after a crash it can be behind the store, never ahead. All zeros stand
 * for "nothing confirmed yet"; that first record is synced when the store is made, so that the file's size never
 * changes afterwards and a lost or short file always means damage.
 */
import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type AcknowledgedHead, headHashBytes } from './store.ts';
import { StoreCorrupt } from './store-errors.ts';

const crcOffset = 8 + headHashBytes;
const recordBytes = crcOffset + 4;

export class HeadFile {
  readonly #file: number;
  #head: AcknowledgedHead | undefined;

  private constructor(file: number, head: AcknowledgedHead | undefined) {
    this.#file = file;
    this.#head = head;
  }

  static open(folder: string, options: { storeExists: boolean }): HeadFile {
    const path = join(folder, 'head');
    if (!existsSync(path)) {
      if (options.storeExists) throw new StoreCorrupt(folder, 'the head file is missing');
      return new HeadFile(createEmpty(folder, path), undefined);
    }
    const existing = openSync(path, 'r+');
    try {
      const head = readRecord(folder, existing);
      if (head !== undefined && !options.storeExists) {
        throw new StoreCorrupt(folder, `the head file confirms block ${head.seq}, but there is no store`);
      }
      return new HeadFile(existing, head);
    } catch (error) {
      closeSync(existing);
      throw error;
    }
  }

  get head(): AcknowledgedHead | undefined {
    return this.#head;
  }

  write(head: AcknowledgedHead): void {
    const record = encodeRecord(head);
    writeSync(this.#file, record, 0, record.length, 0);
    this.#head = head;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/**
 * The block that was last confirmed, by the file alone, so also of a store that a node has open. Undefined where it says
 * nothing: whoever opens the store learns why.
 */
export function confirmedBlock(folder: string): bigint | undefined {
  const path = join(folder, 'head');
  if (!existsSync(path)) return undefined;
  const file = openSync(path, 'r');
  try {
    return readRecord(folder, file)?.seq;
  } catch (error) {
    if (error instanceof StoreCorrupt) return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

function createEmpty(folder: string, path: string): number {
  // Under another name until it is whole: a crash in between leaves no file that looks damaged.
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, 'w+');
  const record = encodeRecord({ seq: 0n, hash: new Uint8Array(headHashBytes) });
  writeSync(file, record, 0, record.length, 0);
  fsyncSync(file);
  renameSync(unfinished, path);
  // The name lies in the folder, which is synced on its own.
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
  return file;
}

function encodeRecord(head: AcknowledgedHead): Buffer {
  const record = Buffer.alloc(recordBytes);
  record.writeBigUInt64BE(head.seq, 0);
  record.set(head.hash, 8);
  record.writeUInt32BE(crc32(record.subarray(0, crcOffset)), crcOffset);
  return record;
}

function readRecord(folder: string, file: number): AcknowledgedHead | undefined {
  // One byte more than the record, so that a file that is too long shows.
  const bytes = Buffer.alloc(recordBytes + 1);
  const length = readSync(file, bytes, 0, bytes.length, 0);
  if (length !== recordBytes) throw new StoreCorrupt(folder, 'the head file has a wrong size');
  if (crc32(bytes.subarray(0, crcOffset)) !== bytes.readUInt32BE(crcOffset)) {
    throw new StoreCorrupt(folder, 'the head file fails its checksum');
  }
  const seq = bytes.readBigUInt64BE(0);
  return seq === 0n ? undefined : { seq, hash: Uint8Array.from(bytes.subarray(8, crcOffset)) };
}
