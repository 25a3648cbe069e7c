/**
 * The changes that an account made to its DID document, read from a node (core's `did-log.ts` says what a log is).
 * Only entries whose transaction the ledger executed count, and they count from that block's time on. A node that
 * gives no answer is an error and never an empty history.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import type { RecordedChanges } from '@symbolon/core/did/did-document';
import { type DidLogEntry, didLogKey, parseDidLogEntry } from '@symbolon/core/did/did-log';
import { didLogHash, didLogTransaction } from '@symbolon/core/did/did-log-transaction';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { didLogLimits, transactionLimits } from '@symbolon/core/limits/consensus';
import { memberPath } from '../arguments/member-paths.ts';
import { SdkError, unexpectedReply, unlessNotFound } from '../errors/errors.ts';
import { verifyWithWebCrypto } from '../keys/signer.ts';
import { provenTransactions } from './block-proofs.ts';
import type { LedgerClient } from './ledger-client.ts';
import type { Pins } from './pins.ts';
import type { ExecutedTransaction } from './receipts.ts';

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
  /** Where it could not be followed to its first entry: the paths of the members that do not hold. */
  readonly brokenAt?: readonly string[];
}

/** Where entries may be kept, by account and transaction. */
export interface EntryCache {
  get(key: string): RecordedEntry | undefined;
  set(key: string, entry: RecordedEntry): void;
}

/**
 * Follows the log from its newest entry back to where it begins. A link that does not hold ends it: what stands
 * before is not known to be this log. An account without log, or with one that it did not write, has no entries.
 * Who signed the entries is not looked at: this is the node's word, for those who show it and for whoever runs the node.
 * Whoever goes by the keys in it reads `readSignedDidHistory`.
 */
export async function readDidHistory(
  client: LedgerClient,
  address: string,
  cache: EntryCache = new Map(),
): Promise<DidHistory> {
  return followLog({ client, subject: address, cache });
}

/** The account of an identifier. */
export interface LogOwner {
  readonly address: string;
  /** Raw: the identifier itself. */
  readonly publicKey: Uint8Array;
}

export interface SignedLogOptions {
  /** Where others sign for the account, a validator that is named here must have signed the block of the entry. */
  readonly pins?: Pick<Pins, 'validators' | 'chainId'>;
  readonly profile?: NetworkProfile;
  readonly cache?: EntryCache;
}

/**
 * The log of an account for those who go by its keys: every entry is signed by the key of the identifier itself, or is in
 * a block that a pinned validator has signed. A node may still show an older log than there is, and its times are its
 * word; it cannot give anybody a key. Throws `notAsOrdered`.
 */
export async function readSignedDidHistory(
  client: LedgerClient,
  { address, publicKey }: LogOwner,
  { pins = {}, profile, cache = new Map() }: SignedLogOptions = {},
): Promise<DidHistory> {
  const isProven = async ({ record, hash }: ShownEntry): Promise<boolean> => {
    const block = await provenTransactions(client, BigInt(record.ledger_seq), pins, profile);
    return block?.some((proven) => proven.hash === hash && !proven.hasFailed) === true;
  };
  return followLog({
    client,
    subject: address,
    cache,
    isBelieved: async (shown) => (await isSignedBy(publicKey, shown)) || isProven(shown),
    otherwise: 'Ask another node. Where others sign for the account, pin a validator that you know.',
  });
}

/**
 * The log of an account as its owner may go on with it: every entry signed by the key of the identifier itself, back to
 * one that says that it is the first. A node that hides or makes up entries would otherwise have the owner's next change
 * cut off what stands before it. Throws `notAsOrdered`.
 */
export async function readOwnDidHistory(
  client: LedgerClient,
  { address, publicKey }: LogOwner,
): Promise<DidHistory> {
  const history = await followLog({
    client,
    subject: address,
    cache: new Map(),
    isBelieved: (shown) => isSignedBy(publicKey, shown),
    otherwise:
      'Nothing was signed. Ask another node. Where others sign for the account, hand the history over yourself.',
  });
  if (!history.brokenAt) return history;
  throw notOwnLog(
    'the log that the node shows is not whole',
    'Nothing was signed. A change that follows it would give up every key and name before it. Ask another node.',
    history.brokenAt,
  );
}

/** Where a node's answers have the log's newest entry, and the transaction of any. */
export const logMember = memberPath(['result', didLogKey]);
const logValue = `${logMember}.value`;
const record = 'result.transactions[0]';
const recordedText = `${record}.transaction.operations[0].set_metadata.value`;

