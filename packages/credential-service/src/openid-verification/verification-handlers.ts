/** OpenID4VP over HTTP: verifiers ask and read what came of it, wallets fetch the request and answer it. */
import { equalTexts } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { isOpenVerification } from '@symbolon/core/presentation/verification-states';
import type { OpenidVerificationHandlers } from '@symbolon/wire/openid/verification-routes';
import { isOpenidSession } from '@symbolon/wire/sessions/session-ids';
import { ownSession, sessionDetails } from '../sessions/session-lists.ts';
import { keyIdOf, openSession, sessionRequestOf } from '../sessions/sessions.ts';
import type { OpenidVerifyingParts } from './parts/verification-parts.ts';
import { openidOpening } from './requests/asking.ts';
import { signedRequest } from './requests/request-signing.ts';
import { takeOpenidAnswer } from './responses/answering.ts';

export function createOpenidVerificationHandlers(parts: OpenidVerifyingParts): OpenidVerificationHandlers {
  return {
    async requestOpenidVerification(order, call) {
      const session = await openSession(parts, openidOpening(parts, order, call.caller), call);
      const { openid } = await sessionRequestOf(parts, session);
      return {
        ...{ id: session.id, stateId: session.stateId, status: session.state },
        ...{ clientId: openid?.clientId ?? '', request: openid?.link ?? '' },
        expiresAt: new Date(session.expiresAt).toISOString(),
      };
    },

    async getOpenidVerification({ sessionId, responseCode }, { caller }) {
      if (!isOpenidSession(sessionId)) throw new Fault('sessionUnknown');
      const session = await ownSession(parts, sessionId, keyIdOf(caller));
      const { redirect } = (await sessionRequestOf(parts, session)).openid ?? {};
      const hasCode =
        redirect !== undefined && responseCode !== undefined && equalTexts(responseCode, redirect.code);
      const isWrong = responseCode !== undefined && !hasCode;
      // A result that anybody may have brought about is told to whoever shows that it was this browser.
      const isWanted = redirect !== undefined && !hasCode && !isOpenVerification(session.state);
      if (isWrong || isWanted) throw new Fault('responseCodeWrong');
      return sessionDetails(parts, session, hasCode);
    },

    getRequestObject: (request) => signedRequest(parts, request),
    postRequestObject: (request) => signedRequest(parts, request),
    answerOpenidRequest: ({ sessionId, response }, { caller }) =>
      takeOpenidAnswer(parts, { sessionId, response }, caller),
  };
}
