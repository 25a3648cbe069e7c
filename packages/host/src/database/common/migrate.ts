/**
 * Tables grow by migrations: statements with a name, run once, in order, each run recorded in the database. A
 * database that knows a migration this program does not know was used by a newer program and is left alone.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { type Migration as KyselyMigration, Migrator } from 'kysely/migration';
import { DatabaseTooNew } from './database-error.ts';
import type { ColumnTypes } from './values.ts';

export interface Migration {
  /** Sorts behind its predecessors: `0001-templates`. Never changes once released, like its statements. */
  readonly name: string;
  readonly statements: (types: ColumnTypes) => readonly string[];
}

export const migrationTable = 'symbolon_migration';
const migrationLockTable = 'symbolon_migration_lock';

export interface MigrateContext {
  readonly types: ColumnTypes;
  readonly location: string;
  /** Run before the first statement of each migration, inside its transaction. */
  readonly before?: string;
}

export async function migrate<Tables>(
  kysely: Kysely<Tables>,
  migrations: readonly Migration[],
  { types, location, before }: MigrateContext,
): Promise<readonly string[]> {
  assertOrdered(migrations);
  await refuseNewer(kysely, migrations, location);
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => steps(migrations, types, before) },
    migrationTableName: migrationTable,
    migrationLockTableName: migrationLockTable,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  const failed = results.find(({ status }) => status === 'Error');
  if (failed) throw new Error(`migration ${failed.migrationName} of ${location} failed`, { cause: error });
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}

function assertOrdered(migrations: readonly Migration[]): void {
  for (const [index, { name }] of migrations.entries()) {
    const previous = migrations[index - 1]?.name;
    if (!/^\d{4}-[a-z0-9-]{1,60}$/.test(name)) throw new Error(`not the name of a migration: ${name}`);
    if (previous !== undefined && previous >= name) throw new Error(`migration ${name} is out of order`);
  }
}

async function refuseNewer<Tables>(
  kysely: Kysely<Tables>,
  migrations: readonly Migration[],
  location: string,
): Promise<void> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === migrationTable)) return;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(migrationTable)}`.execute(kysely);
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new DatabaseTooNew(
      `${location} was made by a newer program: this one does not know ${unknown.sort().slice(0, 3).join(', ')}`,
    );
}

function steps(
  migrations: readonly Migration[],
  types: ColumnTypes,
  before: string | undefined,
): Record<string, KyselyMigration> {
  const entries = migrations.map(({ name, statements }): [string, KyselyMigration] => [
    name,
    {
      async up(db) {
        const all = [...(before === undefined ? [] : [before]), ...statements(types)];
        for (const statement of all) await sql.raw(statement).execute(db);
      },
    },
  ]);
  return Object.fromEntries(entries);
}
