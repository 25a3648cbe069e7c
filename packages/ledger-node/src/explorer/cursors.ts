/**
 * Where a page ended, as a text that only the list understands that gave it. It names a place in the chain, which no
 * later block moves. A checksum over the list's own name and the place tells a cursor of another list, or one that was
 * changed, from its own; it is no secret.
 */
import { crc32 } from 'node:zlib';
import { equalBytes } from '@symbolon/core/basics/bytes';

const checkBytes = 4;

export function placeCursor(list: string, place: Uint8Array): string {
  return Buffer.concat([place, checkOf(list, place)]).toString('base64url');
}

/** Undefined for what is no cursor of this list. */
export function parsePlaceCursor(list: string, text: string, placeBytes: number): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== placeBytes + checkBytes || bytes.toString('base64url') !== text) return undefined;
  const place = Uint8Array.from(bytes.subarray(0, placeBytes));
  return equalBytes(checkOf(list, place), bytes.subarray(placeBytes)) ? place : undefined;
}

function checkOf(list: string, place: Uint8Array): Uint8Array {
  const check = Buffer.alloc(checkBytes);
  check.writeUInt32BE(crc32(place, crc32(list)));
  return check;
}
