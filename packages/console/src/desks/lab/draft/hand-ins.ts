/**
 * Transactions that were handed in from this page. One is that of the draft; others were left while nobody knew yet what
 * became of them. An answer belongs to what was handed in, whichever draft is on the page by then. Pure.
 */
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { DraftOutcome } from './hand-in.ts';

export interface HandIn {
  readonly id: number;
  readonly signed: SignedTransaction;
  /** What came of handing it in; undefined until that is answered. */
  readonly first: DraftOutcome | undefined;
}

export interface HandIns {
  readonly all: readonly HandIn[];
  /** Of the draft on the page. */
  readonly current: number | undefined;
}

export const noHandIns: HandIns = { all: [], current: undefined };

/** Handed in: the same bytes once more take the place of their first try. */
export const withHandIn = ({ all, current }: HandIns, id: number, signed: SignedTransaction): HandIns => ({
  all: [...all.filter((one) => one.id !== current), { id, signed, first: undefined }],
  current: id,
});

export const withAnswer = ({ all, current }: HandIns, id: number, first: DraftOutcome): HandIns => ({
  all: all.map((one) => (one.id === id ? { ...one, first } : one)),
  current,
});

/** The draft is begun anew. What is settled was told with it; anything else is still to be told. */
export const withoutDraft = ({ all, current }: HandIns, isSettled: boolean): HandIns => ({
  all: isSettled ? all.filter(({ id }) => id !== current) : all,
  current: undefined,
});
