/** The `symbolon` command as a process of its own: what it prints, how it ends, how it is told to stop. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Owner } from './owner.ts';
import { until } from './until.ts';

const main = path.resolve(import.meta.dirname, '../../packages/cli/src/main.ts');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningSymbolon {
  readonly pid: number;
  out(): string;
  err(): string;
  /** What a pattern captures, once it has been printed to standard output. */
  printed(pattern: RegExp): Promise<string>;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

export type Environment = Readonly<Record<string, string>>;

interface ProcessOptions {
  readonly cwd?: string;
  readonly program?: string;
  /** What it reads from standard input; nothing is there, if left out. */
  readonly input?: string;
}

/** Starts `symbolon <args>`, that of the checkout if no other `program` is named; whatever is left of it ends with its test. */
export function startSymbolon(
  owner: Owner,
  args: readonly string[],
  env: Environment = {},
  { cwd = process.cwd(), program = main, input }: ProcessOptions = {},
): RunningSymbolon {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...plainEnvironment(), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  // One that does not want all of it ends before it is written.
  child.stdin?.on('error', () => undefined).end(input);
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    printed.err += chunk;
  });
  const ended = endOf(child, printed);
  owner.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid as number,
    out: () => printed.out,
    err: () => printed.err,
    ended,
    async printed(pattern) {
      return until(`${pattern} from symbolon ${args.join(' ')}`, () => {
        const found = pattern.exec(printed.out)?.[1];
        if (found === undefined && child.exitCode !== null)
          throw new Error(`symbolon ${args.join(' ')} ended with ${child.exitCode}: ${printed.err}`);
        return found;
      });
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** No command that ends by itself takes so long. */
const patienceMs = 120_000;

/** Runs `symbolon <args>` to its end; one that does not come to an end is killed. */
export async function symbolon(
  owner: Owner,
  args: readonly string[],
  env?: Environment,
  options?: ProcessOptions,
): Promise<Ended> {
  const running = startSymbolon(owner, args, env, options);
  const timer = setTimeout(() => running.stop('SIGKILL'), patienceMs);
  return running.ended.finally(() => clearTimeout(timer));
}

async function endOf(child: ChildProcess, printed: { out: string; err: string }): Promise<Ended> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, ...printed };
}

/** Where nobody has profiles: those of whoever runs the tests are not theirs. */
export const nobodysPlace = path.join(os.tmpdir(), 'symbolon-test-nobody');

/** The environment without settings that somebody has for a node of their own. */
export function plainEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(SYMBOLON_|NODE_TEST|NODE_OPTIONS)/.test(name),
  );
  return { ...(Object.fromEntries(entries) as Record<string, string>), SYMBOLON_HOME: nobodysPlace };
}
