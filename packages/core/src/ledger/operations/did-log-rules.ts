/**
 * What the ledger demands of an account's DID log (docs/decisions.md, "DID log"): it only grows. Whoever could delete
 * or restart it would bring a deactivated identifier back, and with it keys that were ended as compromised.
 */
import { encodeHex, type Sha256 } from '../../basics/bytes.ts';
import { didLogKey, parseDidLogEntry } from '../../did/did-log.ts';
import { didLogHash } from '../../did/did-log-transaction.ts';
import type { MetadataEntry, SetMetadata } from '../../proto/ledger_pb.ts';
import type { LedgerRules } from '../terms/chain-parameters.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import type { SignedTransaction } from '../terms/transaction.ts';

/** Rules over the body alone: nothing but an entry is ever written there. */
export function checkDidLogBody({ key, value, deleteFlag }: SetMetadata): LedgerRefusal | undefined {
  if (key !== didLogKey) return undefined;
  if (deleteFlag) return refuse('invalidParameter', `"${didLogKey}" is never deleted: it only grows`);
  return parseDidLogEntry(value)
    ? undefined
    : refuse('invalidParameter', `the value is not an entry of "${didLogKey}"`);
}

/** Somebody else's account gets no log: its holder begins it. */
export const checkNewAccountKey = (key: string): LedgerRefusal | undefined =>
  key === didLogKey
    ? refuse('invalidParameter', `"${didLogKey}" is written by its own account, not at its creation`)
    : undefined;

interface Step {
  readonly stored: MetadataEntry | undefined;
  readonly value: string;
  readonly source: string;
}

/** An entry follows the one that is stored: by its version, and by the hash that it names. */
export function checkDidLogStep({ stored, value, source }: Step, sha256: Sha256): LedgerRefusal | undefined {
  const next = (stored?.version ?? 0n) + 1n;
  const entry = parseDidLogEntry(value);
  if (!entry || BigInt(entry.version) !== next)
    return refuse('badMetadataVersion', `the next entry of "${didLogKey}" has version ${next}`);
  const before = stored && parseDidLogEntry(stored.value);
  const previous =
    before && BigInt(before.version) === stored.version
      ? didLogHash({ text: stored.value, entry: before, subject: source }, sha256)
      : undefined;
  return entry.previous === previous
    ? undefined
    : refuse('invalidParameter', `"previous" does not name the entry of "${didLogKey}" that is stored`);
}

/**
 * An entry is set by the one transaction whose terms it names, else nobody would find it. An evaluation does not ask
 * this, because the terms are not settled before it.
 */
export function checkDidLogTransaction(
  { transaction, hash }: SignedTransaction,
  { sha256 }: LedgerRules,
): LedgerRefusal | undefined {
  for (const { setMetadata, sourceAddress } of transaction.operations) {
    if (setMetadata?.key !== didLogKey) continue;
    const { value: text } = setMetadata;
    const entry = parseDidLogEntry(text);
    const subject = sourceAddress || transaction.sourceAddress;
    if (!entry || didLogHash({ text, entry, subject }, sha256) !== encodeHex(hash))
      return refuse('invalidParameter', `the entry of "${didLogKey}" names another transaction than its own`);
  }
  return undefined;
}
