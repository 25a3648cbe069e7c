/**
 * What the tests of the ledger's commands share: a folder to be in, with a real node and a profile of two people that
 * the commands find by themselves, and `symbolon` run in that folder as a person runs it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Owner } from '../support/owner.ts';
import { type Person, person, richest } from '../support/people.ts';
import { type NodeOrder, type RunningNode, startNode } from '../support/running-node.ts';
import { didOf } from '../support/service-world.ts';
import { plainEnvironment } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const main = path.resolve(import.meta.dirname, '../../packages/cli/src/main.ts');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed, or piped in. */
  readonly input?: string;
}

export type Run = (words: readonly string[], options?: RunOptions) => Promise<Ended>;

/** Starts `symbolon` in a folder; `stop` sends a signal. */
export function startIn(folder: string, owner: Owner, words: readonly string[], options: RunOptions = {}) {
  const child = spawn(process.execPath, [main, ...words], {
    cwd: folder,
    env: { ...plainEnvironment(), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  // A command that does not read its input may be gone before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const ended = once(child, 'close').then(([code]): Ended => ({ code, ...printed }));
  owner.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const exitCode = () => child.exitCode;
  return { printed, ended, exitCode, stop: (signal: NodeJS.Signals = 'SIGINT') => child.kill(signal) };
}

export const runIn =
  (folder: string, owner: Owner): Run =>
  (words, options) =>
    startIn(folder, owner, words, options).ended;

export interface LedgerWorld {
  readonly node: RunningNode;
  readonly folder: string;
  /** Has all the money of the chain; called `issuer` in the profile. */
  readonly rich: Person;
  /** Has an account only when somebody pays into it; called `holder`. */
  readonly poor: Person;
  readonly run: Run;
  /** The same with `--json`, which must succeed. */
  json(...words: string[]): Promise<Record<string, unknown>>;
}

export async function openLedgerWorld(owner: Owner, order: NodeOrder = {}): Promise<LedgerWorld> {
  const node = await startNode(owner, order);
  const folder = tempFolder(owner);
  const poor = person('holder of the command line');
  writeProfile(folder, node.url, { issuer: richest, holder: poor });
  const run = runIn(folder, owner);
  return {
    node,
    folder,
    rich: richest,
    poor,
    run,
    async json(...words) {
      const { code, out, err } = await run([...words, '--json']);
      assert.equal(code, 0, out + err);
      assert.equal(out.trimEnd().split('\n').length, 1, 'JSON is one line');
      return JSON.parse(out);
    },
  };
}

/** The profile that is used without being asked for. */
function writeProfile(folder: string, ledger: string, people: Readonly<Record<string, Person>>): void {
  const place = path.join(folder, '.symbolon', 'dev');
  mkdirSync(place, { recursive: true });
  const entries = Object.entries(people).map(([name, who]) => [
    name,
    { did: didOf(who), address: who.address, privateKey: who.privateKey },
  ]);
  const profile = { service: 'http://127.0.0.1:1', ledger, ...Object.fromEntries(entries) };
  writeFileSync(path.join(place, 'demo.json'), JSON.stringify(profile), { mode: 0o600 });
}

/** A failure in words: its exit code, what it says, and no stack. */
export function assertWords({ code, out, err }: Ended, expected: number, words: RegExp): void {
  assert.equal(code, expected, out + err);
  assert.match(err, words);
  assert.doesNotMatch(err, /\n\s+at /, 'no stack for a mistake of the user');
}
