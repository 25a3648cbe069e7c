/**
 * The processes that work on this database: each says every few moments that it lives. What one holds (claims of blobs,
 * submissions, payments, idempotency keys) carries its id, and is free as soon as the id is no longer here. PostgreSQL
 * sees the connection of a dead process end, so this is known at once; where the connection only seems to live, as
 * after the loss of a machine, the lease ends. The database's own clock decides, so that machines with different clocks
 * agree.
 */
import { randomBytes } from 'node:crypto';
import { submitLimits } from '@symbolon/core/limits/waiting';
import type { Database, DialectName } from '@symbolon/host/database/common/database';
import type { Log } from '@symbolon/host/telemetry/log';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queries, ServiceSchema } from './schema.ts';

type WorkedDatabase = Pick<Database<ServiceSchema>, 'ownConnection' | 'dialect'>;

interface Dialect {
  readonly now: RawBuilder<number>;
  /** The connection that asks. */
  readonly session: RawBuilder<number | null>;
  /** Whether the connection by which a worker last said that it lives has ended. */
  readonly isCut: RawBuilder<SqlBool>;
}

const dialects: Readonly<Record<DialectName, Dialect>> = {
  sqlite: {
    now: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
    session: sql<number | null>`null`,
    isCut: sql<SqlBool>`false`,
  },
  postgres: {
    now: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
    session: sql<number | null>`pg_backend_pid()`,
    isCut: sql<SqlBool>`${sql.ref('session')} not in (select pid from pg_stat_activity)`,
  },
};

/** Says that the worker lives, and forgets those that no longer do. */
export async function renewWorker({ ownConnection, dialect }: WorkedDatabase, id: string): Promise<void> {
  const { now, session, isCut } = dialects[dialect];
  const sign = { aliveUntil: sql<number>`${now} + ${sql.lit(submitLimits.workerLeaseMs)}`, session };
  await ownConnection
    .insertInto('workers')
    .values({ id, ...sign })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(sign))
    .execute();
  await ownConnection
    .deleteFrom('workers')
    .where((eb) => eb.or([eb('aliveUntil', '<=', now), isCut]))
    .execute();
}

export async function endWorker(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('workers').where('id', '=', id).execute();
}

/**
 * What nobody works on: its process is gone, or it never had one. Counted, because PostgreSQL makes a join of `not
 * exists`, and does not look again for whoever had to wait for a row: two would take it, one after the other.
 */
export const isLeft = (
  table: 'blobs' | 'applications' | 'idempotency' | 'payments' | 'settlements' | 'openidDatasets',
  column = 'worker',
): RawBuilder<SqlBool> =>
  sql<SqlBool>`(select count(*) from ${sql.table('workers')}
    where ${sql.ref('workers.id')} = ${sql.ref(`${table}.${column}`)}) = 0`;

export interface Worker {
  readonly id: string;
  /** Whether its last sign of life was written, and not too long ago. */
  isTold(): boolean;
  close(): Promise<void>;
}

/** A worker that lives until it is closed. Whoever has the file alone knows that all others are gone. */
export async function startWorker(database: WorkedDatabase, log: Log): Promise<Worker> {
  const id = randomBytes(16).toString('hex');
  if (database.dialect === 'sqlite') await database.ownConnection.deleteFrom('workers').execute();
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
      await endWorker(database.ownConnection, id).catch((err: unknown) => {
        log.warn({ err }, 'the database was not told that this process ends');
      });
    },
  };
}
