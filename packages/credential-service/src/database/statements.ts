/** What statements of several rooms have in common. */
import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { recordLimits } from '../limits/service-limits.ts';
import type { NewRowOf, Queries, RowOf, ServiceSchema } from './schema.ts';

type TableName = keyof ServiceSchema;
type ColumnOf<Table extends TableName> = keyof ServiceSchema[Table] & string;

/** A function that finds the row which has a value in this column. */
export const rowBy =
  <Table extends TableName>(table: Table, column: ColumnOf<Table>) =>
  async (queries: Queries, value: string): Promise<RowOf<Table> | undefined> => {
    const rows = queries.selectFrom(table as TableName).selectAll();
    return (await rows.where(sql.ref(column), '=', value).executeTakeFirst()) as RowOf<Table> | undefined;
  };

/** Adds a row, or several; false where nothing was added, because what they collide with is there already. */
export async function addOnce<Table extends TableName>(
  queries: Queries,
  table: Table,
  rows: NewRowOf<Table> | readonly NewRowOf<Table>[],
): Promise<boolean> {
  const added = await queries
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Adds a row, in place of the one with the same key. */
export async function putRow<Table extends TableName>(
  queries: Queries,
  table: Table,
  key: readonly ColumnOf<Table>[],
  row: NewRowOf<Table>,
): Promise<void> {
  await queries
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns(key).doUpdateSet(row))
    .execute();
}

/** Deletes rows of this kind, a batch at most, those first that come first by a column; answers how many. */
export async function deleteBatch<Table extends TableName>(
  queries: Queries,
  table: Table,
  {
    key,
    first,
    where,
  }: {
    readonly key: ColumnOf<Table>;
    readonly first: ColumnOf<Table>;
    readonly where: (eb: ExpressionBuilder<ServiceSchema, Table>) => Expression<SqlBool>;
  },
): Promise<number> {
  const isOne = where(expressionBuilder<ServiceSchema, Table>());
  // Asked twice, because a row may change between being chosen and being deleted.
  const { rows } = await sql`delete from ${sql.table(table)} where (${isOne}) and ${sql.ref(key)} in
    (select ${sql.ref(key)} from ${sql.table(table)} where (${isOne})
      order by ${sql.ref(first)} limit ${recordLimits.batchRowsMax})
    returning ${sql.ref(key)}`.execute(queries);
  return rows.length;
}

/** Whether a statement that returns its row has found one. */
export const hasRow = async (statement: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await statement.executeTakeFirst()) !== undefined;

export const hasAnyRow = (queries: Queries, table: TableName): Promise<boolean> =>
  hasRow(
    queries
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .limit(1),
  );

const joined = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)));

/** Rows behind this one, in the order of these columns. */
export const behind = (columns: readonly string[], last: readonly (string | number)[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${joined(columns)}) > (${sql.join(last)})`;

/** Rows before it. */
export const before = (columns: readonly string[], last: readonly (string | number)[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${joined(columns)}) < (${sql.join(last)})`;

/**
 * A column that is only compared, never searched by: where another condition leaves few rows, a database without
 * statistics must not walk the index of this one instead.
 */
export const onlyCompared = (column: string): RawBuilder<string> =>
  sql<string>`coalesce(${sql.ref(column)}, '')`;

/** Rows ahead of this one, in the same order. */
export const ahead = (columns: readonly string[], first: readonly (string | number)[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(columns.map((name) => sql.ref(name)))}) < (${sql.join(first)})`;

export async function countRows<Table extends TableName, Row>(
  rows: SelectQueryBuilder<ServiceSchema, Table, Row>,
): Promise<number> {
  const counted = rows.select((eb) => eb.fn.countAll<number | string>().as('count'));
  return Number(((await counted.executeTakeFirstOrThrow()) as { count: number | string }).count);
}
