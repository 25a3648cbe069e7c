/**
 * What only bringing records back to a ledger reads and writes: whole tables in pages, and what a chain leaves behind.
 */
import type { Template } from '@symbolon/core/documents/model';
import type { Queries, RowOf } from '../database/schema.ts';
import { behind, rowBy } from '../database/statements.ts';
import { lapseDrafts } from '../issuance/application-rows.ts';
import type { KeptPage } from '../ledger/signed-transaction-rows.ts';
import { recordLimits } from '../limits/service-limits.ts';

/** A transaction of the registrar, by its hash. */
export const findAnchorIntent = rowBy('anchorIntents', 'hash');

/** Registered versions of all templates since a time, oldest first; an empty page is the last. */
export async function listRegisteredVersions(
  queries: Queries,
  { since, offset }: { readonly since: number; readonly offset: number },
): Promise<readonly Template[]> {
  const rows = await queries
    .selectFrom('templateVersions')
    .select('document')
    .where('registeredAt', '>=', since)
    .orderBy('registeredAt')
    .orderBy('templateId')
    .orderBy('versionKey')
    .limit(recordLimits.batchRowsMax)
    .offset(offset)
    .execute();
  return rows.map(({ document }) => JSON.parse(document) as Template);
}

export type PaidRow = Pick<RowOf<'settlements'>, 'hash' | 'payer' | 'signed' | 'createdAt'>;

/** Executed payments as they were signed, oldest first; an empty page is the last. */
export async function listPaid(queries: Queries, { since, after }: KeptPage): Promise<readonly PaidRow[]> {
  let query = queries
    .selectFrom('settlements')
    .select(['hash', 'payer', 'signed', 'createdAt'])
    .where('state', '=', 'executed')
    .where('createdAt', '>=', since);
  if (after) query = query.where(behind(['createdAt', 'hash'], [after.createdAt, after.hash]));
  return query.orderBy('createdAt').orderBy('hash').limit(recordLimits.batchRowsMax).execute();
}

/** The ledger has lost this version for good: its issuer may register it anew, and keeps the name. */
export async function forgetTemplateVersion(
  queries: Queries,
  { id, version }: Pick<Template, 'id' | 'version'>,
): Promise<void> {
  await queries
    .deleteFrom('templateVersions')
    .where('templateId', '=', id)
    .where('version', '=', version)
    .execute();
  const newest = await queries
    .selectFrom('templateVersions')
    .select(['version', 'versionKey'])
    .where('templateId', '=', id)
    .orderBy('versionKey', 'desc')
    .executeTakeFirst();
  await queries
    .updateTable('templates')
    .set({ latestVersion: newest?.version ?? null, latestVersionKey: newest?.versionKey ?? null })
    .where('id', '=', id)
    .execute();
}

const registrySettings = [
  'ledger.templateRegistry',
  'ledger.credentialRegistry',
  'ledger.boundCredentialRegistry',
] as const;

/** Nothing that was for another chain is handed to this one: registries, templates, blobs and drafts begin anew. */
export async function leaveChain(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom('settings').where('name', 'in', registrySettings).execute();
  await queries.deleteFrom('templateVersions').execute();
  await queries.updateTable('templates').set({ latestVersion: null, latestVersionKey: null }).execute();
  await queries.deleteFrom('signedTransactions').execute();
  await queries
    .deleteFrom('blobs')
    .where('kind', 'in', ['template', 'revoke', 'suspend', 'reinstate'])
    .execute();
  await queries
    .updateTable('credentials')
    .set({ changeBlobId: null, owedChange: null, owedAtSeq: null })
    .execute();
  await queries.deleteFrom('owedTemplates').execute();
  await queries
    .updateTable('anchorIntents')
    .set({ state: 'settled', outcome: 'superseded', settledAt: now })
    .where('state', '=', 'open')
    .execute();
  await lapseDrafts(queries, now);
}
