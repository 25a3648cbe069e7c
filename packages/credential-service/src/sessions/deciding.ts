/**
 * The one answer that decides a session: it claims the session, is judged, and ends it. Whatever keeps it from being
 * judged (a ledger that does not answer, an answer that is none to this session) leaves the session as it was.
 */
import { randomUUID } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import type { SessionResult } from '@symbolon/wire/sessions/replies';
import type { SessionParts } from './session-parts.ts';
import { claimSession, releaseSession, type VerificationSession } from './session-rows.ts';
import { endSession, refuseLate, type SessionRequest, sessionRequestOf } from './sessions.ts';

export interface DecidedSession {
  readonly session: VerificationSession;
  readonly result: SessionResult;
}

export async function decideSession(
  parts: SessionParts,
  session: VerificationSession,
  judge: (request: SessionRequest) => Promise<SessionResult>,
): Promise<DecidedSession> {
  const { database, clock, crashPoint } = parts;
  const claim = { id: session.id, claim: randomUUID(), now: clock.nowMs() };
  if (!(await claimSession(database.kysely, claim)))
    await refuseLate(parts, session.id, { act: 'accept', detail: 'Another submission is being decided' });
  crashPoint('submissionClaimed');
  try {
    const request = await sessionRequestOf(parts, session);
    const begunAt = performance.now();
    const decided = await judge(request);
    const result = {
      ...decided,
      tookMs: Math.round(performance.now() - begunAt),
      // The row has one time of its last change, which the end of the session takes.
      ...(session.state === 'FETCHED' && { fetchedAt: session.updatedAt }),
    };
    const act = result.verified ? 'accept' : 'refuse';
    const isFirst = await endSession(parts, session, { act, claim: claim.claim, result }, request);
    if (!isFirst) throw new Fault('sessionClosed', { detail: 'The submission took too long to decide' });
    crashPoint('sessionDecided');
    return { session, result };
  } catch (error) {
    await releaseSession(database.kysely, claim);
    throw error;
  }
}