async function followLog(look: Look): Promise<DidHistory> {
  const { client, subject } = look;
  const stored = await readLogMetadata(client, subject);
  if (!stored) return { entries: [], metadataVersion: 0 };
  const { text, version } = stored;
  const entries: RecordedEntry[] = [];
  const head = parseDidLogEntry(text);
  const ended = (brokenAt?: readonly string[]): DidHistory => ({
    entries: entries.reverse(),
    metadataVersion: version,
    ...(brokenAt && { brokenAt }),
  });
  if (!head) return ended([logValue]);
  if (head.version !== version) return ended([logValue, `${logMember}.version`]);
  let entry = await findEntry(look, didLogHash({ text, entry: head, subject }, sha256), logValue);
  while ('hash' in entry && entries.length < didLogLimits.entriesMax) {
    entries.push(entry);
    const { previous, version: later, ledgerSeq } = entry;
    if (previous === undefined) return ended();
    entry = await findEntry(look, previous, recordedText);
    if ('hash' in entry && entry.version !== later - 1) return ended([recordedText]);
    if ('hash' in entry && entry.ledgerSeq > ledgerSeq) return ended([`${record}.ledger_seq`]);
  }
  return ended('hash' in entry ? [logValue] : entry.brokenAt);
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
  /** What every entry must be, beside executed; left out, the node is taken at its word. */
  readonly isBelieved?: (shown: ShownEntry) => Promise<boolean>;
  /** What to do about one that is not. */
  readonly otherwise?: string;
}

interface ShownEntry {
  readonly hash: string;
  readonly record: Pick<ExecutedTransaction, 'signatures' | 'ledger_seq'>;
  /** What was signed, if it was. */
  readonly message: Uint8Array;
}

interface BrokenLink {
  readonly brokenAt: readonly string[];
}

/**
 * The entry that the transaction of this hash set, if it was executed and is nothing but that. `namedIn` is the member
 * that names it.
 */
async function findEntry(look: Look, hash: string, namedIn: string): Promise<RecordedEntry | BrokenLink> {
  const { client, subject, cache, isBelieved, otherwise = '' } = look;
  // Whoever names another account's transaction as the one before must not get its entry from the cache.
  const cacheKey = `${subject}/${hash}`;
  const known = cache.get(cacheKey);
  if (known) return known;
  const reply = await unlessNotFound(client.getTransactionHistory({ hash }));
  if (!reply) return { brokenAt: [namedIn] };
  const shown = reply.result?.transactions[0];
  if (shown?.hash !== hash) throw unexpectedReply('getTransactionHistory', [`${record}.hash`, namedIn]);
  if (shown.error_code !== 0) return { brokenAt: [`${record}.error_code`] };
  const text = shown.transaction.operations?.[0]?.set_metadata?.value;
  const entry = text === undefined ? undefined : parseDidLogEntry(text);
  // The hash binds everything: whatever else the transaction did, or for whom, makes it another one.
  if (!text || !entry || didLogHash({ text, entry, subject }, sha256) !== hash)
    return { brokenAt: [recordedText] };
  const message = encodeTransaction(didLogTransaction(text, entry, subject));
  if (isBelieved && !(await isBelieved({ hash, record: shown, message })))
    throw notOwnLog(
      'the log that the node shows has an entry that is not signed by its owner',
      otherwise,
      signatureMembers(shown),
    );
  const found = recordedEntry(hash, entry, {
    ledgerSeq: BigInt(shown.ledger_seq),
    timeSeconds: Number(BigInt(shown.close_time) / 1_000_000n),
  });
  cache.set(cacheKey, found);
  return found;
}

const signatureMembers = ({ signatures }: Pick<ExecutedTransaction, 'signatures'>): readonly string[] => {
  const at = `${record}.signatures`;
  return signatures?.length ? [`${at}[0].sign_data`, `${at}[0].public_key`] : [at];
};

/** Whether the raw key is among those that signed these bytes. */
async function isSignedBy(
  publicKey: Uint8Array,
  { record: { signatures = [] }, message }: ShownEntry,
): Promise<boolean> {
  const own = encodeHex(publicKey);
  // The raw key stands between a prefix and a checksum, which need not be looked at: the signature decides.
  for (const { public_key, sign_data } of signatures.slice(0, transactionLimits.signaturesMax)) {
    const signature = public_key?.includes(own) ? parseHex(sign_data ?? '') : undefined;
    if (signature && (await verifyWithWebCrypto({ publicKey, message, signature }))) return true;
  }
  return false;
}

function notOwnLog(message: string, hint: string, members: readonly string[]): SdkError {
  return new SdkError('notAsOrdered', message, { hint, members });
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
