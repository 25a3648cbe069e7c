/**
 * Whose name is read as what (`core/src/names/look-alike-names.ts`): each form belongs to the issuer who came first,
 * so that of two who want names that look alike at the same time one gets it. An issuer may use its forms for as many
 * templates as it likes.
 */
import { readForms } from '@symbolon/core/names/look-alike-names';
import { allPages } from '../database/paging.ts';
import type { Queries, ServiceDatabase } from '../database/schema.ts';
import { putSettingOnce, readSetting } from '../database/settings.ts';
import { addOnce, behind } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';

export interface NameOfIssuer {
  readonly name: string;
  readonly issuer: string;
  /** The template of that name, or the issuer itself. */
  readonly subject: string;
}

/** Whether the name is not read like another issuer's; from then on it is this issuer's. */
export async function claimName(queries: Queries, { name, issuer, subject }: NameOfIssuer): Promise<boolean> {
  // In one order, so that two who claim the same forms do not wait for one another.
  const forms = [...readForms(name)].sort();
  const rows = forms.map((form) => ({ form, issuer, subject }));
  await addOnce(queries, 'nameForms', rows);
  return !(await findOthersNames(queries, [{ name, issuer }])).has(name);
}

/** What is registered keeps its forms, whatever becomes of another template of the issuer's that has them too. */
export async function keepName(queries: Queries, named: NameOfIssuer): Promise<void> {
  if (!(await claimName(queries, named))) return;
  await queries
    .updateTable('nameForms')
    .set({ subject: named.subject })
    .where('form', 'in', readForms(named.name))
    .where('issuer', '=', named.issuer)
    .execute();
}

/** Gives the forms of a template back that is gone. */
export async function releaseName(queries: Queries, templateId: string): Promise<void> {
  await queries
    .deleteFrom('nameForms')
    .where('subject', '=', templateId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('templates').select('id').where('id', '=', templateId))),
    )
    .execute();
}

/** Which of these names look like one that another issuer has. */
export async function findOthersNames(
  queries: Queries,
  named: readonly Pick<NameOfIssuer, 'name' | 'issuer'>[],
): Promise<ReadonlySet<string>> {
  if (named.length === 0) return new Set();
  const forms = [...new Set(named.flatMap(({ name }) => readForms(name)))];
  const rows = await queries
    .selectFrom('nameForms')
    .select(['form', 'issuer'])
    .where('form', 'in', forms)
    .execute();
  const issuerOf = new Map(rows.map(({ form, issuer }) => [form, issuer]));
  const isOthers = ({ name, issuer }: Pick<NameOfIssuer, 'name' | 'issuer'>): boolean =>
    readForms(name).some((form) => (issuerOf.get(form) ?? issuer) !== issuer);
  return new Set(named.filter(isOthers).map(({ name }) => name));
}

/** Who has forms of these names for its own name, not for a template's. */
export async function findOwnNameHolders(
  queries: Queries,
  names: readonly string[],
): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('nameForms')
    .select('issuer')
    .distinct()
    .where('form', 'in', [...new Set(names.flatMap(readForms))])
    .whereRef('issuer', '=', 'subject')
    .execute();
  return rows.map(({ issuer }) => issuer);
}

/** An issuer that is called something else by now has no right to what it was called; undefined: nothing at all. */
export async function releaseOwnNames(
  queries: Queries,
  { issuer, name }: { readonly issuer: string; readonly name: string | undefined },
): Promise<void> {
  const kept = name === undefined ? [] : [...readForms(name)];
  let query = queries.deleteFrom('nameForms').where('issuer', '=', issuer).where('subject', '=', issuer);
  if (kept.length > 0) query = query.where('form', 'not in', kept);
  await query.execute();
}

/** Another number with each change of the table by which names are read. */
const settingName = 'names.forms.2';

/** Templates of a service that did not know these forms yet: they get theirs once, the oldest first. */
export async function adoptTemplateNames(database: ServiceDatabase, now: number): Promise<void> {
  const { kysely } = database;
  if (await readSetting(kysely, settingName)) return;
  const listAfter = ({ createdAt, id } = { createdAt: -1, id: '' }) =>
    kysely
      .selectFrom('templates')
      .select(['id', 'name', 'issuer', 'createdAt'])
      .where(behind(['createdAt', 'id'], [createdAt, id]))
      .orderBy('createdAt')
      .orderBy('id')
      .limit(recordLimits.batchRowsMax)
      .execute();
  for await (const page of allPages<Awaited<ReturnType<typeof listAfter>>[number]>(listAfter))
    for (const { id, name, issuer } of page) await claimName(kysely, { name, issuer, subject: id });
  await putSettingOnce(kysely, { name: settingName, text: 'made', now });
}
