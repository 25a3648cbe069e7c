/** What statements of several rooms have in common. */
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { ServiceSchema } from './schema.ts';

/** Whether a statement that returns its row has found one. */
export const hasRow = async (statement: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await statement.executeTakeFirst()) !== undefined;

/** Rows behind this one, in the order of these columns. */
export const behind = (columns: readonly string[], last: readonly (string | number)[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(columns.map((name) => sql.ref(name)))}) > (${sql.join(last)})`;

export async function countRows<Table extends keyof ServiceSchema, Row>(
  rows: SelectQueryBuilder<ServiceSchema, Table, Row>,
): Promise<number> {
  const counted = rows.select((eb) => eb.fn.countAll<number | string>().as('count'));
  return Number(((await counted.executeTakeFirstOrThrow()) as { count: number | string }).count);
}
