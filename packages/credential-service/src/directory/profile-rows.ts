/**
 * Rows of profiles: what a party is called here, and on whose word. A name that is set is the party's own among all names
 * that people read alike (`templates/name-form-rows.ts`), until it is called something else.
 */
import { readForms } from '@symbolon/core/names/look-alike-names';
import { normalisedName } from '@symbolon/core/names/template-names';
import type { Queries, RowOf } from '../database/schema.ts';
import { hasRow, putRow, rowBy } from '../database/statements.ts';
import { claimName } from '../templates/name-form-rows.ts';

export type PartyProfile = RowOf<'profiles'>;

export const findPartyProfile = rowBy('profiles', 'did');

export async function findProfiles(
  queries: Queries,
  dids: readonly string[],
): Promise<readonly PartyProfile[]> {
  if (dids.length === 0) return [];
  return queries.selectFrom('profiles').selectAll().where('did', 'in', dids).orderBy('did').execute();
}

const subjectOf = (did: string): string => `profile ${did}`;

/** False where the name is read like another party's; then the caller undoes the rest. */
export async function putProfile(
  queries: Queries,
  row: Omit<PartyProfile, 'nameKey'>,
  ledgerName: string | undefined,
): Promise<boolean> {
  const { did, name } = row;
  const subject = subjectOf(did);
  await releaseForms(queries, did, readForms(name));
  if (!(await claimName(queries, { name, issuer: did, subject }))) return false;
  // Forms that it had for its name on the ledger stay with it when it has another name there.
  await queries
    .updateTable('nameForms')
    .set({ subject })
    .where('form', 'in', readForms(name))
    .where('issuer', '=', did)
    .where('subject', '=', did)
    .execute();
  // And those that only its name on the ledger has are not given up with its name here.
  if (ledgerName !== undefined) await claimName(queries, { name: ledgerName, issuer: did, subject: did });
  await putRow(queries, 'profiles', ['did'], { ...row, nameKey: normalisedName(name) });
  return true;
}

/** Whether there was one. */
export async function removeProfile(queries: Queries, did: string): Promise<boolean> {
  await releaseForms(queries, did, []);
  return hasRow(queries.deleteFrom('profiles').where('did', '=', did).returning('did'));
}

async function releaseForms(queries: Queries, did: string, kept: readonly string[]): Promise<void> {
  const own = queries.deleteFrom('nameForms').where('subject', '=', subjectOf(did));
  await (kept.length === 0 ? own : own.where('form', 'not in', kept)).execute();
}
