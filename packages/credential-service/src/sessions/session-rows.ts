/**
 * Verification sessions. Every move is one update with a condition on the state before, so of many concurrent callers
 * one wins and the others are told. An answer first claims its session: while it is being decided nobody else can
 * answer, abort or let it expire; a claim whose process is gone lapses.
 */

import { sessionLimits } from '@symbolon/core/limits/waiting';
import {
  endedVerificationStates,
  openVerificationStates,
  type VerificationAct,
  type VerificationState,
  verificationMove,
} from '@symbolon/core/presentation/verification-states';
import type { SessionAborter } from '@symbolon/wire/sessions/replies';
import { type ExpressionBuilder, sql } from 'kysely';
import { type Page, type PageRequest, pageInOrder } from '../database/paging.ts';
import type { Encrypted, Queries, RowOf, ServiceSchema } from '../database/schema.ts';
import { countRows, deleteBatch, hasRow, putRow, rowBy } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type VerificationSession = RowOf<'verificationSessions'>;

type NewSession = Pick<
  VerificationSession,
  'id' | 'keyId' | 'stateId' | 'nonce' | 'request' | 'createdAt' | 'expiresAt'
>;

export async function addSession(queries: Queries, session: NewSession): Promise<VerificationSession> {
  return queries
    .insertInto('verificationSessions')
    .values({ ...session, state: 'CREATED', updatedAt: session.createdAt, wrongAnswers: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const countOpenSessions = (queries: Queries, keyId: string): Promise<number> =>
  countRows(
    queries
      .selectFrom('verificationSessions')
      .where('keyId', '=', keyId)
      .where('state', 'in', openVerificationStates),
  );

export const findSession = rowBy('verificationSessions', 'id');

type SessionTerms = ExpressionBuilder<ServiceSchema, 'verificationSessions'>;

/** Nobody is deciding about it, or whoever was is gone. */
const isFree = (now: number) => (eb: SessionTerms) =>
  eb.or([eb('claim', 'is', null), eb('claimedAt', '<=', now - sessionLimits.answerLeaseMs)]);

interface SessionClaim {
  readonly id: string;
  readonly claim: string;
  readonly now: number;
}

/** The session, for the answer that came first. */
export const claimSession = (queries: Queries, { id, claim, now }: SessionClaim): Promise<boolean> =>
  hasRow(
    queries
      .updateTable('verificationSessions')
      .set({ claim, claimedAt: now })
      .where('id', '=', id)
      .where('state', 'in', openVerificationStates)
      .where('expiresAt', '>', now)
      .where(isFree(now))
      .returning('id'),
  );

/** Gives a session back: nothing was decided. */
export async function releaseSession(queries: Queries, { id, claim }: SessionClaim): Promise<void> {
  await queries
    .updateTable('verificationSessions')
    .set({ claim: null, claimedAt: null })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute();
}

/** One more answer that was none to this session. */
export async function countWrongAnswer(queries: Queries, id: string): Promise<void> {
  await queries
    .updateTable('verificationSessions')
    .set({ wrongAnswers: sql<number>`"wrongAnswers" + 1` })
    .where('id', '=', id)
    .execute();
}

/** A move of the table of states, where the session is in a state before it. */
function move(
  queries: Queries,
  act: VerificationAct,
  { id, now }: { readonly id: string; readonly now: number },
) {
  const { from, to } = verificationMove(act);
  return queries
    .updateTable('verificationSessions')
    .set({ state: to, updatedAt: now })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning('id');
}

/** → FETCHED; may be repeated. */
export const markFetched = (queries: Queries, id: string, now: number): Promise<boolean> =>
  hasRow(move(queries, 'fetch', { id, now }).where('expiresAt', '>', now));

/** By the answer that has claimed the session, or while nobody decides about it. */
export type SessionEnd<Result> =
  | { readonly act: 'accept' | 'refuse'; readonly claim: string; readonly result: Result }
  | { readonly act: 'abort'; readonly by: SessionAborter | null }
  | { readonly act: 'expire' };

/** → VERIFIED or FAILED; ABORTED, in time; EXPIRED, after it. False when somebody else was faster. */
export async function endSessionRow(
  queries: Queries,
  { id, now }: { readonly id: string; readonly now: number },
  end: SessionEnd<Encrypted>,
): Promise<boolean> {
  const moved = move(queries, end.act, { id, now });
  if ('claim' in end)
    return hasRow(
      moved.set({ result: end.result, claim: null, claimedAt: null }).where('claim', '=', end.claim),
    );
  const free = moved.where(isFree(now));
  return hasRow(
    end.act === 'abort'
      ? free.set({ abortedBy: end.by }).where('expiresAt', '>', now)
      : free.where('expiresAt', '<=', now),
  );
}

interface SessionSearch extends Omit<PageRequest, 'isNewestFirst'> {
  readonly keyId: string;
  readonly states?: readonly VerificationState[];
}

const listedColumns = [
  'id',
  'stateId',
  'nonce',
  'state',
  'abortedBy',
  'request',
  'createdAt',
  'updatedAt',
  'expiresAt',
] as const;

/** What an API key has opened, newest first; results are read one by one. */
export async function listSessionRows(
  queries: Queries,
  { keyId, states, ...page }: SessionSearch,
): Promise<Page<Pick<VerificationSession, (typeof listedColumns)[number]>>> {
  let query = queries.selectFrom('verificationSessions').select(listedColumns).where('keyId', '=', keyId);
  if (states) query = query.where('state', 'in', states);
  return pageInOrder(query, { ...page, isNewestFirst: true }, ['createdAt', 'id']);
}

/** Sessions whose time is over and that nobody has ended, a batch of them. */
export async function listLapsedSessions(
  queries: Queries,
  now: number,
): Promise<readonly VerificationSession[]> {
  return queries
    .selectFrom('verificationSessions')
    .selectAll()
    .where('state', 'in', openVerificationStates)
    .where('expiresAt', '<=', now)
    .where(isFree(now))
    .orderBy('expiresAt')
    .limit(recordLimits.batchRowsMax)
    .execute();
}

/** Ended sessions are forgotten after a while. Answers how many. */
export const sweepSessions = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'verificationSessions', {
    key: 'id',
    first: 'updatedAt',
    where: (eb) =>
      eb.and([
        eb('state', 'in', endedVerificationStates),
        eb('updatedAt', '<=', now - sessionLimits.sessionKeptMs),
      ]),
  });

/** Replaces the secret of an API key. */
export const putCallbackSecret = (queries: Queries, row: RowOf<'callbackSecrets'>): Promise<void> =>
  putRow(queries, 'callbackSecrets', ['keyId'], row);
export const findCallbackSecret = rowBy('callbackSecrets', 'keyId');
