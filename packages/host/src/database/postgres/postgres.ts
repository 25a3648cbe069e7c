/**
 * PostgreSQL by URL: a bounded pool, a time limit on every statement, serializable transactions that are tried again
 * when others were faster. Rows look as they do from SQLite, and errors lose the values that PostgreSQL puts into
 * them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import { databaseLimits } from '../../limits/server-limits.ts';
import type { Database, DatabaseOptions } from '../common/database.ts';
import {
  DatabaseError,
  type DatabaseErrorKind,
  DatabaseUnreachable,
  isDatabaseFailing,
} from '../common/database-error.ts';
import { migrate } from '../common/migrate.ts';
import { type ColumnTypes, checkedParameter } from '../common/values.ts';
import { locationOf, type PostgresAddress, readPostgresAddress, tlsReason } from './postgres-address.ts';
import { createPostgresSignals } from './postgres-signals.ts';

const postgresTypes: ColumnTypes = {
  // Compared byte by byte as in SQLite, whatever the language of the database is.
  text: 'text collate "C"',
  integer: 'bigint',
  bytes: 'bytea',
  serial: 'bigint generated always as identity primary key',
  strict: '',
  unlogged: 'unlogged ',
};

export async function openPostgres<Tables>(url: string, options: DatabaseOptions): Promise<Database<Tables>> {
  const location = locationOf(url);
  const address = await readPostgresAddress(url, process.env.PGSSLMODE);
  let failures = 0;
  const onError = (error: DatabaseError): void => {
    if (isDatabaseFailing(error)) failures += 1;
  };
  const open = (bounds: pg.PoolConfig): Kysely<Tables> => {
    const pool = createPool(address, options, bounds);
    pool.on('error', (error) => options.onIdleError?.(postgresError(error)));
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded(pool, onError) }) });
  };
  const kysely = open({});
  const ownConnection = open(ownBounds);
  const signals = createPostgresSignals({
    connection: { ...connectionOf(address, options), ...heardBounds },
    notify: (channel, payload) => sql`select pg_notify(${channel}, ${payload})`.execute(kysely),
    onError: (error) => options.onIdleError?.(postgresError(error)),
  });
  const database: Database<Tables> = {
    kysely,
    ownConnection,
    dialect: 'postgres',
    location,
    signals,
    transaction: (work) =>
      retried(() => kysely.transaction().setIsolationLevel('serializable').execute(work)),
    migrate: (migrations) =>
      // A large table may take longer than any request should.
      migrate(kysely, migrations, {
        types: postgresTypes,
        location,
        before: 'set local statement_timeout = 0',
      }),
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    health: () => ({ integrity: 'notLookedAt', failures }),
    examine: () => undefined,
    async close() {
      await signals.close();
      await Promise.all([kysely.destroy(), ownConnection.destroy()]);
    },
  };
  try {
    await database.ping();
  } catch (error) {
    await database.close();
    throw new DatabaseUnreachable(`${location} cannot be reached: ${reasonOf(error)}`);
  }
  return database;
}

/** One connection that stays. The server cannot end what no longer reaches it, so this side waits with a limit, too. */
const ownBounds: pg.PoolConfig = {
  max: 1,
  idleTimeoutMillis: 0,
  connectionTimeoutMillis: databaseLimits.ownConnectionTimeoutMs,
  query_timeout: databaseLimits.ownConnectionTimeoutMs,
};

/** The connection that hears what others say: the system finds out when nobody is at its other end any more. */
const heardBounds: pg.ClientConfig = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

function createPool(address: PostgresAddress, options: DatabaseOptions, bounds: pg.PoolConfig): pg.Pool {
  return new pg.Pool({
    ...connectionOf(address, options),
    max: options.poolConnectionsMax ?? databaseLimits.poolConnectionsMax,
    ...bounds,
  });
}

