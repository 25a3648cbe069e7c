/**
 * Guards the tables of an open store once they have been checked. LevelDB believes the filter and the index of a table:
 * a bit that changes there hides a row or brings an older one back, and no checksum of a row shows it. A table is never
 * changed after it was written. So its file is looked at again and again, and read through when its size, its inode or
 * one of its times is another than before; that alone is no damage, for a second link changes a time as well. What a
 * disk changes by itself leaves no trace there, and so everything is read through once a day.
 */
import { type BigIntStats, statSync } from 'node:fs';
import { storeLimits } from '../limits/node-limits.ts';
import { startTableCheck, type TableCheck } from './table-check.ts';
import { missingTable, type TableToCheck } from './table-file.ts';

export interface GuardedTables {
  /** The tables that LevelDB reads from now. */
  live(): TableToCheck[];
  /** Whether the table still waits for its first check, which is not the guard's. */
  isUnchecked(number: number): boolean;
  /** Whether the table was there at the opening, and is to be older than that. */
  wasThere(number: number): boolean;
  readonly openedAtMs: number;
  onDamage(number: number, damage: string): void;
  /** Told when a thread that reads has died. */
  onFailure(error: unknown): void;
}

export class TableGuard {
  readonly #tables: GuardedTables;
  /** How each table was when it was last looked at. */
  readonly #marks = new Map<number, string>();
  /** What is left of the present round. */
  #round: TableToCheck[] = [];
  #roundBegunMs = Number.NEGATIVE_INFINITY;
  /** Tables that are to be read through, because something about their files has changed. */
  readonly #changed = new Map<number, TableToCheck>();
  readonly #checks = new Set<TableCheck>();
  readonly #timers: NodeJS.Timeout[] = [];
  #isReadingChanged = false;
  #isReadingThrough = false;

  constructor(tables: GuardedTables) {
    this.#tables = tables;
  }

  start(): void {
    this.#timers.push(
      setInterval(() => this.look(), storeLimits.tableLookMs).unref(),
      setInterval(() => void this.readThrough(), storeLimits.tablePassMs).unref(),
    );
  }

  /** Ends it after the tables that are being read. */
  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(Array.from(this.#checks, (check) => check.end().catch(() => undefined)));
  }

  /** Looks at the next few files; where there are few, rounds have a pause between them. */
  look(): void {
    if (this.#round.length === 0) {
      if (performance.now() - this.#roundBegunMs < storeLimits.tableRoundMs) return;
      this.#beginRound();
    }
    for (const table of this.#round.splice(0, storeLimits.tableLooksAtOnce)) {
      if (this.#tables.isUnchecked(table.number)) continue;
      const stats = statsOf(table.path);
      const mark = markOf(stats);
      if (!this.#isAsBefore(table, { stats, mark })) this.#changed.set(table.number, table);
      this.#marks.set(table.number, mark);
    }
    void this.#readChanged();
  }

  /** Reads every table through, slowly. */
  async readThrough(): Promise<void> {
    if (this.#isReadingThrough) return;
    this.#isReadingThrough = true;
    const tables = this.#tables.live().filter(({ number }) => !this.#tables.isUnchecked(number));
    await this.#read(tables, storeLimits.tablePassRestFactor);
    this.#isReadingThrough = false;
  }

  #beginRound(): void {
    this.#roundBegunMs = performance.now();
    this.#round = this.#tables.live();
    const live = new Set(this.#round.map(({ number }) => number));
    for (const number of this.#marks.keys()) if (!live.has(number)) this.#marks.delete(number);
  }

  #isAsBefore({ number }: TableToCheck, { stats, mark }: { stats?: BigIntStats; mark: string }): boolean {
    const before = this.#marks.get(number);
    if (before !== undefined) return before === mark;
    // Not looked at since the opening: what was there then has not been written to since.
    return stats !== undefined && !(this.#tables.wasThere(number) && stats.mtimeMs > this.#tables.openedAtMs);
  }

  async #readChanged(): Promise<void> {
    if (this.#changed.size === 0 || this.#isReadingChanged) return;
    this.#isReadingChanged = true;
    const tables = [...this.#changed.values()];
    this.#changed.clear();
    await this.#read(tables, storeLimits.tableCheckRestFactor);
    this.#isReadingChanged = false;
  }

  async #read(tables: readonly TableToCheck[], restFactor: number): Promise<void> {
    const check = startTableCheck({ tables, restFactor }, ({ number, damage }) => {
      if (damage === undefined || (damage === missingTable && !this.#isLive(number))) return;
      this.#tables.onDamage(number, damage);
    });
    this.#checks.add(check);
    await check.ended.catch((error) => this.#tables.onFailure(error));
    this.#checks.delete(check);
  }

  /** LevelDB deletes a table once it reads from it no more. */
  #isLive(number: number): boolean {
    return this.#tables.live().some((table) => table.number === number);
  }
}

/** Undefined when the file is not there, or does not let itself be looked at. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

const markOf = (stats: BigIntStats | undefined): string =>
  stats ? [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ') : '';
