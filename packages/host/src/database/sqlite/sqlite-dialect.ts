/**
 * SQLite for the query builder. What it calls a connection is only a place in the line for the real one; a
 * transaction claims the real one, and loses it, rolled back, when it takes too long.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { DatabaseError } from '../common/database-error.ts';
import { checkedParameter } from '../common/values.ts';
import type { SqliteConnection, SqliteResult, SqliteStatement } from './sqlite-connection.ts';

/** Here SQLite has as many connections as there are users, and it can roll back changes of its tables. */
class ThreadAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export function sqliteDialect(connection: SqliteConnection, transactionTimeoutMs: number): Dialect {
  return {
    createAdapter: () => new ThreadAdapter(),
    createDriver: () => sqliteDriver(connection, transactionTimeoutMs),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function sqliteDriver(connection: SqliteConnection, transactionTimeoutMs: number): Driver {
  const session = (given: DatabaseConnection) => given as Session;
  const mark = (word: string) => (given: DatabaseConnection, name: string) =>
    session(given).command(`${word} "${name.replaceAll('"', '""')}"`);
  return {
    init: async () => {},
    acquireConnection: async () => new Session(connection, transactionTimeoutMs),
    beginTransaction: (given, settings) => session(given).begin(settings),
    commitTransaction: (given) => session(given).end('commit'),
    rollbackTransaction: (given) => session(given).end('rollback'),
    savepoint: mark('savepoint') satisfies SavepointFunction,
    rollbackToSavepoint: mark('rollback to') satisfies SavepointFunction,
    releaseSavepoint: mark('release') satisfies SavepointFunction,
    releaseConnection: async () => {},
    destroy: () => connection.close(),
  };
}

type SavepointFunction = (
  connection: DatabaseConnection,
  name: string,
  compile: QueryCompiler['compileQuery'],
) => Promise<void>;

class Session implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  readonly #transactionTimeoutMs: number;
  #state: 'single' | 'inside' | 'late' = 'single';
  /** What a transaction begins with; it is sent with the first statement, which saves the thread a message. */
  #beginning: SqliteStatement | undefined;
  #deadline: NodeJS.Timeout | undefined;
  /** The last statement given: whatever ends the transaction must come behind it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: SqliteConnection, transactionTimeoutMs: number) {
    this.#connection = connection;
    this.#transactionTimeoutMs = transactionTimeoutMs;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = { sql, parameters: parameters.map(checkedParameter) };
    const { rows, changes } = await (this.#state === 'single'
      ? this.#connection.run(statement)
      : this.#inside(statement));
    return {
      rows: rows as Row[],
      ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
    };
  }

  // biome-ignore lint/correctness/useYield: there is nothing to yield before the refusal
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new DatabaseError('other', 'rows are read in pages, not streamed');
  }

  async begin({ accessMode }: TransactionSettings): Promise<void> {
    await this.#connection.claim();
    // A writer that asks for the lock at its first write could find its reading outdated.
    const sql = accessMode === 'read only' ? 'begin' : 'begin immediate';
    this.#beginning = { sql, parameters: [] };
    this.#state = 'inside';
    this.#deadline = setTimeout(() => void this.#expire(), this.#transactionTimeoutMs).unref();
  }

  /** The query builder rolls back after a commit that failed, when there is nothing left to roll back. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (this.#state !== 'inside') {
      if (how === 'commit') throw late();
      this.#state = 'single';
      return;
    }
    clearTimeout(this.#deadline);
    // Whoever gives up may have left a statement on its way, and with it the beginning.
    await this.#last;
    this.#state = 'single';
    const beginning = this.#beginning;
    this.#beginning = undefined;
    const ending = { sql: how, parameters: [] };
    try {
      if (!beginning) await this.#connection.runInside(ending);
      // One without statements tells all the same whether the database takes any.
      else if (how === 'commit') await this.#connection.beginWith(beginning, ending, () => {});
    } catch (error) {
      // A commit that failed leaves the transaction open; the connection must be clean for the next.
      if (how === 'commit') await this.#rollBack();
      throw error;
    } finally {
      this.#connection.release();
    }
  }

  async command(sql: string): Promise<void> {
    await this.#inside({ sql, parameters: [] });
  }

  /** One after the other: whether the transaction has begun is known when its first statement was answered. */
  #inside(statement: SqliteStatement): Promise<SqliteResult> {
    const result = this.#last.then(() => this.#send(statement));
    this.#last = result.catch(() => {});
    return result;
  }

  async #send(statement: SqliteStatement): Promise<SqliteResult> {
    if (this.#state === 'late') throw late();
    if (!this.#beginning) return this.#connection.runInside(statement);
    return this.#connection.beginWith(this.#beginning, statement, () => {
      this.#beginning = undefined;
    });
  }

  async #expire(): Promise<void> {
    this.#state = 'late';
    await this.#last;
    if (this.#beginning === undefined) await this.#rollBack();
    this.#connection.release();
  }

  async #rollBack(): Promise<void> {
    await this.#connection.runInside({ sql: 'rollback', parameters: [] }).catch(() => {});
  }
}

const late = () => new DatabaseError('timeout', 'the transaction took too long and was rolled back');
