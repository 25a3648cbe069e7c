/** What a holder has applied for, wherever that stands: for whoever shows that it is the holder, by a signature. */
import { didOfPublicKey } from '@symbolon/core/did/did';
import { requireExtendedHeaders } from '@symbolon/wire/credentials/signed-headers';
import type { DeskHandlers } from '@symbolon/wire/desks/routes';
import { requireWallet } from '../access/presence.ts';
import { listApplicationsOf } from '../issuance/application-rows.ts';
import { findCredentials } from '../issuance/credential-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findTemplateNames } from '../templates/template-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { applicationStatusOf } from './inbox-handlers.ts';

const timeText = (ms: number): string => new Date(ms).toISOString();

/** The signed address, which is good for ever, does not do: the text must be of this moment. */
const wanted = { purpose: 'own-applications', isTextNeeded: true } as const;

export function createOwnApplicationHandlers(parts: ServiceParts) {
  const { database, vault, audit, profile } = parts;
  const { kysely } = database;
  return {
    async listOwnApplications({ cursor, itemsMax }, call) {
      const holder = didOfPublicKey(requireWallet(parts, requireExtendedHeaders(call), wanted), profile);
      const page = await listApplicationsOf(kysely, holder, { cursor, limit: itemsMax, isNewestFirst: true });
      const { items, next } = page;
      const details = { count: items.length };
      await audit.record({ actor: { did: holder }, action: 'application.list', subject: holder, details });
      const [issued, names] = await Promise.all([
        findCredentials(
          kysely,
          items.flatMap(({ vcId, state }) => (state === 'issued' ? [vcId] : [])),
        ),
        findTemplateNames(
          kysely,
          items.map(({ templateId }) => templateId),
        ),
      ]);
      const applications = items.map(async (item) => {
        const { vcId, issuer, templateId, templateVersion, offerId, rejectReason } = item;
        const credential = issued.find((one) => one.vcId === vcId);
        const templateName = names.get(templateId);
        return {
          vcId,
          status: applicationStatusOf(item.state, credential),
          issuer,
          templateId,
          templateVersion,
          ...(templateName !== undefined && { templateName }),
          ...(rejectReason && {
            reason: await vault.decryptDocument<string>(rejectReason, contexts.rejectReason(vcId)),
          }),
          ...(offerId !== null && { offerId }),
          ...(credential && { downloadExpiresAt: timeText(credential.downloadExpiresAt) }),
          createdAt: timeText(item.createdAt),
          updatedAt: timeText(item.updatedAt),
        };
      });
      return {
        applications: await Promise.all(applications),
        ...(next !== undefined && { nextCursor: next }),
      };
    },
  } satisfies Partial<DeskHandlers>;
}
