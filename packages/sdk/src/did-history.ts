/**
 * The changes that an account made to its DID document, read from a node (core's `did-log.ts` says what a log is).
 * Only entries whose transaction the ledger executed count, and they count from that block's time on. A node that
 * gives no answer is an error and never an empty history.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { RecordedChanges } from '@symbolon/core/did-document';
import { type DidLogEntry, didLogHash, didLogKey, parseDidLogEntry } from '@symbolon/core/did-log';
import { didLimits } from '@symbolon/core/limits';
import { unexpectedReply, unlessNotFound } from './ledger-answers.ts';
import type { LedgerClient } from './ledger-client.ts';

/** An executed entry. What was executed never changes, so it may be kept for good. */
export interface RecordedEntry extends RecordedChanges {
  readonly hash: string;
  readonly previous?: string;
  readonly version: number;
}

export interface DidHistory {
  /** Oldest first. */
  readonly entries: readonly RecordedEntry[];
  /** Of the metadata entry, whoever set it: what the next change has to follow. 0 when there is none. */
  readonly metadataVersion: number;
}

/** Where entries may be kept, by account and transaction. */
export interface EntryCache {
  get(key: string): RecordedEntry | undefined;
  set(key: string, entry: RecordedEntry): void;
}

/**
 * Follows the log from its newest entry back to where it begins. A link that does not hold ends it: what stands
 * before is not known to be this log. An account without log, or with one that it did not write, has no entries.
 */
export async function readDidHistory(
  client: LedgerClient,
  address: string,
  cache: EntryCache = new Map(),
): Promise<DidHistory> {
  const stored = await readLogMetadata(client, address);
  if (!stored) return { entries: [], metadataVersion: 0 };
  const { text, version } = stored;
  const entries: RecordedEntry[] = [];
  const head = parseDidLogEntry(text);
  if (!head || head.version !== version) return { entries, metadataVersion: version };
  const look = { client, subject: address, cache };
  let entry = await findEntry(look, didLogHash({ text, entry: head, subject: address }, sha256));
  while (entry && entries.length < didLimits.logEntriesMax) {
    entries.push(entry);
    const { previous, version: later, ledgerSeq } = entry;
    if (previous === undefined) break;
    const before = await findEntry(look, previous);
    entry = before && before.version === later - 1 && before.ledgerSeq <= ledgerSeq ? before : undefined;
  }
  return { entries: entries.reverse(), metadataVersion: version };
}

async function readLogMetadata(
  client: LedgerClient,
  address: string,
): Promise<{ text: string; version: number } | undefined> {
  const reply = await unlessNotFound(client.getAccountMetaData({ address, key: didLogKey }));
  const entry = reply?.result?.[didLogKey];
  return entry && { text: entry.value ?? '', version: Number(entry.version ?? 0) };
}

interface Look {
  readonly client: LedgerClient;
  readonly subject: string;
  readonly cache: EntryCache;
}

/** The entry that the transaction of this hash set, if it was executed and is nothing but that. */
async function findEntry({ client, subject, cache }: Look, hash: string): Promise<RecordedEntry | undefined> {
  // Whoever names another account's transaction as the one before must not get its entry from the cache.
  const cacheKey = `${subject}/${hash}`;
  const known = cache.get(cacheKey);
  if (known) return known;
  const reply = await unlessNotFound(client.getTransactionHistory({ hash }));
  if (!reply) return undefined;
  const record = reply.result?.transactions[0];
  if (record?.hash !== hash) throw unexpectedReply('getTransactionHistory');
  if (record.error_code !== 0) return undefined;
  const text = record.transaction.operations?.[0]?.set_metadata?.value;
  const entry = text === undefined ? undefined : parseDidLogEntry(text);
  // The hash binds everything: whatever else the transaction did, or for whom, makes it another one.
  if (!text || !entry || didLogHash({ text, entry, subject }, sha256) !== hash) return undefined;
  const found = recordedEntry(hash, entry, {
    ledgerSeq: BigInt(record.ledger_seq),
    timeSeconds: Number(BigInt(record.close_time) / 1_000_000n),
  });
  cache.set(cacheKey, found);
  return found;
}

const recordedEntry = (
  hash: string,
  { version, previous, changes }: DidLogEntry,
  executed: Pick<RecordedEntry, 'ledgerSeq' | 'timeSeconds'>,
): RecordedEntry => ({
  hash,
  version,
  changes,
  ...executed,
  ...(previous === undefined ? {} : { previous }),
});
