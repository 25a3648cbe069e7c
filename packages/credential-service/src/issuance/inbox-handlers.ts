/** What an issuer sees of applications and of the credentials they became. */
import {
  applicationStates,
  type RecordedStatus,
  shownState,
} from '@symbolon/core/credential/application-states';
import { Fault } from '@symbolon/core/faults/faults';
import type { ApplicationStatus } from '@symbolon/wire/credentials/replies';
import type { CredentialHandlers } from '@symbolon/wire/credentials/routes';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { ServiceParts } from '../parts/service-parts.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { type ApplicationRow, type ApplicationSummary, listApplications } from './application-rows.ts';
import { draftReply, messagesToSign, readDraft } from './credential-drafts.ts';
import { type CredentialSummary, findCredential, listCredentials } from './credential-rows.ts';
import { type AppliedDocument, requireApplication } from './issuance-handlers.ts';

export function createInboxHandlers(parts: ServiceParts) {
  const { database, vault, audit } = parts;
  const { kysely } = database;
  return {
    async listApplications({ status, templateId, cursor, itemsMax }, { caller }) {
      const issuer = issuerOf(caller);
      const search = { issuer, templateId, cursor, limit: itemsMax };
      // Before they are issued applications are found by their own state, afterwards by that of the credential.
      const statuses = credentialStatuses.filter((one) => shownStatus[one] === status);
      const states = applicationStates.filter((one) => shownState[one] === status);
      const page =
        statuses.length > 0
          ? await listCredentials(kysely, { ...search, statuses })
          : await listApplications(kysely, { ...search, ...(status && { states }) });
      // It names holders.
      const details = { count: page.items.length, ...(templateId !== undefined && { templateId }) };
      await audit.record({ actor: caller, action: 'application.list', subject: issuer, details });
      const applications = await Promise.all(page.items.map((item) => render(parts, item)));
      return { applications, ...(page.next !== undefined && { nextCursor: page.next }) };
    },

    async getApplication({ vcId }, { caller }) {
      const application = await requireApplication(parts, vcId, caller);
      const { attributes, rejectReason, issuer } = application;
      await audit.record({ actor: caller, action: 'application.read', subject: vcId });
      const applied =
        attributes &&
        (await vault.decryptDocument<AppliedDocument>(attributes, contexts.applicationAttributes(vcId)));
      return {
        ...(await render(parts, application)),
        issuer,
        ...(applied && { metadata: Object.entries(applied.values).map(([key, value]) => ({ key, value })) }),
        ...(applied?.signed && { signed: applied.signed }),
        ...(await shownDraft(parts, application)),
        ...(rejectReason && {
          reason: await vault.decryptDocument<string>(rejectReason, contexts.rejectReason(vcId)),
        }),
      };
    },
  } satisfies Partial<CredentialHandlers>;
}

/** What the issuer is about to sign, as long as it can be. */
async function shownDraft(
  parts: Pick<ServiceParts, 'vault' | 'clock' | 'format'>,
  application: ApplicationRow,
) {
  const draft = await readDraft(parts, application);
  if (!draft) return {};
  return {
    draft: {
      ...draftReply(parts, draft),
      bbsMessages: messagesToSign(parts, draft),
      ...(draft.context !== undefined && { metadata: draft.context }),
      expiresAt: new Date(application.draftExpiresAt ?? 0).toISOString(),
    },
  };
}

function issuerOf({ did }: Caller): string {
  if (did === undefined) throw new Fault('notAllowed', { detail: 'The API key acts for no issuer' });
  return did;
}

async function render(
  { database }: Pick<ServiceParts, 'database'>,
  item: ApplicationSummary | CredentialSummary,
) {
  const { vcId, templateId, templateVersion, holder, createdAt, updatedAt } = item;
  return {
    vcId,
    status: await statusOf(database.kysely, item),
    templateId,
    templateVersion,
    holder,
    ...('offerId' in item && item.offerId !== null && { offerId: item.offerId }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

async function statusOf(
  queries: ServiceParts['database']['kysely'],
  item: ApplicationSummary | CredentialSummary,
): Promise<ApplicationStatus> {
  if ('state' in item && item.state !== 'issued') return shownState[item.state];
  const status = 'status' in item ? item.status : (await findCredential(queries, item.vcId))?.status;
  return status === undefined ? shownState.issued : shownStatus[status];
}

const shownStatus: Readonly<Record<RecordedStatus, ApplicationStatus>> = {
  active: 'Issued',
  suspended: 'Suspended',
  revoked: 'Revoked',
};
const credentialStatuses = Object.keys(shownStatus) as RecordedStatus[];