const connectionOf = ({ url, tls }: PostgresAddress, options: DatabaseOptions): pg.ClientConfig => ({
  connectionString: url,
  // Said in either case: left out, the environment would decide.
  ssl: tls ? { ...tls, rejectUnauthorized: true } : false,
  connectionTimeoutMillis: options.connectTimeoutMs ?? databaseLimits.connectTimeoutMs,
  statement_timeout: options.statementTimeoutMs ?? databaseLimits.statementTimeoutMs,
  idle_in_transaction_session_timeout: options.transactionTimeoutMs ?? databaseLimits.transactionTimeoutMs,
  application_name: 'symbolon',
  types: { getTypeParser: parserOf as never },
});

const int8 = 20;
const bytea = 17;

function parserOf(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary') {
    if (oid === int8) return readInteger;
    if (oid === bytea) return (text) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex'));
  }
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}

function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new DatabaseError('other', 'an integer is too large to be read');
  return value;
}

/** The pool with parameters checked on the way in and errors cleaned on the way out. */
function guarded(pool: pg.Pool, tell: (error: DatabaseError) => void): PostgresPool {
  const told = (error: unknown): DatabaseError => {
    const known = postgresError(error);
    tell(known);
    return known;
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw told(error);
      });
      // A connection may break between two statements; unheard, that would end the process.
      let isBroken = false;
      const onError = (error: unknown) => {
        isBroken ||= endsConnection(error);
      };
      client.on('error', onError);
      const query = (text: string, parameters: readonly unknown[] = []) =>
        client.query(text, parameters.map(readable)).catch((error: unknown) => {
          onError(error);
          throw told(error);
        });
      const release = (destroy?: boolean) => {
        client.off('error', onError);
        client.release(destroy === true || isBroken);
      };
      return { query, release } as unknown as PostgresPoolClient;
    },
  };
}

/** An error that is not the server's answer to one statement, or is its last word. */
function endsConnection(error: unknown): boolean {
  const { code, severity } = error as { code?: string; severity?: string };
  return severity === undefined || severity === 'FATAL' || code?.startsWith('57P') === true;
}

/** The query builder itself asks the catalogue with truth values; no column of ours takes one. */
const readable = (value: unknown): unknown => (typeof value === 'boolean' ? value : checkedParameter(value));

const kinds: Readonly<Record<string, DatabaseErrorKind>> = {
  '23505': 'unique',
  '23503': 'foreignKey',
  '23502': 'notNull',
  '23514': 'check',
  '40001': 'contention',
  '40P01': 'contention',
  '55P03': 'contention',
  '57014': 'timeout',
  '25P03': 'timeout',
};

/** No room or no more connections, an operator's stop, the system's error, damage, a replica that takes no writes. */
const failingClasses = /^(53|57P|58|XX00[12]|08|25006)/;

/** What no server said came of the way to it, or of its being away. */
const kindOf = (code: string | undefined, severity: string | undefined): DatabaseErrorKind =>
  kinds[code ?? ''] ?? (severity === undefined || failingClasses.test(code ?? '') ? 'failed' : 'other');

/** Class 22 are complaints about data, which quote it. */
function postgresError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { code, message, table, constraint, severity } = error as Error & Record<string, string | undefined>;
  const where = [table, constraint].filter(Boolean).join('.');
  const words = code?.startsWith('22')
    ? 'a value does not fit its column'
    : (tlsReason(error) ?? reasonOf(error));
  const text = where === '' || message?.includes(where) ? words : `${words} (${where})`;
  return new DatabaseError(kindOf(code, severity), text, code);
}

/** Several addresses that all refuse come as one error without a message of its own. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  return message || errors?.[0]?.message || code || 'unknown reason';
}

async function retried<Result>(run: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isContention = error instanceof DatabaseError && error.kind === 'contention';
      const isTriedEnough = attempt >= databaseLimits.transactionAttemptsMin;
      if (
        !isContention ||
        (isTriedEnough && performance.now() - begun > databaseLimits.transactionPatienceMs)
      )
        throw error;
      // Those who collided must not collide again, so the pause is random and grows.
      await delay(Math.random() * Math.min(2 ** attempt, databaseLimits.transactionPauseMs));
    }
  }
}
