/**
 * The processes that work on this database: each says every moment that it lives. What one holds (claims of blobs,
 * submissions, idempotency keys) carries its id, and is free as soon as the id is no longer here. The database's own
 * clock decides, so that processes on machines with different clocks agree.
 */
import { randomBytes } from 'node:crypto';
import { submitLimits } from '@symbolon/core/limits';
import type { Database, DialectName } from '@symbolon/host/database/database';
import type { Log } from '@symbolon/host/log';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queries, ServiceSchema } from './schema.ts';

type WorkedDatabase = Pick<Database<ServiceSchema>, 'kysely' | 'dialect'>;

export const newWorkerId = (): string => randomBytes(16).toString('hex');

const nowBy: Readonly<Record<DialectName, RawBuilder<number>>> = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
};

/** Says that the worker lives, and forgets those that no longer say so. */
export async function renewWorker({ kysely, dialect }: WorkedDatabase, id: string): Promise<void> {
  const now = nowBy[dialect];
  const aliveUntil = sql<number>`${now} + ${sql.lit(submitLimits.workerLeaseMs)}`;
  await kysely
    .insertInto('workers')
    .values({ id, aliveUntil })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ aliveUntil }))
    .execute();
  await kysely.deleteFrom('workers').where('aliveUntil', '<=', now).execute();
}

export async function endWorker(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('workers').where('id', '=', id).execute();
}

/** What nobody works on: its process is gone, or it never had one. */
export const isLeft = (table: 'blobs' | 'applications' | 'idempotency'): RawBuilder<SqlBool> =>
  sql<SqlBool>`not exists (select 1 from ${sql.table('workers')}
    where ${sql.ref('workers.id')} = ${sql.ref(`${table}.worker`)})`;

export interface Worker {
  readonly id: string;
  /** Whether its last sign of life was written, and not too long ago. */
  isTold(): boolean;
  close(): Promise<void>;
}

/** A worker that lives until it is closed. Whoever has the file alone knows that all others are gone. */
export async function startWorker(database: WorkedDatabase, log: Log): Promise<Worker> {
  const id = newWorkerId();
  if (database.dialect === 'sqlite') await database.kysely.deleteFrom('workers').execute();
  await renewWorker(database, id);
  let renewing: Promise<void> = Promise.resolve();
  let isRenewing = false;
  let toldAt: number | undefined = performance.now();
  const timer = setInterval(() => {
    if (isRenewing) return;
    isRenewing = true;
    renewing = renewWorker(database, id)
      .then(() => {
        toldAt = performance.now();
      })
      .catch((err: unknown) => {
        toldAt = undefined;
        log.warn({ err }, 'the database was not told that this process lives');
      })
      .finally(() => {
        isRenewing = false;
      });
  }, submitLimits.workerRenewMs).unref();
  return {
    id,
    isTold: () => toldAt !== undefined && performance.now() - toldAt < submitLimits.workerLeaseMs,
    async close() {
      clearInterval(timer);
      await renewing;
      await endWorker(database.kysely, id).catch((err: unknown) => {
        log.warn({ err }, 'the database was not told that this process ends');
      });
    },
  };
}
