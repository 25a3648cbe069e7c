/**
 * Verification sessions over HTTP (`docs/verification.md`): relying services open and watch them with their API key,
 * wallets fetch, answer and abort them. What a session is and how it ends is in `sessions.ts`.
 */
import { randomBytes } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import { readWalletHeaders } from '@symbolon/wire/credentials/signed-headers';
import {
  renderAborted,
  renderCreated,
  renderDefinition,
  renderSubmitted,
} from '@symbolon/wire/sessions/replies';
import type { VerificationHandlers } from '@symbolon/wire/sessions/routes';
import { isOpenidSession } from '@symbolon/wire/sessions/session-ids';
import { findApiKey } from '../access/api-key-rows.ts';
import { createStreamReader } from '../access/stream-reader.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { listSessions, ownSession, sessionDetails } from './session-lists.ts';
import type { SessionParts } from './session-parts.ts';
import { putCallbackSecret } from './session-rows.ts';
import { sessionStream } from './session-stream.ts';
import {
  aborterOf,
  endSession,
  familyOpening,
  fetchSession,
  findOrExpireSession,
  keyIdOf,
  openSession,
  refuseLate,
  requireSession,
  sessionRequestOf,
} from './sessions.ts';
import { answerSession } from './wallet-answer.ts';

const secretBytes = 32;

export function createSessionHandlers(parts: SessionParts): VerificationHandlers {
  const { database, vault, clock, settings, audit, resultSigner, sessionEvents } = parts;
  const { kysely } = database;

  return {
    requestVerification: async (order, call) =>
      renderCreated(await openSession(parts, familyOpening(order), call), settings.publicUrl),

    async testVerification(_request, { caller }) {
      const key = await findApiKey(kysely, keyIdOf(caller));
      return { message: 'The API key works', clientName: key?.label ?? '' };
    },

    async makeCallbackSecret(_request, { caller }) {
      const keyId = keyIdOf(caller);
      const callbackSecretKey = randomBytes(secretBytes).toString('base64url');
      const secret = await vault.encryptText(callbackSecretKey, contexts.callbackSecret(keyId));
      await database.transaction(async (queries) => {
        await putCallbackSecret(queries, { keyId, secret, createdAt: clock.nowMs() });
        await audit.record({ actor: caller, action: 'callbackSecret.make', subject: keyId }, queries);
      });
      return { callbackSecretKey };
    },

    listVerifications: ({ state, cursor, itemsMax }, { caller }) =>
      listSessions(parts, { keyId: keyIdOf(caller), state, cursor, limit: itemsMax }),

    async getVerification({ sessionId }, { caller }) {
      return sessionDetails(parts, await ownSession(parts, sessionId, keyIdOf(caller)));
    },

    async watchVerification({ sessionId, withCallback }, { caller, signal }) {
      const keyId = keyIdOf(caller);
      await ownSession(parts, sessionId, keyId);
      const leave = sessionEvents.enter(keyId, signal);
      const reader = createStreamReader(parts, { keyId, session: caller.session, signal });
      return {
        contentType: 'text/event-stream; charset=utf-8',
        chunks: sessionStream(parts, sessionId, { reader, leave, withCallback }),
        headers: { 'x-accel-buffering': 'no' },
      };
    },

    async fetchDefinition({ sessionId }) {
      if (isOpenidSession(sessionId)) throw new Fault('sessionUnknown');
      const session = await fetchSession(parts, sessionId);
      return renderDefinition(session, await sessionRequestOf(parts, session), settings.publicUrl);
    },

    async submitToSession(answer, call) {
      const { session, result } = await answerSession(parts, answer, {
        wallet: readWalletHeaders(call),
        caller: call.caller,
      });
      const state = result.verified ? 'VERIFIED' : 'FAILED';
      return renderSubmitted(state, result, await resultSigner.sign(result.signedText, session.keyId));
    },

    async abortSession({ sessionId, stateId }, { caller }) {
      const found = await findOrExpireSession(parts, sessionId);
      // Whoever has not heard that it is aborted asks again, and is told the same.
      const isAborted = found?.state === 'ABORTED' && found.stateId === stateId;
      if (isAborted) return renderAborted(sessionId);
      const session = await requireSession(parts, sessionId, 'abort');
      if (session.stateId !== stateId)
        throw new Fault('walletNotAuthenticated', {
          reason: 'stateWrong',
          detail: 'The state is not that of the session',
        });
      if (!(await endSession(parts, session, { act: 'abort', by: aborterOf(session, caller) })))
        await refuseLate(parts, sessionId, { act: 'abort', detail: 'A submission is being decided' });
      return renderAborted(sessionId);
    },

    getResultKeys: () => resultSigner.publicKeys(),
  };
}
