/**
 * Checks LevelDB's table files: the footer leads to the index, the index to every data block, each block carries a
 * CRC-32C, and together the blocks must fill the file without a gap. LevelDB itself, as `classic-level` opens it,
 * checks none of this: a flipped bit in a row's sequence number would bring an older value of the row back to life,
 * with a valid checksum. `tableDamage` reads a table from end to end, `CheckedBlocks` only what rows are read from.
 */
import { ByteReader, crc32c, maskCrc, readUint32 } from './level-bytes.ts';
import { decodeSnappy } from './snappy.ts';

const footerBytes = 48;
const magic = [0x8b80fb57, 0xdb477524] as const;
const trailerBytes = 5;
const compression = { none: 0, snappy: 1 } as const;
/** What LevelDB puts behind the key of a row: its sequence number and kind. */
export const keyTrailerBytes = 8;

/** The bytes of a table, wherever they lie. */
export interface TableSource {
  readonly length: number;
  read(offset: number, length: number): Uint8Array;
}

interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

interface Footer {
  readonly metaIndex: BlockHandle;
  readonly index: BlockHandle;
  /** Where the blocks end and the footer begins. */
  readonly blocksEnd: number;
}

/** What a table has beside its rows, each part checked. */
interface Directory extends Footer {
  readonly blocks: HandleList;
  readonly filters: HandleList;
}

/** What is wrong with the table; undefined when nothing is. */
export function tableDamage(table: Uint8Array): string | undefined {
  const source = {
    length: table.length,
    read: (at: number, length: number) => table.subarray(at, at + length),
  };
  const directory = readDirectory(source);
  if (typeof directory === 'string') return directory;
  const { blocks, filters, metaIndex, index, blocksEnd } = directory;
  const handles = [...blocks.handles(), ...filters.handles(), metaIndex, index];
  handles.sort((left, right) => left.offset - right.offset);
  let covered = 0;
  for (const handle of handles) {
    if (handle.offset !== covered || !checkedBlock(source, handle, blocksEnd)) return damagedBlock(handle);
    covered = blockEnd(handle);
  }
  return covered === blocksEnd ? undefined : `has unlisted bytes from ${covered} on`;
}

/** What is wrong with the end of a table, a glance that costs the same for every table. */
export function footerDamage(source: TableSource): string | undefined {
  const footer = readFooter(source);
  return typeof footer === 'string' ? footer : undefined;
}

/** Checks the blocks of one table as rows are read from them, each block once. */
export class CheckedBlocks {
  readonly #blocks: HandleList;
  readonly #blocksEnd: number;
  readonly #isChecked: Uint8Array;

  private constructor({ blocks, blocksEnd }: Directory) {
    this.#blocks = blocks;
    this.#blocksEnd = blocksEnd;
    this.#isChecked = new Uint8Array(blocks.length);
  }

  /** Begins with what every reading of the table goes through: footer, index and filters. Or what is wrong there. */
  static of(source: TableSource): CheckedBlocks | string {
    const directory = readDirectory(source);
    if (typeof directory === 'string') return directory;
    for (const handle of directory.filters.handles())
      if (!checkedBlock(source, handle, directory.blocksEnd)) return damagedBlock(handle);
    return new CheckedBlocks(directory);
  }

