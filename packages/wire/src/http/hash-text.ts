/** The hash of a transaction as requests spell it. */
import { parseHex } from '@symbolon/core/basics/bytes';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import { invalid } from './envelope.ts';

const hashHexLength = 64;

/** What cannot be a hash was copied wrongly: "does not exist" would be read as said of the transaction itself. */
export function readHash(text: string | undefined): Uint8Array | LedgerRefusal | undefined {
  if (text === undefined) return undefined;
  const hash = text.length === hashHexLength ? parseHex(text) : undefined;
  return hash ?? invalid(`hash: must be ${hashHexLength} hex digits`);
}
