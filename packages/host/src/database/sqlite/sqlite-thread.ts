/**
 * The thread that owns the SQLite connection, so that waiting for the disk never holds up the event loop. It answers
 * requests in their order. Single writes that wait at the same time share one commit: their answers leave only after
 * it, and when the commit is impossible each is tried alone, so that one's fault is never another's.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '@symbolon/core/basics/assert';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import type {
  SqliteFailure,
  SqliteOpened,
  SqliteOutcome,
  SqliteRequest,
  SqliteStatement,
  SqliteThreadSettings,
} from './sqlite-connection.ts';
import { type SqliteWatch, watchSqlite } from './sqlite-watch.ts';

const port = parentPort;
assert(port, 'this file runs as a thread');
const { file, isOwned, busyTimeoutMs, cachedStatementsMax } = workerData as SqliteThreadSettings;

function failureOf(error: unknown): SqliteFailure {
  const { message, errcode } = error as { message: string; errcode?: number };
  return { message, code: errcode ?? 1 };
}

function open(): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  connection.enableDefensive(true);
  connection.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off;
    pragma temp_store = memory; pragma journal_size_limit = 67108864; select count(*) from sqlite_schema`);
  return connection;
}

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

/** Prepared statements by their text. */
function statementCache(connection: DatabaseSync): (sql: string) => Prepared {
  const cache = new RecentMap<string, Prepared>(cachedStatementsMax);
  return (sql) => {
    const known = cache.get(sql);
    if (known) return known;
    const statement = connection.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    cache.set(sql, prepared);
    return prepared;
  };
}

function serve(connection: DatabaseSync, watch: SqliteWatch): (request: SqliteRequest) => SqliteOutcome[] {
  const prepare = statementCache(connection);

  const run = ({ sql, parameters }: SqliteStatement): SqliteOutcome => {
    try {
      const { statement, hasRows } = prepare(sql);
      const values = parameters as SQLInputValue[];
      if (hasRows) return { rows: statement.all(...values) };
      return { rows: [], changes: Number(statement.run(...values).changes) };
    } catch (error) {
      return { failure: watch.judged(failureOf(error)) };
    }
  };

  const runAlone = (statement: SqliteStatement): SqliteOutcome => {
    const outcome = run(statement);
    if (!connection.isTransaction) return outcome;
    connection.exec('rollback');
    return { failure: { message: 'a transaction begins with transaction()', code: 1 } };
  };

  const apart = (statements: readonly SqliteStatement[]): SqliteOutcome[] => {
    if (connection.isTransaction) connection.exec('rollback');
    return statements.map(runAlone);
  };

  const runTogether = (statements: readonly SqliteStatement[]): SqliteOutcome[] => {
    const outcomes: SqliteOutcome[] = [];
    try {
      connection.exec('begin');
      for (const statement of statements) {
        outcomes.push(run(statement));
        // A full disk, among others, ends the whole transaction.
        if (!connection.isTransaction || watch.isStopped()) return apart(statements);
      }
      connection.exec('commit');
      return outcomes;
    } catch (error) {
      watch.judged(failureOf(error));
      return apart(statements);
    }
  };

  /** What comes after a failure may rely upon what failed, so it is not run. */
  const runInTurn = (statements: readonly SqliteStatement[]): SqliteOutcome[] => {
    const outcomes: SqliteOutcome[] = [];
    for (const statement of statements) {
      const outcome = run(statement);
      outcomes.push(outcome);
      if ('failure' in outcome) break;
    }
    return outcomes;
  };

  const beat = (): SqliteOutcome => {
    try {
      return watch.beat();
    } catch (error) {
      return { failure: watch.judged(failureOf(error)) };
    }
  };

  return (request) => {
    if (request.mode === 'beat') return [beat()];
    if (request.mode === 'stop') return [watch.stop(request.problem)];
    const { mode, statements } = request;
    if (mode === 'inside') return runInTurn(statements);
    return statements.length === 1 ? statements.map(runAlone) : runTogether(statements);
  };
}

try {
  const connection = open();
  const watch = watchSqlite(connection, { file, isOwned });
  const answer = serve(connection, watch);
  port.on('message', (request: SqliteRequest | 'close') => {
    if (request === 'close') {
      connection.close();
      watch.letGo();
      port.close();
    } else port.postMessage(answer(request));
  });
  port.postMessage({ opened: true } satisfies SqliteOpened);
} catch (error) {
  port.postMessage({ failure: failureOf(error) } satisfies SqliteOpened);
  port.close();
}
