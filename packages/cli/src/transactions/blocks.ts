/** Which block a transaction is in: that something is done is the ledger's to say, not the service's. */
import { codes } from '@symbolon/core/ledger/terms/codes';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { findReceipt, waitForReceipt } from '@symbolon/sdk/ledger/receipts';
import type { Connection } from '../profile/connection.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

/** For whoever wants to look it up there; undefined where it failed, or the node does not know it or cannot be asked. */
export async function blockOf(
  { ledger }: Pick<Connection, 'ledger'>,
  txHash: string | null,
): Promise<bigint | undefined> {
  if (txHash === null) return undefined;
  const receipt = await findReceipt(ledger, txHash.toLowerCase()).catch(() => undefined);
  // What failed is in a block as well, and nothing is recorded by it.
  return receipt?.code === codes.success ? receipt.ledgerSeq : undefined;
}

/** A node that the service does not use may be a block behind. */
const nodeLagMs = 10_000;

/**
 * The block of what was signed here and is done, as the service says. Undefined only where no node can be asked: one that
 * answers and does not know the transaction, or says that it failed, has the last word.
 */
export async function requireBlock(
  { ledger, ledgerUrl }: Connection,
  txHash: string,
): Promise<bigint | undefined> {
  try {
    const { code, ledgerSeq, description } =
      (await findReceipt(ledger, txHash)) ?? (await waitForReceipt(ledger, txHash, { timeoutMs: nodeLagMs }));
    if (code === codes.success) return ledgerSeq;
    throw notDone(`It failed there: ${description}`, { ledgerUrl, txHash });
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    if (error.code === 'unreachable' || error.code === 'timedOut') return undefined;
    if (error.code !== 'receiptTimedOut') throw error;
    throw notDone('It does not have it.', { ledgerUrl, txHash });
  }
}

const notDone = (
  why: string,
  { ledgerUrl, txHash }: { readonly ledgerUrl: string; readonly txHash: string },
): CommandFailure =>
  new CommandFailure(
    `The service says that it is done, and the ledger does not bear it out.\nThe node at ${new URL(ledgerUrl).host} was asked for ${txHash}. ${why}\nDo not rely on it before the node knows it: symbolon tx show ${txHash}`,
    exitCodes.failed,
    { code: 'notAsOrdered' },
  );
