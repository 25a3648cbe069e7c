/**
 * Checks one LevelDB table file, byte for byte: the footer leads to the index, the index to every data block,
 * each block carries a CRC-32C, and together the blocks must fill the file without a gap. LevelDB itself,
 * as `classic-level` opens it, checks none of this: a flipped bit in a row's sequence number would bring an
 * older value of the row back to life, with a valid checksum.
 */
import { ByteReader, crc32c, maskCrc, readUint32 } from './level-bytes.ts';
import { decodeSnappy } from './snappy.ts';

const footerBytes = 48;
const magic = [0x8b80fb57, 0xdb477524] as const;
const trailerBytes = 5;
const compression = { none: 0, snappy: 1 } as const;

interface BlockHandle {
  offset: number;
  size: number;
}

/** What is wrong with the table; undefined when nothing is. */
export function tableDamage(table: Uint8Array): string | undefined {
  const footerAt = table.length - footerBytes;
  if (footerAt < 0) return 'is cut short';
  if (readUint32(table, table.length - 8) !== magic[0] || readUint32(table, table.length - 4) !== magic[1]) {
    return 'does not end as a table does';
  }
  const footer = new ByteReader(table.subarray(footerAt));
  const metaIndex = readHandle(footer);
  const index = readHandle(footer);
  if (metaIndex === undefined || index === undefined) return 'has a damaged footer';
  const handles = [metaIndex, index];
  for (const directory of [index, metaIndex]) {
    const listed = listedHandles(table, directory, footerAt);
    if (listed === undefined) return 'has a damaged index';
    for (const handle of listed) handles.push(handle);
  }
  handles.sort((left, right) => left.offset - right.offset);
  let covered = 0;
  for (const handle of handles) {
    if (handle.offset !== covered || !blockChecks(table, handle, footerAt)) {
      return `has a damaged block at byte ${handle.offset}`;
    }
    covered = handle.offset + handle.size + trailerBytes;
  }
  return covered === footerAt ? undefined : `has unlisted bytes from ${covered} on`;
}

function readHandle(reader: ByteReader): BlockHandle | undefined {
  const offset = reader.varint();
  const size = reader.varint();
  return offset === undefined || size === undefined ? undefined : { offset, size };
}

function blockChecks(table: Uint8Array, { offset, size }: BlockHandle, blocksEnd: number): boolean {
  if (offset + size + trailerBytes > blocksEnd) return false;
  const typeAt = offset + size;
  return maskCrc(crc32c(table, offset, typeAt + 1)) === readUint32(table, typeAt + 1);
}

/** The blocks an index block names: each of its values is a handle; its keys do not matter here. */
function listedHandles(table: Uint8Array, index: BlockHandle, blocksEnd: number): BlockHandle[] | undefined {
  if (!blockChecks(table, index, blocksEnd)) return undefined;
  const content = blockContent(table, index);
  if (content === undefined || content.length < 4) return undefined;
  const restarts = readUint32(content, content.length - 4);
  const entriesEnd = content.length - 4 - 4 * restarts;
  if (entriesEnd < 0) return undefined;
  const reader = new ByteReader(content.subarray(0, entriesEnd));
  const handles: BlockHandle[] = [];
  while (!reader.done) {
    const value = readEntryValue(reader);
    const handle = value === undefined ? undefined : readHandle(new ByteReader(value));
    if (handle === undefined) return undefined;
    handles.push(handle);
  }
  return handles;
}

/** An entry is `shared length, own length, value length, own part of the key, value`. */
function readEntryValue(reader: ByteReader): Uint8Array | undefined {
  const shared = reader.varint();
  const own = reader.varint();
  const length = reader.varint();
  if (shared === undefined || own === undefined || length === undefined) return undefined;
  return reader.take(own) === undefined ? undefined : reader.take(length);
}

function blockContent(table: Uint8Array, { offset, size }: BlockHandle): Uint8Array | undefined {
  const stored = table.subarray(offset, offset + size);
  const type = table[offset + size];
  if (type === compression.none) return stored;
  return type === compression.snappy ? decodeSnappy(stored) : undefined;
}
