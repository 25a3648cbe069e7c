/** Where people log in at an issuer's place, and of which templates they can have credentials so. */
import type { Queries } from '../../database/schema.ts';
import { putRow, rowBy } from '../../database/statements.ts';

export interface OpenidLogin {
  readonly issuer: string;
  readonly loginUrl: string;
  readonly templateIds: readonly string[];
  readonly updatedAt: number;
}

const loginRow = rowBy('openidLogins', 'issuer');

export async function findLogin(queries: Queries, issuer: string): Promise<OpenidLogin | undefined> {
  const row = await loginRow(queries, issuer);
  return row && { ...row, templateIds: JSON.parse(row.templateIds) as string[] };
}

export const putLogin = (queries: Queries, { templateIds, ...login }: OpenidLogin): Promise<void> =>
  putRow(queries, 'openidLogins', ['issuer'], { ...login, templateIds: JSON.stringify(templateIds) });

/** Whether there was one. */
export async function removeLogin(queries: Queries, issuer: string): Promise<boolean> {
  const removed = await queries
    .deleteFrom('openidLogins')
    .where('issuer', '=', issuer)
    .returning('issuer')
    .executeTakeFirst();
  return removed !== undefined;
}
