/**
 * What an issuer has issued, how it stands on the ledger, and what was done to it. Rows are found by what the service
 * remembers; what is told of each is the ledger's word (`ledgers-word.ts`).
 */
import { type ApplicationState, shownState } from '@symbolon/core/credential/application-states';
import { Fault } from '@symbolon/core/faults/faults';
import { changedAtOf } from '@symbolon/wire/credentials/registry-records';
import type { DeskHandlers } from '@symbolon/wire/desks/routes';
import type { IssuedState } from '@symbolon/wire/desks/schemas';
import { countApplications, findApplication } from '../issuance/application-rows.ts';
import {
  countCredentials,
  findCredentials,
  listCredentials,
  type StatusCount,
} from '../issuance/credential-rows.ts';
import { shownLabel } from '../issuance/labels.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findTemplateNames } from '../templates/template-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { issuerOf } from './desk-caller.ts';
import { historyOf } from './issued-history.ts';
import { type StandingCredential, standingOf } from './ledgers-word.ts';
import { paidPrices } from './paid-prices.ts';

export function createIssuedHandlers(parts: ServiceParts) {
  const { database, clock, audit } = parts;
  const { kysely } = database;
  return {
    async listIssued({ status, itemsMax, ...asked }, { caller }) {
      const issuer = issuerOf(caller);
      const now = clock.nowMs();
      const search = { issuer, ...asked, limit: itemsMax, ...foundBy(status, now) };
      const { items, next } = await listCredentials(kysely, search);
      const { credentials, basis } = await standingOf(parts, items, now);
      // What the ledger says otherwise of is not what was asked for.
      const shown = credentials.filter(({ state }) => status === undefined || state === status);
      const { templateId } = asked;
      const details = { count: shown.length, ...(templateId !== undefined && { templateId }) };
      // It names holders, and what they are called.
      await audit.record({ actor: caller, action: 'credential.list', subject: issuer, details });
      return {
        issued: await renderIssued(parts, shown),
        asOf: basis,
        ...(next !== undefined && { nextCursor: next }),
      };
    },

    async getIssued({ vcId }, { caller }) {
      const issuer = issuerOf(caller);
      const [stored] = await findCredentials(kysely, [vcId]);
      // Whose credential it is, is nobody else's business.
      if (stored?.issuer !== issuer) throw new Fault('credentialUnknown');
      await audit.record({ actor: caller, action: 'credential.read', subject: vcId });
      const { credentials, basis } = await standingOf(parts, [stored], clock.nowMs());
      const [rendered] = await renderIssued(parts, credentials);
      const offerId = (await findApplication(kysely, vcId))?.offerId;
      return {
        ...rendered,
        ...(offerId !== undefined && offerId !== null && { offerId }),
        issuer,
        downloadExpiresAt: timeText(stored.downloadExpiresAt),
        history: [...(await historyOf(parts, credentials[0], basis))],
        asOf: basis,
      };
    },

    async countIssuerRecords(_request, { caller }) {
      const issuer = issuerOf(caller);
      const [applications, credentials] = await Promise.all([
        countApplications(kysely, issuer),
        countCredentials(kysely, issuer, clock.nowMs()),
      ]);
      return { applications: applicationCounts(applications), issued: issuedCounts(credentials) };
    },
  } satisfies Partial<DeskHandlers>;
}

const timeText = (ms: number): string => new Date(ms).toISOString();

/** By which rows a state is found. */
function foundBy(status: Exclude<IssuedState, 'Missing'> | undefined, now: number) {
  const lasting = { hasEnded: false, at: now };
  if (status === undefined) return {};
  if (status === 'Revoked') return { status: 'revoked' as const };
  if (status === 'Suspended') return { status: 'suspended' as const, validity: lasting };
  if (status === 'Active') return { status: 'active' as const, validity: lasting };
  // Of a suspended one that has expired the row says both, so it is found by neither word alone.
  return { validity: { hasEnded: true, at: now } };
}

function applicationCounts(counts: ReadonlyMap<ApplicationState, number>) {
  const told = { Pending: 0, Approved: 0, Issued: 0, Rejected: 0 };
  for (const [state, count] of counts) told[shownState[state]] += count;
  return told;
}

function issuedCounts(counts: readonly StatusCount[]) {
  const told = { Active: 0, Suspended: 0, Revoked: 0, Expired: 0 };
  for (const { status, count, ended } of counts) {
    if (status === 'revoked') told.Revoked = count;
    else {
      told[status === 'active' ? 'Active' : 'Suspended'] = count - ended;
      told.Expired += ended;
    }
  }
  return told;
}

/** All of a page, with one question for what stands in other tables. */
async function renderIssued(parts: ServiceParts, credentials: readonly StandingCredential[]) {
  const { database, vault } = parts;
  const rows = credentials.map(({ stored }) => stored);
  const [names, prices] = await Promise.all([
    findTemplateNames(
      database.kysely,
      rows.map(({ templateId }) => templateId),
    ),
    paidPrices(parts, rows),
  ]);
  return Promise.all(
    credentials.map(async ({ stored, entry, state, validFrom, validUntil }) => {
      const { vcId, templateId, templateVersion, holder, anchorTx, anchorSeq, label, createdAt } = stored;
      const templateName = names.get(templateId);
      const paid = prices.get(vcId);
      const seq = entry?.changedInLedgerSeq;
      return {
        vcId,
        status: state,
        templateId,
        templateVersion,
        ...(templateName !== undefined && { templateName }),
        holder,
        ...(await shownLabel(vault, label, contexts.credentialLabel(vcId))),
        validFrom: validFrom === null ? null : timeText(validFrom),
        validUntil: validUntil === null ? null : timeText(validUntil),
        issuedAt: timeText(createdAt),
        txHash: anchorTx,
        ledgerSeq: anchorSeq === null ? null : String(anchorSeq),
        changedAt: entry ? changedAtOf(entry) : null,
        changedInLedgerSeq: seq === undefined ? null : String(seq),
        ...(paid && { paid }),
      };
    }),
  );
}
