/**
 * Verification sessions. Every move is one update with a condition on the state before, so of many concurrent callers one
 * wins and the others are told. An answer first claims its session: while it is being decided nobody else can answer,
 * abort or let it expire; a claim whose process is gone lapses.
 */

import { exchangeLimits } from '@symbolon/core/limits/waiting';
import {
  endedVerificationStates,
  openVerificationStates,
  type VerificationAct,
  verificationMove,
} from '@symbolon/core/presentation/verification-states';
import type { ExpressionBuilder } from 'kysely';
import type { Queries, RowOf, Sealed, ServiceSchema } from '../database/schema.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type VerificationSession = RowOf<'verificationSessions'>;

export interface NewSession
  extends Pick<
    VerificationSession,
    'id' | 'keyId' | 'stateId' | 'nonce' | 'request' | 'createdAt' | 'expiresAt'
  > {}

export async function addSession(queries: Queries, session: NewSession): Promise<void> {
  await queries
    .insertInto('verificationSessions')
    .values({
      ...session,
      state: 'CREATED',
      result: null,
      claim: null,
      claimedAt: null,
      updatedAt: session.createdAt,
    })
    .execute();
}

export async function countOpenSessions(queries: Queries, keyId: string): Promise<number> {
  const { count } = await queries
    .selectFrom('verificationSessions')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('keyId', '=', keyId)
    .where('state', 'in', openVerificationStates)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findSession(queries: Queries, id: string): Promise<VerificationSession | undefined> {
  return queries.selectFrom('verificationSessions').selectAll().where('id', '=', id).executeTakeFirst();
}

type SessionTerms = ExpressionBuilder<ServiceSchema, 'verificationSessions'>;

/** Nobody is deciding about it, or whoever was is gone. */
const isFree = (now: number) => (eb: SessionTerms) =>
  eb.or([eb('claim', 'is', null), eb('claimedAt', '<=', now - exchangeLimits.submissionLeaseMs)]);

export interface SessionClaim {
  readonly id: string;
  readonly claim: string;
  readonly now: number;
}

/** The session, for the answer that came first. */
export async function claimSession(queries: Queries, { id, claim, now }: SessionClaim): Promise<boolean> {
  const row = await queries
    .updateTable('verificationSessions')
    .set({ claim, claimedAt: now })
    .where('id', '=', id)
    .where('state', 'in', openVerificationStates)
    .where('expiresAt', '>', now)
    .where(isFree(now))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives a session back: nothing was decided. */
export async function releaseSession(queries: Queries, { id, claim }: SessionClaim): Promise<void> {
  await queries
    .updateTable('verificationSessions')
    .set({ claim: null, claimedAt: null })
    .where('id', '=', id)
    .where('claim', '=', claim)
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
export async function markFetched(queries: Queries, id: string, now: number): Promise<boolean> {
  const moved = move(queries, 'fetch', { id, now }).where('expiresAt', '>', now);
  return (await moved.executeTakeFirst()) !== undefined;
}

/** By the answer that has claimed the session, or while nobody decides about it. */
export type SessionEnd<Result> =
  | { readonly act: 'accept' | 'refuse'; readonly claim: string; readonly result: Result }
  | { readonly act: 'abort' | 'expire' };

/** → VERIFIED or FAILED; ABORTED, in time; EXPIRED, after it. False when somebody else was faster. */
export async function endSessionRow(
  queries: Queries,
  { id, now }: { readonly id: string; readonly now: number },
  end: SessionEnd<Sealed>,
): Promise<boolean> {
  const moved = move(queries, end.act, { id, now });
  const ended =
    'claim' in end
      ? moved.set({ result: end.result, claim: null, claimedAt: null }).where('claim', '=', end.claim)
      : moved.where('expiresAt', end.act === 'abort' ? '>' : '<=', now).where(isFree(now));
  return (await ended.executeTakeFirst()) !== undefined;
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
export async function sweepSessions(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('verificationSessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('verificationSessions')
        .select('id')
        .where('state', 'in', endedVerificationStates)
        .where('updatedAt', '<=', now - exchangeLimits.sessionKeptMs)
        .orderBy('updatedAt')
        .limit(recordLimits.batchRowsMax),
    )
    .returning('id')
    .execute();
  return gone.length;
}

/** Replaces the secret of an API key. */
export async function putCallbackSecret(queries: Queries, row: RowOf<'callbackSecrets'>): Promise<void> {
  await queries
    .insertInto('callbackSecrets')
    .values(row)
    .onConflict((conflict) => conflict.column('keyId').doUpdateSet(row))
    .execute();
}

export async function findCallbackSecret(queries: Queries, keyId: string): Promise<Sealed | undefined> {
  const row = await queries
    .selectFrom('callbackSecrets')
    .select('secret')
    .where('keyId', '=', keyId)
    .executeTakeFirst();
  return row?.secret;
}
