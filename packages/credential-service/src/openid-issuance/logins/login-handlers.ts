/** Issuers say where people log in to get credentials with a wallet, and of which templates. */
import { Fault } from '@symbolon/core/faults/faults';
import { malformedAt } from '@symbolon/wire/http/service-route';
import type { OpenidAuthorizationHandlers } from '@symbolon/wire/openid/authorization-routes';
import { requireUnpriced } from '../../payments/price-rows.ts';
import { findStoredTemplate } from '../../templates/template-rows.ts';
import { issuerOfCaller } from '../parts/issuer-callers.ts';
import { type OpenidParts, openidIssuerOfDid } from '../parts/openid-parts.ts';
import { findLogin, type OpenidLogin, putLogin, removeLogin } from './login-rows.ts';
import { loginUrlProblem } from './login-urls.ts';

type LoginHandlers = Pick<
  OpenidAuthorizationHandlers,
  'setOpenidLogin' | 'getOpenidLogin' | 'removeOpenidLogin'
>;

export function createLoginHandlers(parts: OpenidParts): LoginHandlers {
  const { database, clock, audit, settings } = parts;
  const { kysely } = database;

  const requireOwn = async (issuer: string, templateId: string): Promise<void> => {
    const found = await findStoredTemplate(kysely, templateId);
    if (!found) throw new Fault('templateUnknown');
    if (found.template.issuer !== issuer) throw new Fault('issuerMismatch');
    await requireUnpriced(kysely, templateId);
  };

  return {
    async setOpenidLogin({ loginUrl, templateIds }, { caller }) {
      const issuer = issuerOfCaller(caller);
      openidIssuerOfDid(parts, issuer);
      const problem = loginUrlProblem(loginUrl, settings.publicUrl);
      if (problem) throw malformedAt('/loginUrl', problem.complaint);
      for (const templateId of templateIds) await requireOwn(issuer, templateId);
      const login = { issuer, loginUrl, templateIds, updatedAt: clock.nowMs() };
      await database.transaction(async (queries) => {
        await putLogin(queries, login);
        const details = { count: templateIds.length, issuer };
        await audit.record({ actor: caller, action: 'openidLogin.set', subject: issuer, details }, queries);
      });
      return shown(login);
    },

    async getOpenidLogin(_request, { caller }) {
      return shown(await findLogin(kysely, issuerOfCaller(caller)));
    },

    async removeOpenidLogin(_request, { caller }) {
      const issuer = issuerOfCaller(caller);
      await database.transaction(async (queries) => {
        if (!(await removeLogin(queries, issuer))) return;
        const act = { actor: caller, action: 'openidLogin.remove', subject: issuer } as const;
        await audit.record({ ...act, details: { issuer } }, queries);
      });
      return shown(undefined);
    },
  };
}

const shown = (login: OpenidLogin | undefined) =>
  login
    ? {
        loginUrl: login.loginUrl,
        templateIds: [...login.templateIds],
        updatedAt: new Date(login.updatedAt).toISOString(),
      }
    : { templateIds: [] };
