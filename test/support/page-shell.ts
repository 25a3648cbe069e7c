/**
 * Pages that are run: what a reader would paste is taken from a page and given to a shell, in order. What a page may hold:
 *
 * - a block `sh`: pasted into the reader's terminal, whose variables stay. Every command in it must succeed, but for one
 *   that says `# exit code 3`. With `# leave it running` it gets a terminal of its own; `# after Ctrl-C` ends all those.
 * - a block `text`: lines that the block before it printed, in this order; `…` stands for what varies.
 * - any block after a line that ends with a file's name (`.symbolon/door.ts`:): what to save under that name.
 *
 * Other blocks are for reading. What is left running gets its Ctrl-C at the end.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Owner } from './owner.ts';
import { tempFolder } from './temp-folder.ts';
import { until } from './until.ts';

const patienceMs = 150_000;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Terminal {
  readonly child: ChildProcess;
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
  /** Ctrl-C, as a terminal gives it: to everything that runs in it. */
  interrupt(): Promise<number | null>;
}

/** A command in a terminal of its own. */
export function openTerminal(owner: Owner, command: string, { folder, env }: ReadersPlace): Terminal {
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const signal = (name: NodeJS.Signals): void => {
    if (!isOver()) process.kill(-(child.pid as number), name);
  };
  owner.after(async () => {
    signal('SIGKILL');
    await ended;
  });
  return {
    child,
    ended,
    printed: () => text,
    async interrupt() {
      signal('SIGINT');
      return ended;
    },
  };
}

export interface DocumentStep {
  readonly kind: 'paste' | 'leave' | 'save';
  /** Of its block in the page. */
  readonly line: number;
  readonly text: string;
  /** Where to save it. */
  readonly file?: string;
  /** What is to be seen, if the page says so. */
  readonly seen?: string;
}

/** The steps of a page, in order. */
export function readSteps(page: string): DocumentStep[] {
  const steps: DocumentStep[] = [];
  for (const found of page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const [, language, text = ''] = found;
    const before = page.slice(0, found.index);
    const line = before.split('\n').length;
    const last = steps.at(-1);
    const file = /`([\w./-]+)`:\s*$/.exec(before)?.[1];
    if (file !== undefined) steps.push({ kind: 'save', line, text, file });
    else if (language === 'sh')
      steps.push({ kind: /# .*leave it running/.test(text) ? 'leave' : 'paste', line, text });
    else if (language === 'text' && last && last.kind !== 'save')
      steps[steps.length - 1] = { ...last, seen: text };
  }
  return steps;
}

/** The first line of what is to be seen that is not there, in order; undefined if all are. */
export function missingLine(seen: string, printed: string): string | undefined {
  const lines = printed.split('\n').map((line) => line.trimEnd());
  let at = 0;
  for (const expected of seen.trimEnd().split('\n')) {
    const parts = expected.trimEnd().split('…');
    const pattern = new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`);
    const found = lines.slice(at).findIndex((line) => pattern.test(line));
    if (found < 0) return expected;
    at += found + 1;
  }
  return undefined;
}

/** The reader's own terminal: one shell for all that is pasted. */
function openReader(owner: Owner, scratch: string, place: ReadersPlace) {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: place.folder,
    env: place.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  owner.after(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
    await ended;
  });
  let acknowledged = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    acknowledged += chunk;
  });
  const failures = path.join(scratch, 'failures');
  child.stdin.write(`set -Eo pipefail\ntrap 'echo "$?" >> "${failures}"' ERR\n`);
  let count = 0;
  /** What was printed, and the exit codes of what failed. */
  return async (text: string): Promise<{ printed: string; codes: string }> => {
    count += 1;
    const [step, output] = [path.join(scratch, `${count}.sh`), path.join(scratch, `${count}.out`)];
    writeFileSync(step, text);
    writeFileSync(failures, '');
    child.stdin.write(`. '${step}' > '${output}' 2>&1 < /dev/null\necho "done ${count}"\n`);
    const deadline = performance.now() + patienceMs;
    const isDone = () => acknowledged.includes(`done ${count}\n`);
    while (!isDone() && performance.now() < deadline)
      await until('the command', () => isDone() || child.exitCode !== null).catch(() => undefined);
    const printed = existsSync(output) ? readFileSync(output, 'utf8') : '';
    assert.ok(isDone(), `the shell does not come back from\n${text}\n${printed}`);
    // A failure inside a function or a substitution is told by each level around it.
    const codes = [...new Set(readFileSync(failures, 'utf8').trim().split('\n'))].join(' ');
    return { printed, codes };
  };
}

export interface Page {
  readonly page: string;
  /** Where it stands. */
  readonly name: string;
  /** Texts that cannot be the same here: usual ports, places of other people's libraries. */
  readonly replace?: Readonly<Record<string, string>>;
}

/** Where a reader sits: a folder, and what the shell has in its environment. */
export interface ReadersPlace {
  readonly folder: string;
  readonly env: Environment;
}

/** Follows a page from top to bottom. */
export async function followPage(
  owner: Owner,
  { page, name, replace }: Page,
  place: ReadersPlace,
): Promise<void> {
  const paste = openReader(owner, tempFolder(owner), place);
  const left: Terminal[] = [];
  const endLeft = async (): Promise<void> => {
    for (const terminal of left.splice(0).reverse()) {
      const code = await terminal.interrupt();
      // A program that does not listen for it ends by the signal.
      assert.ok(code === 0 || code === null || code === 130, `${code}\n${terminal.printed()}`);
    }
  };
  for (const step of readSteps(replaced(page, replace))) {
    const { kind, text, file = '', seen, line } = step;
    const where = `${name}:${line}\n${text}`;
    if (/# .*after Ctrl-C/.test(text)) await endLeft();
    if (kind === 'save') writeFileSync(path.join(place.folder, file), text);
    if (kind === 'leave') left.push(await leave(openTerminal(owner, text, place), step, where));
    if (kind !== 'paste') continue;
    const { printed, codes } = await paste(text);
    assert.equal(codes, /# .*exit code (\d+)/.exec(text)?.[1] ?? '', `${where}\n${printed}`);
    const missing = seen === undefined ? undefined : missingLine(seen, printed);
    assert.equal(missing, undefined, `${where}\nshould print, but does not:\n${missing}\n\n${printed}`);
  }
  await endLeft();
}

/** It is up when it has printed what the page shows; or else, as the demo does, how to end it. */
async function leave(
  terminal: Terminal,
  { seen = '…Ctrl-C stops…' }: DocumentStep,
  place: string,
): Promise<Terminal> {
  const deadline = performance.now() + patienceMs;
  const isUp = () => missingLine(seen, terminal.printed()) === undefined;
  const isOver = () => terminal.child.exitCode !== null;
  while (!isUp() && !isOver() && performance.now() < deadline)
    await until('it to be up', () => isUp() || isOver()).catch(() => undefined);
  assert.ok(isUp(), `${place}\nis not up:\n${terminal.printed()}`);
  return terminal;
}

const replaced = (page: string, texts: Readonly<Record<string, string>> = {}): string =>
  Object.entries(texts).reduce((text, [from, to]) => text.replaceAll(from, to), page);