  /** What is wrong with the blocks that hold the keys from `first` to `last`, or would hold them, and with their neighbours. */
  damageBetween(source: TableSource, first: Uint8Array, last: Uint8Array): string | undefined {
    const end = Math.min(this.#blocks.firstBeyond(last) + 1, this.#blocks.length);
    for (let block = Math.max(0, this.#blocks.firstFrom(first) - 1); block < end; block++) {
      if (this.#isChecked[block]) continue;
      const handle = this.#blocks.handle(block);
      if (!checkedBlock(source, handle, this.#blocksEnd)) return damagedBlock(handle);
      this.#isChecked[block] = 1;
    }
    return undefined;
  }
}

const blockEnd = ({ offset, size }: BlockHandle): number => offset + size + trailerBytes;
const damagedBlock = ({ offset }: BlockHandle): string => `has a damaged block at byte ${offset}`;

function readFooter(source: TableSource): Footer | string {
  const blocksEnd = source.length - footerBytes;
  if (blocksEnd < 0) return 'is cut short';
  const footer = source.read(blocksEnd, footerBytes);
  if (readUint32(footer, footerBytes - 8) !== magic[0] || readUint32(footer, footerBytes - 4) !== magic[1]) {
    return 'does not end as a table does';
  }
  const reader = new ByteReader(footer);
  const metaIndex = readHandle(reader);
  const index = readHandle(reader);
  // The footer has no checksum: that both directories stand where they belong has to show it.
  if (!metaIndex || !index || blockEnd(metaIndex) !== index.offset || blockEnd(index) !== blocksEnd) {
    return 'has a damaged footer';
  }
  return { metaIndex, index, blocksEnd };
}

function readDirectory(source: TableSource): Directory | string {
  const footer = readFooter(source);
  if (typeof footer === 'string') return footer;
  const blocks = readHandles(source, footer.index, footer.blocksEnd);
  const filters = readHandles(source, footer.metaIndex, footer.blocksEnd);
  return blocks && filters ? { ...footer, blocks, filters } : 'has a damaged index';
}

function readHandle(reader: ByteReader): BlockHandle | undefined {
  const offset = reader.varint();
  const size = reader.varint();
  return offset === undefined || size === undefined ? undefined : { offset, size };
}

/** The bytes of a block as they are stored, its kind of compression behind them; undefined when its checksum is wrong. */
function checkedBlock(source: TableSource, handle: BlockHandle, blocksEnd: number): Uint8Array | undefined {
  if (blockEnd(handle) > blocksEnd) return undefined;
  const block = source.read(handle.offset, handle.size + trailerBytes);
  const checked = handle.size + 1;
  return maskCrc(crc32c(block, 0, checked)) === readUint32(block, checked)
    ? block.subarray(0, checked)
    : undefined;
}

/** The handles that an index block lists; undefined when it is none that LevelDB writes. */
function readHandles(source: TableSource, index: BlockHandle, blocksEnd: number): HandleList | undefined {
  const block = checkedBlock(source, index, blocksEnd);
  const content = block && blockContent(block);
  if (content === undefined || content.length < 4) return undefined;
  const restarts = readUint32(content, content.length - 4);
  const entriesEnd = content.length - 4 - 4 * restarts;
  return entriesEnd < 0 ? undefined : HandleList.read(content.subarray(0, entriesEnd));
}

function blockContent(block: Uint8Array): Uint8Array | undefined {
  const stored = block.subarray(0, -1);
  const type = block[block.length - 1];
  if (type === compression.none) return stored;
  return type === compression.snappy ? decodeSnappy(stored) : undefined;
}

/**
 * The entries of an index block: each names a block and a key that is not below the keys in it and below those of the
 * next one. They stay as they are stored, and are taken apart when they are looked at: a large table has thousands.
 */
class HandleList {
  readonly #entries: Uint8Array;
  readonly #places: Uint32Array;

  private constructor(entries: Uint8Array, places: Uint32Array) {
    this.#entries = entries;
    this.#places = places;
  }

  static read(entries: Uint8Array): HandleList | undefined {
    const places: number[] = [];
    for (let at = 0; at < entries.length; ) {
      const entry = readEntry(entries, at);
      if (!entry) return undefined;
      places.push(at);
      at = entry.end;
    }
    return new HandleList(entries, Uint32Array.from(places));
  }

  get length(): number {
    return this.#places.length;
  }

  handle(place: number): BlockHandle {
    return this.#entry(place).handle;
  }

  *handles(): Iterable<BlockHandle> {
    for (let place = 0; place < this.length; place++) yield this.handle(place);
  }

  /** The first block that may hold the key or a higher one. */
  firstFrom(key: Uint8Array): number {
    return this.#firstThat((own) => Buffer.compare(own, key) >= 0);
  }

  /** The first block that may hold higher keys than this one. */
  firstBeyond(key: Uint8Array): number {
    return this.#firstThat((own) => Buffer.compare(own, key) > 0);
  }

  #firstThat(isFar: (key: Uint8Array) => boolean): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isFar(this.#entry(middle).key)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #entry(place: number): IndexEntry {
    const entry = readEntry(this.#entries, this.#places[place]);
    if (!entry) throw new Error('an entry that was read before');
    return entry;
  }
}

interface IndexEntry {
  readonly key: Uint8Array;
  readonly handle: BlockHandle;
  readonly end: number;
}

/** An entry is `shared length, own length, value length, own part of the key, value`; an index shares nothing. */
function readEntry(entries: Uint8Array, at: number): IndexEntry | undefined {
  const reader = new ByteReader(entries, at);
  const shared = reader.varint();
  const own = reader.varint();
  const length = reader.varint();
  if (shared !== 0 || own === undefined || length === undefined) return undefined;
  const key = reader.take(own);
  const value = key && reader.take(length);
  const handle = value && readHandle(new ByteReader(value));
  return key && handle ? { key: key.subarray(0, -keyTrailerBytes), handle, end: reader.at } : undefined;
}
