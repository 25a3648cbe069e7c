/** What an issuer sees of applications and of the credentials they became. */
import {
  type ApplicationState,
  applicationStates,
  type RecordedStatus,
  shownState,
} from '@symbolon/core/credential/application-states';
import type { ApplicationStatus } from '@symbolon/wire/credentials/replies';
import type { CredentialHandlers } from '@symbolon/wire/credentials/routes';
import {
  type ApplicationRow,
  type ApplicationSummary,
  listApplications,
} from '../issuance/application-rows.ts';
import { draftReply, messagesToSign, readDraft } from '../issuance/credential-drafts.ts';
import { type CredentialSummary, findCredentials, listCredentials } from '../issuance/credential-rows.ts';
import { type AppliedDocument, requireApplication } from '../issuance/issuance-handlers.ts';
import { shownLabel } from '../issuance/labels.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findTemplateNames } from '../templates/template-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { issuerOf } from './desk-caller.ts';
import { paidPrices } from './paid-prices.ts';

export function createInboxHandlers(parts: ServiceParts) {
  const { database, vault, audit } = parts;
  const { kysely } = database;
  const getApplication: CredentialHandlers['getApplication'] = async ({ vcId }, { caller }) => {
    const application = await requireApplication(parts, vcId, caller);
    const { attributes, rejectReason, issuer } = application;
    await audit.record({ actor: caller, action: 'application.read', subject: vcId });
    const applied =
      attributes &&
      (await vault.decryptDocument<AppliedDocument>(attributes, contexts.applicationAttributes(vcId)));
    const [rendered] = await renderApplications(parts, [application]);
    return {
      ...rendered,
      issuer,
      ...(applied && { metadata: Object.entries(applied.values).map(([key, value]) => ({ key, value })) }),
      ...(applied?.signed && { signed: applied.signed }),
      ...(await shownDraft(parts, application)),
      ...(rejectReason && {
        reason: await vault.decryptDocument<string>(rejectReason, contexts.rejectReason(vcId)),
      }),
    };
  };

  return {
    async listApplications({ status, itemsMax, ...asked }, { caller }) {
      const issuer = issuerOf(caller);
      const search = { issuer, ...asked, limit: itemsMax };
      // Before they are issued applications are found by their own state, afterwards by that of the credential.
      const recorded = credentialStatuses.find((one) => shownStatus[one] === status);
      const states = applicationStates.filter((one) => shownState[one] === status);
      const page = recorded
        ? await listCredentials(kysely, { ...search, status: recorded })
        : await listApplications(kysely, { ...search, ...(status && { states }) });
      // It names holders, and what they are called.
      const { templateId } = asked;
      const details = { count: page.items.length, ...(templateId !== undefined && { templateId }) };
      await audit.record({ actor: caller, action: 'application.list', subject: issuer, details });
      return {
        applications: await renderApplications(parts, page.items),
        ...(page.next !== undefined && { nextCursor: page.next }),
      };
    },

    getApplication,
    showApplication: getApplication,
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

type Listed = ApplicationSummary | CredentialSummary;

/** All of a page, with one question for what stands in other tables. */
async function renderApplications(parts: ServiceParts, items: readonly Listed[]) {
  const { database, vault } = parts;
  const issuedIds = items.flatMap((item) => ('state' in item && item.state === 'issued' ? [item.vcId] : []));
  const [issued, names, prices] = await Promise.all([
    findCredentials(database.kysely, issuedIds),
    findTemplateNames(
      database.kysely,
      items.map(({ templateId }) => templateId),
    ),
    paidPrices(parts, items),
  ]);
  const became = new Map(issued.map((one) => [one.vcId, one]));
  return Promise.all(
    items.map(async (item) => {
      const { vcId, templateId, templateVersion, holder, createdAt, updatedAt } = item;
      const credential = 'status' in item ? item : became.get(vcId);
      const templateName = names.get(templateId);
      const paid = prices.get(vcId);
      return {
        vcId,
        status: applicationStatusOf(stateOf(item), credential),
        templateId,
        templateVersion,
        ...(templateName !== undefined && { templateName }),
        holder,
        ...(credential
          ? await shownLabel(vault, credential.label, contexts.credentialLabel(vcId))
          : await shownLabel(vault, item.label, contexts.applicationLabel(vcId))),
        ...(paid && { paid }),
        ...('offerId' in item && item.offerId !== null && { offerId: item.offerId }),
        createdAt: new Date(createdAt).toISOString(),
        updatedAt: new Date(updatedAt).toISOString(),
      };
    }),
  );
}

const stateOf = (item: Listed): ApplicationState => ('state' in item ? item.state : 'issued');

const shownStatus: Readonly<Record<RecordedStatus, ApplicationStatus>> = {
  active: 'Issued',
  suspended: 'Suspended',
  revoked: 'Revoked',
};
const credentialStatuses = Object.keys(shownStatus) as RecordedStatus[];

/** What clients read of an application, of which the credential is given where it has become one. */
export const applicationStatusOf = (
  state: ApplicationState,
  credential: Pick<CredentialSummary, 'status'> | undefined,
): ApplicationStatus => (credential ? shownStatus[credential.status] : shownState[state]);
