/**
 * A transaction on its way: handed in by a click, then the ledger is asked until it has said what became of it. Nothing is
 * sent a second time by itself.
 */
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { type DraftOutcome, draftOutcome, handInDraft, mayChange } from '../draft/hand-in.ts';

export type Submission = { readonly state: 'none' } | { readonly state: 'submitting' } | DraftOutcome;

export interface SubmissionDesk {
  readonly submission: Submission;
  readonly submit: (signed: SignedTransaction) => Promise<void>;
  readonly forget: () => void;
}

const askedAgainMs = 1_000;

/** A transaction that was handed in: when, and what came of that. */
interface Sent {
  readonly signed: SignedTransaction;
  readonly at: number;
  readonly first: DraftOutcome;
}

export function useSubmission(): SubmissionDesk {
  const { ledger } = useClients();
  const queries = useQueryClient();
  const [sent, setSent] = useState<Sent | 'submitting'>();
  const pursued = typeof sent === 'object' && mayChange(sent.first) ? sent : undefined;
  const { data } = useQuery({
    queryKey: ['lab', 'outcome', pursued?.first, pursued?.at],
    queryFn: () => draftOutcome(ledger, (pursued as Sent).signed),
    enabled: pursued !== undefined,
    refetchInterval: ({ state }) => (state.data && !mayChange(state.data) ? false : askedAgainMs),
  });
  const submission: Submission =
    typeof sent === 'object'
      ? ((pursued && data) ?? sent.first)
      : { state: sent === undefined ? 'none' : 'submitting' };
  const isExecuted = submission.state === 'executed';
  useEffect(() => {
    if (isExecuted) void queries.invalidateQueries({ queryKey: ['ledger'] });
  }, [isExecuted, queries]);
  return {
    submission,
    async submit(signed) {
      setSent('submitting');
      setSent({ signed, at: Date.now(), first: await handInDraft(ledger, signed) });
    },
    forget: () => setSent(undefined),
  };
}
