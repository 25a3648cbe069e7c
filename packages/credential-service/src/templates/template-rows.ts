/**
 * The reading side of templates: what the ledger's template registry holds, kept here to be listed and searched. A
 * name is reserved before the ledger is called, so that two issuers cannot register it at the same time; only a
 * template with a registered version is ever shown. Recording the same version twice changes nothing.
 */
import { assert } from '@symbolon/core/basics/assert';
import type { Template } from '@symbolon/core/documents/model';
import { credentialLimits } from '@symbolon/core/limits/documents';
import { sql } from 'kysely';
import {
  type Page,
  type PageRequest,
  pageInOrder,
  pageLimit,
  pageOf,
  textCursor,
} from '../database/paging.ts';
import type { Queries, RowOf } from '../database/schema.ts';
import { addOnce, rowBy } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';

type RegisteredTemplateRow = RowOf<'templates'> & { readonly latestVersion: string };

type TemplateVersion = Pick<RowOf<'templateVersions'>, 'txHash' | 'registeredAt'> & {
  readonly template: Template;
};

type TemplateReservation = Pick<RowOf<'templates'>, 'id' | 'name' | 'nameKey' | 'issuer'> & {
  readonly now: number;
};

/** Dotted numbers as one text of fixed width, in which the larger version is the larger text. */
export function versionKeyOf(version: string): string {
  const { versionPartsMax, versionPartDigitsMax } = credentialLimits;
  const parts = version.split('.');
  const isVersion = parts.length <= versionPartsMax && parts.every((part) => /^\d+$/.test(part));
  assert(isVersion, 'a version is a few numbers with dots between');
  const padded = Array.from({ length: versionPartsMax }, (_, index) =>
    (parts[index] ?? '').replace(/^0+/, '').padStart(versionPartDigitsMax, '0'),
  );
  assert(
    padded.every((part) => part.length === versionPartDigitsMax),
    'the numbers of a version are short',
  );
  return padded.join('');
}

/** Whether the name is this issuer's now, or was already. */
export async function reserveTemplate(queries: Queries, reservation: TemplateReservation): Promise<boolean> {
  const { now, ...names } = reservation;
  await addOnce(queries, 'templates', { ...names, createdAt: now, updatedAt: now });
  const holder = await findTemplateByName(queries, names.nameKey);
  return holder?.id === names.id && holder.issuer === names.issuer;
}

/** Gives a name back that nothing was registered under. */
export async function releaseTemplate(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('templates').where('id', '=', id).where('latestVersion', 'is', null).execute();
}

/** Records what the ledger has taken, and answers whether that is news. The name must be reserved. */
export async function registerTemplateVersion(
  queries: Queries,
  { template, txHash, now }: Pick<TemplateVersion, 'template' | 'txHash'> & { readonly now: number },
): Promise<boolean> {
  const versionKey = versionKeyOf(template.version);
  const isNew = await addOnce(queries, 'templateVersions', {
    templateId: template.id,
    version: template.version,
    versionKey,
    document: JSON.stringify(template),
    txHash,
    registeredAt: now,
  });
  await queries
    .updateTable('templates')
    .set({
      name: template.name,
      latestVersion: template.version,
      latestVersionKey: versionKey,
      updatedAt: now,
    })
    .where('id', '=', template.id)
    .where((eb) => eb.or([eb('latestVersionKey', 'is', null), eb('latestVersionKey', '<', versionKey)]))
    .execute();
  return isNew;
}

/** Who has the name, reserved or registered. */
export const findTemplateByName = rowBy('templates', 'nameKey');

/** What people call these templates, by their ids. */
export async function findTemplateNames(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .selectFrom('templates')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** One version, or the latest. */
export async function findStoredTemplate(
  queries: Queries,
  id: string,
  version?: string,
): Promise<TemplateVersion | undefined> {
  const base = queries.selectFrom('templateVersions').selectAll().where('templateId', '=', id);
  const row = await (version === undefined
    ? base.orderBy('versionKey', 'desc').limit(1)
    : base.where('version', '=', version)
  ).executeTakeFirst();
  return row && versionFrom(row);
}

const versionFrom = ({ document, txHash, registeredAt }: RowOf<'templateVersions'>): TemplateVersion => ({
  template: JSON.parse(document) as Template,
  txHash,
  registeredAt,
});

/** All versions, newest first. */
export async function listTemplateVersions(
  queries: Queries,
  id: string,
  request: PageRequest = {},
): Promise<Page<TemplateVersion>> {
  const limit = pageLimit(request);
  const after = textCursor(request);
  let query = queries.selectFrom('templateVersions').selectAll().where('templateId', '=', id);
  if (after) query = query.where('versionKey', '<', after[0]);
  const rows = await query
    .orderBy('versionKey', 'desc')
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, (row) => [row.versionKey, id]);
  return { ...page, items: page.items.map(versionFrom) };
}

interface TemplateSearch extends PageRequest {
  readonly issuer?: string;
  /** Text anywhere in the name, normalised as names are. */
  readonly text?: string;
}

/** Registered templates by name. */
export async function searchTemplates(
  queries: Queries,
  search: TemplateSearch = {},
): Promise<Page<RegisteredTemplateRow>> {
  let query = queries.selectFrom('templates').selectAll().where('latestVersion', 'is not', null);
  if (search.issuer !== undefined) query = query.where('issuer', '=', search.issuer);
  if (search.text !== undefined && search.text !== '') {
    const literal = search.text.slice(0, recordLimits.searchCharsMax).replace(/[!%_]/g, (sign) => `!${sign}`);
    query = query.where(sql<boolean>`${sql.ref('nameKey')} like ${`%${literal}%`} escape '!'`);
  }
  const page = await pageInOrder(query, search, ['nameKey', 'id'], textCursor);
  return page as Page<RegisteredTemplateRow>;
}

/** Versions of an issuer's templates, the last registered first. */
export async function listIssuerVersions(
  queries: Queries,
  issuer: string,
  limit: number,
): Promise<readonly Template[]> {
  const rows = await queries
    .selectFrom('templateVersions')
    .selectAll('templateVersions')
    .innerJoin('templates', 'templates.id', 'templateVersions.templateId')
    .where('templates.issuer', '=', issuer)
    .orderBy('registeredAt', 'desc')
    .orderBy('versionKey', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => versionFrom(row).template);
}
