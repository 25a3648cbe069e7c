/** Which block a transaction is in, for whoever wants to look it up there. */
import { findReceipt } from '@symbolon/sdk/receipts';
import type { Connection } from './connection.ts';

/** Undefined where the node cannot be asked: what the service has done is done, with or without its block's number. */
export async function blockOf({ ledger }: Connection, txHash: string | null): Promise<bigint | undefined> {
  if (txHash === null) return undefined;
  try {
    return (await findReceipt(ledger, txHash.toLowerCase()))?.ledgerSeq;
  } catch {
    return undefined;
  }
}
