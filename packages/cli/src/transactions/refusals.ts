/** What the ledger refuses, in words: what happened, why, and which contracts had called each other. */
import { type FailureDescription, readFailure } from '@symbolon/contract-kit/failure-description';
import { traceLines } from '@symbolon/contract-kit/failure-trace';
import { given } from '@symbolon/core/basics/plain-values';
import { LedgerError } from '@symbolon/sdk/errors/errors';
import { TransactionFailed } from '@symbolon/sdk/ledger/receipts';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import type { JsonObject } from '@symbolon/wire/json/json';
import { readTrace } from '@symbolon/wire/ledger/call-trace-json';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { printable } from '../terminal/terminal.ts';

/**
 * Works, and explains what the ledger refuses: `refused` says what happened, then comes why. Programs get the ledger's
 * own words too.
 */
export async function explained<Answer>(refused: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const failure = readFailure(error.code, error.description);
    const words = describeRefusal(error, failure, refused);
    throw new CommandFailure(words, exitCodes.failed, failureToJson(error, failure));
  }
}

function describeRefusal(
  error: LedgerError,
  { summary, contract }: FailureDescription,
  refused: string,
): string {
  const trace = traceLines(readTrace(error.reply)).map(printable);
  const where = trace.length === 0 && contract !== undefined ? [`Contract ${printable(contract)}.`] : trace;
  const why = printable(summary);
  if (error instanceof TransactionFailed) {
    const { hash, ledgerSeq, actualFee } = error.receipt;
    const cost = `Transaction ${hash} stands in block ${ledgerSeq} and cost ${actualFee} (${coinText(actualFee)}); nothing else has changed.`;
    return ['The transaction failed.', why, ...where, cost].join('\n');
  }
  return [refused, why, ...where].join('\n');
}

const failureToJson = (
  { code, name, description, reply }: LedgerError,
  { contract, exception, line }: FailureDescription,
): JsonObject => ({
  code: name,
  ledgerCode: code,
  description,
  ...given({ contract, exception, line, trace: readTrace(reply).length === 0 ? undefined : reply.trace }),
});
