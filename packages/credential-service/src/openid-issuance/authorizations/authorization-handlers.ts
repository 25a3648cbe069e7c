/** Credentials for people who log in at the issuer's place (`docs/standards.md`, "Logging in"). */
import type { OpenidAuthorizationHandlers } from '@symbolon/wire/openid/authorization-routes';
import { createLoginHandlers } from '../logins/login-handlers.ts';
import { openidIssuerOf } from '../parts/openid-parts.ts';
import type { AuthorizingParts } from './authorization-parts.ts';
import { beginAuthorization, continueAuthorization } from './browser-steps.ts';
import { createDecisionHandlers } from './decisions.ts';
import { pushAuthorization } from './pushed-requests.ts';

export const createAuthorizationHandlers = (parts: AuthorizingParts): OpenidAuthorizationHandlers => ({
  ...createLoginHandlers(parts),
  ...createDecisionHandlers(parts),

  pushOpenidAuthorization: async (request, call) =>
    pushAuthorization(parts, openidIssuerOf(parts, request.issuer), { request, call }),

  beginOpenidAuthorization: async ({ issuer, ...asked }, call) =>
    beginAuthorization(parts, openidIssuerOf(parts, issuer), { ...asked, call }),

  continueOpenidAuthorization: async ({ issuer, ticket }, call) =>
    continueAuthorization(parts, openidIssuerOf(parts, issuer), { ticket, call }),
});
