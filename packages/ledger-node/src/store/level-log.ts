/**
 * Reads LevelDB's log format, which its write-ahead logs and its manifest share: blocks of 32 KiB, filled with
 * fragments of `crc (4) ‖ length (2) ‖ type (1) ‖ payload`; a record is one whole fragment or a first, middle
 * ones and a last. LevelDB skips what does not check and goes on, so a block in the middle of the history
 * would be missing without a word; here the reader says where something was lost.
 */
import { concatBytes } from '@symbolon/core/basics/bytes';
import { crc32c, maskCrc, readUint32 } from './level-bytes.ts';

const blockBytes = 32_768;
const headerBytes = 7;
const fragmentTypes = { whole: 1, first: 2, middle: 3, last: 4 } as const;

export interface LogContent {
  records: Uint8Array[];
  /** Something unreadable stands before a readable record. Every write is synced before the next: damage. */
  lostBetween: boolean;
  /** Something unreadable stands at the end: a crash in the middle of a write leaves that, too. */
  lostAtEnd: boolean;
}

type Fragment = { type: number; payload: Uint8Array } | 'unreadable';

export function readLog(bytes: Uint8Array): LogContent {
  const content: LogContent = { records: [], lostBetween: false, lostAtEnd: false };
  let pieces: Uint8Array[] = [];
  const lose = () => {
    pieces = [];
    content.lostAtEnd = true;
  };
  const finish = (record: Uint8Array) => {
    pieces = [];
    content.records.push(record);
    content.lostBetween ||= content.lostAtEnd;
    content.lostAtEnd = false;
  };
  for (const fragment of fragments(bytes)) {
    if (fragment === 'unreadable') {
      lose();
      continue;
    }
    const startsRecord = fragment.type === fragmentTypes.whole || fragment.type === fragmentTypes.first;
    if (startsRecord !== (pieces.length === 0)) lose();
    if (fragment.type === fragmentTypes.whole) finish(fragment.payload);
    else if (fragment.type === fragmentTypes.first) pieces = [fragment.payload];
    else if (pieces.length > 0) {
      pieces.push(fragment.payload);
      if (fragment.type === fragmentTypes.last) finish(concatBytes(...pieces));
    }
  }
  if (pieces.length > 0) lose();
  return content;
}

function* fragments(bytes: Uint8Array): Generator<Fragment> {
  for (let block = 0; block < bytes.length; block += blockBytes) {
    const end = Math.min(block + blockBytes, bytes.length);
    let at = block;
    // What is left of a full block when no header fits is padding.
    while (end - at >= headerBytes) {
      const fragment = readFragment(bytes, at, end);
      yield fragment;
      // The length may be what is damaged, so nothing further in this block can be trusted.
      if (fragment === 'unreadable') break;
      at += headerBytes + fragment.payload.length;
    }
    if (end === bytes.length && at < end && end - at < headerBytes && end - block < blockBytes) {
      yield 'unreadable';
    }
  }
}

function readFragment(bytes: Uint8Array, at: number, end: number): Fragment {
  const payloadAt = at + headerBytes;
  const payloadEnd = payloadAt + bytes[at + 4] + bytes[at + 5] * 256;
  const type = bytes[at + 6];
  if (payloadEnd > end || type < fragmentTypes.whole || type > fragmentTypes.last) return 'unreadable';
  // The checksum covers the type byte and the payload.
  if (maskCrc(crc32c(bytes, at + 6, payloadEnd)) !== readUint32(bytes, at)) return 'unreadable';
  return { type, payload: bytes.subarray(payloadAt, payloadEnd) };
}
