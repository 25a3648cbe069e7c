/**
 * Whether an entry stands in the audit log that the ledger holds the hash of. The log is a chain: each hash covers the
 * one before. Who has an entry and all that follow it up to an anchor computes every hash again and arrives at the one
 * on the ledger, which no other entry in that place would give. Nothing is believed of the service; what stands on the
 * ledger is the word of the node that is asked.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { auditHashText, type ChainedAuditEntry } from '@symbolon/wire/credentials/audit-chain';
import { isJsonObject, parseJson } from '@symbolon/wire/json/json';
import { SdkError, unlessNotFound } from '../errors/errors.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { CredentialClient } from '../service/credential-client.ts';

/** An entry of the audit log, and what was computed from it. */
export interface ProvenAuditEntry {
  readonly entry: ChainedAuditEntry;
  /** Where the hashes lead: the last entry that was computed, and its hash. */
  readonly end: { readonly sequence: number; readonly hash: string };
  /** How many entries were computed. */
  readonly length: number;
  /** The transaction that wrote this hash to the ledger; absent while nothing of it was anchored. */
  readonly anchor?: { readonly txHash: string; readonly ledgerSeq: bigint };
}

/** Where the hash of the log is looked up. */
export interface AuditLedger {
  readonly client: Pick<LedgerClient, 'getTransactionHistory'>;
  /** The address of the service's registry of credentials, from somewhere else than the service. */
  readonly registry: string;
}

/**
 * Reads the way from an entry to the next that the ledger holds, computes its hashes, and compares the last with the
 * ledger's. Throws `SdkError` `unexpectedReply` where they do not fit: then the log was changed, or the service lies.
 */
export async function proveAuditEntry(
  service: Pick<CredentialClient, 'getAuditProof'>,
  sequence: number,
  ledger: AuditLedger,
): Promise<ProvenAuditEntry> {
  let entry: ChainedAuditEntry | undefined;
  let last: { readonly sequence: number; readonly hash: string } | undefined;
  let after: string | undefined;
  for (let page = 0; page < clientLimits.pagesMax; page += 1) {
    const params = { sequence: String(sequence), ...(after !== undefined && { after }) };
    const { chain, end, anchor, nextAfter } = await service.getAuditProof(params);
    for (const next of chain) {
      const expected = last ? last.sequence + 1 : sequence;
      if (next.sequence !== expected) throw broken(`entry ${expected} is missing`);
      if (last && next.previous !== last.hash)
        throw broken(`entry ${expected} does not follow the one before`);
      entry ??= next;
      last = { sequence: next.sequence, hash: encodeHex(sha256(encodeUtf8(auditHashText(next)))) };
    }
    if (!entry || !last) throw broken(`entry ${sequence} is missing`);
    if (nextAfter !== undefined && nextAfter !== after && last.sequence < end.sequence) {
      after = nextAfter;
      continue;
    }
    if (last.sequence !== end.sequence || last.hash !== end.hash)
      throw broken(`the hash of entry ${end.sequence} is another one`);
    const proven = { entry, end: last, length: last.sequence - sequence + 1 };
    if (anchor === null) return proven;
    if (anchor.hash !== last.hash || anchor.sequence !== last.sequence)
      throw broken('it is not the entry that was anchored');
    return { ...proven, anchor: { txHash: anchor.txHash, ledgerSeq: await requireAnchor(ledger, anchor) } };
  }
  throw broken('its proof does not end');
}

/** The block in which this hash was written to the ledger, by the transaction that the service names. */
async function requireAnchor(
  { client, registry }: AuditLedger,
  { txHash, hash, sequence }: { readonly txHash: string; readonly hash: string; readonly sequence: number },
): Promise<bigint> {
  const found = await unlessNotFound(client.getTransactionHistory({ hash: txHash }));
  const [executed] = found?.result?.transactions ?? [];
  if (!executed || executed.hash !== txHash || executed.error_code !== 0)
    throw broken('the ledger has not executed the transaction that is to hold its hash');
  const call = executed.transaction.operations?.[0]?.pay_coin;
  const input = call?.dest_address === registry ? parsed(call.input) : undefined;
  const params = isJsonObject(input) ? input.params : undefined;
  const isWritten =
    isJsonObject(input) &&
    input.method === 'anchorAudit' &&
    isJsonObject(params) &&
    params.head === hash &&
    Number(params.count) === sequence;
  if (!isWritten)
    throw broken('the transaction on the ledger holds another hash, or is for another registry');
  return BigInt(executed.ledger_seq);
}

function parsed(text: string | undefined) {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

const broken = (how: string): SdkError =>
  new SdkError('unexpectedReply', `the audit log does not prove the entry: ${how}`, {
    hint: 'Keep what the service answered, and ask whoever runs it: an entry was changed, or the answer is not the log.',
  });
