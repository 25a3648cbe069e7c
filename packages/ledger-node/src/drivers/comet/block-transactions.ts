/**
 * The transactions of a block as this node executes them. Who signed is asked of the queue where the very bytes wait
 * there, verified; the rest is verified here, once. Signatures that count for no account of the transaction by the state
 * before the block are taken out by every node alike: a proposer that adds some makes nobody pay for them.
 */
import type { KeyFormat } from '@symbolon/core/keys/keys';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Account } from '@symbolon/core/proto/ledger_pb';
import { verifyLimits } from '../../limits/node-limits.ts';
import type { QueuedTransaction } from '../../queue/admission.ts';
import type { WaitingQueue } from '../../queue/waiting-queue.ts';
import { verifyLedgerSignature } from '../../signatures/ed25519.ts';
import { dropForeignSignatures, signerOfEach, type VerifySignature } from '../../signatures/signers.ts';
import { findQueued, openNetworkBytes } from './network-bytes.ts';

export interface BlockTransactionsParts {
  readonly queue: Pick<WaitingQueue<QueuedTransaction>, 'get'>;
  readonly keys: KeyFormat;
  readonly verify: VerifySignature;
  /** By the last block. */
  accountOf(address: string): Account | undefined;
}

/** In the order of the block; undefined where the bytes are no transaction. */
export async function openBlock(
  transactions: readonly Uint8Array[],
  parts: BlockTransactionsParts,
): Promise<(VerifiedTransaction | undefined)[]> {
  const opened: (VerifiedTransaction | undefined)[] = [];
  // Not all at once: the verifier takes a bounded number of signatures.
  for (let start = 0; start < transactions.length; start += verifyLimits.transactionsAtOnce) {
    const some = transactions.slice(start, start + verifyLimits.transactionsAtOnce);
    opened.push(...(await Promise.all(some.map((bytes) => open(bytes, parts)))));
  }
  return opened;
}

async function open(
  bytes: Uint8Array,
  parts: BlockTransactionsParts,
): Promise<VerifiedTransaction | undefined> {
  const facts = { accountOf: parts.accountOf, waitingOf: () => [] };
  const known = findQueued(bytes, parts.queue);
  if (known) {
    // Each signature of a queued transaction is of another signer, in the same order, and verifies.
    const { signed, signedBy } = known.verified;
    return dropForeignSignatures(signed, [...signedBy], facts);
  }
  const signed = openNetworkBytes(bytes);
  return signed && dropForeignSignatures(signed, await signersOf(signed, parts), facts);
}

async function signersOf(
  signed: SignedTransaction,
  { keys, verify }: BlockTransactionsParts,
): Promise<readonly (string | undefined)[]> {
  const signers = await signerOfEach(signed, keys, verify);
  if (signers) return signers;
  // The verifier has too much to do: a block does not wait.
  const verifyHere = async (...order: Parameters<typeof verifyLedgerSignature>) =>
    verifyLedgerSignature(...order);
  return (await signerOfEach(signed, keys, verifyHere)) ?? [];
}
