/**
 * Handing a signed transaction in, once, and asking what became of it. Whatever is not known is said to be not known. The
 * same bytes have the same hash: handed in again, they are executed once.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { type Receipt, type ReceiptSource, sightTransaction } from '@symbolon/sdk/ledger/receipts';
import { assertAsSigned } from '@symbolon/sdk/transactions/signed-record';
import { submitTransaction } from '@symbolon/sdk/transactions/transactions';

/** What the ledger says of a transaction: it waits for a block, was executed, or is not there; or nothing is known. */
export type DraftOutcome =
  | { readonly state: 'executed'; readonly hash: string; readonly receipt: Receipt }
  | { readonly state: 'waiting'; readonly hash: string }
  | { readonly state: 'absent'; readonly hash: string }
  | { readonly state: 'unknown'; readonly hash: string }
  | { readonly state: 'refused'; readonly error: unknown };

/** What a node says of it now. */
export async function draftOutcome(ledger: ReceiptSource, signed: SignedTransaction): Promise<DraftOutcome> {
  const hash = encodeHex(signed.hash);
  try {
    const first = await sightTransaction(ledger, hash);
    // Between two questions it may have left the queue for a block.
    const seen = first === 'nowhere' ? await sightTransaction(ledger, hash) : first;
    if (typeof seen === 'string')
      return { state: ({ queued: 'waiting', nowhere: 'absent', noAnswer: 'unknown' } as const)[seen], hash };
    assertAsSigned(seen, signed);
    return { state: 'executed', hash, receipt: seen };
  } catch (error) {
    // Also what a node says wrongly of it leaves open what became of it.
    if (error instanceof SdkError) return { state: 'unknown', hash };
    return { state: 'refused', error };
  }
}

/** Sends it once. */
export async function handInDraft(ledger: LedgerClient, signed: SignedTransaction): Promise<DraftOutcome> {
  const hash = encodeHex(signed.hash);
  try {
    await submitTransaction(ledger, signed);
    return { state: 'waiting', hash };
  } catch (error) {
    if (error instanceof SdkError && error.code === 'outcomeUnknown') return { state: 'unknown', hash };
    // A node refuses what it has already.
    const had = error instanceof LedgerError ? await draftOutcome(ledger, signed) : undefined;
    return had?.state === 'executed' || had?.state === 'waiting' ? had : { state: 'refused', error };
  }
}

/** Whether the ledger may still say something else. */
export const mayChange = ({ state }: DraftOutcome): boolean => state !== 'executed' && state !== 'refused';
