/**
 * Transactions on their way: each handed in by a click, then the ledger is asked until it has said what became of it.
 * Nothing is sent a second time by itself.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { type DraftOutcome, draftOutcome, handInDraft, mayChange } from '../draft/hand-in.ts';
import { type HandIn, noHandIns, withAnswer, withHandIn, withoutDraft } from '../draft/hand-ins.ts';

export type Submission = { readonly state: 'none' } | { readonly state: 'submitting' } | DraftOutcome;

/** One that was handed in before the draft was begun anew. */
export interface LeftHandIn {
  readonly id: number;
  readonly hash: string;
  readonly submission: Exclude<Submission, { readonly state: 'none' }>;
}

export interface SubmissionDesk {
  readonly submission: Submission;
  /** Whose outcome was not known when their drafts were left. */
  readonly left: readonly LeftHandIn[];
  readonly submit: (signed: SignedTransaction) => Promise<void>;
  readonly forget: () => void;
}

const askedAgainMs = 1_000;

/** What is known by now of each. */
function useOutcomes(all: readonly HandIn[]): ReadonlyMap<number, LeftHandIn['submission']> {
  const { ledger } = useClients();
  return useQueries({
    queries: all.map(({ id, signed, first }) => ({
      queryKey: ['lab', 'outcome', encodeHex(signed.hash), id],
      queryFn: () => draftOutcome(ledger, signed),
      enabled: first !== undefined && mayChange(first),
      refetchInterval: ({ state }: { readonly state: { readonly data: DraftOutcome | undefined } }) =>
        state.data && !mayChange(state.data) ? (false as const) : askedAgainMs,
    })),
    combine: (answers) =>
      new Map(all.map(({ id, first }, at) => [id, answers[at]?.data ?? first ?? { state: 'submitting' }])),
  });
}

export function useSubmission(): SubmissionDesk {
  const { ledger } = useClients();
  const queries = useQueryClient();
  const [handIns, setHandIns] = useState(noHandIns);
  const lastId = useRef(0);
  const { all, current } = handIns;
  const outcomes = useOutcomes(all);
  const submission = (current === undefined ? undefined : outcomes.get(current)) ?? { state: 'none' };
  const executed = [...outcomes.values()].filter(({ state }) => state === 'executed').length;
  useEffect(() => {
    if (executed > 0) void queries.invalidateQueries({ queryKey: ['ledger'] });
  }, [executed, queries]);
  return {
    submission,
    left: all.flatMap(({ id, signed }) => {
      const outcome = outcomes.get(id);
      return id === current || !outcome ? [] : [{ id, hash: encodeHex(signed.hash), submission: outcome }];
    }),
    async submit(signed) {
      lastId.current += 1;
      const id = lastId.current;
      setHandIns((before) => withHandIn(before, id, signed));
      const first = await handInDraft(ledger, signed);
      setHandIns((before) => withAnswer(before, id, first));
    },
    forget() {
      const isSettled = submission.state === 'executed' || submission.state === 'refused';
      setHandIns((before) => withoutDraft(before, isSettled));
    },
  };
}
