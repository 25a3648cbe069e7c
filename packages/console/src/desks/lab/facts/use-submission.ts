/**
 * Handing a signed transaction in and waiting for its block. Whatever is not known is said to be not known: nothing is
 * sent a second time, only the ledger is asked again.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { SdkError } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { type Receipt, waitForReceipt } from '@symbolon/sdk/ledger/receipts';
import { assertAsSigned } from '@symbolon/sdk/transactions/signed-record';
import { submitTransaction } from '@symbolon/sdk/transactions/transactions';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients } from '../../../api/api.tsx';

export type Submission =
  | { readonly state: 'none' }
  | { readonly state: 'submitting' }
  | { readonly state: 'waiting'; readonly hash: string }
  | { readonly state: 'executed'; readonly hash: string; readonly receipt: Receipt }
  | { readonly state: 'unknown'; readonly hash: string }
  /** The ledger said no, or nothing was sent. */
  | { readonly state: 'refused'; readonly error: unknown };

export interface SubmissionDesk {
  readonly submission: Submission;
  readonly submit: (signed: SignedTransaction) => Promise<void>;
  readonly askAgain: (signed: SignedTransaction) => Promise<void>;
  readonly forget: () => void;
}

/** A block comes every few seconds; who waits longer is told that it is not known. */
const waitedMs = 30_000;

async function waitFor(ledger: LedgerClient, signed: SignedTransaction, hash: string): Promise<Submission> {
  try {
    const receipt = await waitForReceipt(ledger, hash, { timeoutMs: waitedMs });
    assertAsSigned(receipt, signed);
    return { state: 'executed', hash, receipt };
  } catch (error) {
    // Also what a node says wrongly of it leaves open what became of it.
    if (error instanceof SdkError) return { state: 'unknown', hash };
    return { state: 'refused', error };
  }
}

export function useSubmission(): SubmissionDesk {
  const { ledger } = useClients();
  const queries = useQueryClient();
  const [submission, setSubmission] = useState<Submission>({ state: 'none' });
  const finish = async (signed: SignedTransaction, hash: string): Promise<void> => {
    setSubmission({ state: 'waiting', hash });
    setSubmission(await waitFor(ledger, signed, hash));
    await queries.invalidateQueries({ queryKey: ['ledger'] });
  };
  return {
    submission,
    async submit(signed) {
      setSubmission({ state: 'submitting' });
      try {
        await submitTransaction(ledger, signed);
      } catch (error) {
        const isUnknown = error instanceof SdkError && error.code === 'outcomeUnknown';
        setSubmission(
          isUnknown ? { state: 'unknown', hash: encodeHex(signed.hash) } : { state: 'refused', error },
        );
        return;
      }
      await finish(signed, encodeHex(signed.hash));
    },
    askAgain: (signed) => finish(signed, encodeHex(signed.hash)),
    forget: () => setSubmission({ state: 'none' }),
  };
}
