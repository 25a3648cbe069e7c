/**
 * That a transaction was executed is the ledger's to say, not the service's that has passed it on: whoever told an issuer
 * that a credential is revoked, and kept the transaction to itself, would have it verify for good.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import {
  type Receipt,
  type ReceiptSource,
  TransactionFailed,
  type WaitOptions,
  waitForReceipt,
} from '../ledger/receipts.ts';

/**
 * The receipt of these bytes. One that the ledger does not execute in time is `receiptTimedOut`, one that failed
 * `TransactionFailed`, whatever the service has answered.
 */
export async function requireExecuted(
  ledger: ReceiptSource,
  bytes: Uint8Array,
  wait: WaitOptions | undefined,
): Promise<Receipt> {
  const receipt = await waitForReceipt(ledger, encodeHex(sha256(bytes)), wait);
  if (receipt.code !== 0) throw new TransactionFailed(receipt);
  return receipt;
}
