/** SQLite files in folders of their own, and processes that own them: for the tests of how a file is looked after. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../common/database.ts';
import { DatabaseError } from '../common/database-error.ts';
import { openDatabase } from '../open-database.ts';

export function tempFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-care-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function own(context: TestContext, file: string) {
  const damages: string[] = [];
  const database = await openDatabase(`sqlite:${file}`, {
    isOwner: true,
    onDamage: (damage) => damages.push(damage),
  });
  context.after(() => database.close());
  return { database, damages };
}

export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await condition()); waitedMs += 20) {
    assert.ok(waitedMs < 20_000, `waited in vain: ${what}`);
    await delay(20);
  }
}

export const make = ({ kysely }: Database<unknown>) =>
  sql`create table t (a integer primary key)`.execute(kysely);
export const put = ({ kysely }: Database<unknown>, a: number) =>
  sql`insert into t values (${a})`.execute(kysely);
export const rowsOf = (file: string): number => {
  const connection = new DatabaseSync(file);
  const [row] = connection.prepare('select count(*) as n from t').all();
  connection.close();
  return Number(row?.n);
};

export const isFailed = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof DatabaseError, String(error));
  assert.equal(error.kind, 'failed');
  assert.match(error.message, words);
  return true;
};

const openModule = JSON.stringify(new URL('../open-database.ts', import.meta.url).href);

/** A script of its own, because threads do not start under a program given as a word. */
export function scriptOf(context: TestContext, code: string): string {
  const script = path.join(tempFolder(context), 'script.mjs');
  writeFileSync(script, `const { openDatabase } = await import(${openModule});\n${code}`);
  return script;
}

/** A process that owns the file until it is killed. */
export async function owningProcess(context: TestContext, file: string) {
  const script = scriptOf(
    context,
    `await openDatabase('sqlite:' + ${JSON.stringify(file)}, { isOwner: true });
    process.stdout.write('owned');
    setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  context.after(() => child.kill('SIGKILL'));
  const [first] = await Promise.race([once(child.stdout, 'data'), ended]);
  assert.equal(String(first), 'owned');
  return async () => {
    child.kill('SIGKILL');
    await ended;
  };
}
