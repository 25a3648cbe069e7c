/**
 * Several processes of `symbolon service start` on one PostgreSQL, as an operator runs them: started, killed, and
 * restarted one after the other while the others serve.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './http.ts';
import type { Owner } from './owner.ts';
import { type Environment, type RunningSymbolon, startSymbolon } from './symbolon-process.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';

export interface Replicas {
  /** Of those that listen. */
  urls(): readonly string[];
  /** kill -9, and a new one in its place; resolves when that is ready. */
  killAndReplace(place: number): Promise<void>;
  /** Tells it to stop, waits for its end, and starts another; resolves when that is ready. */
  restart(place: number): Promise<void>;
  /** What all of them wrote to standard error. */
  logged(): string;
}

/** Several programs that start at once on a busy machine take longer than anything that a test waits for otherwise. */
const startMs = 240_000;

async function patiently<Answer>(
  what: string,
  { err }: RunningSymbolon,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const deadline = performance.now() + startMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}: ${err()}`);
    await sleep(50);
  }
}

export async function startReplicas(owner: Owner, count: number, env: Environment): Promise<Replicas> {
  const folders = Array.from({ length: count }, () => {
    const folder = makeTempFolder();
    owner.after(() => removeFolder(folder));
    writeFileSync(path.join(folder, 'service.json'), '{}', { mode: 0o600 });
    return folder;
  });
  const compiled = makeTempFolder();
  owner.after(() => removeFolder(compiled));
  const running: (RunningSymbolon & { url?: string })[] = [];
  const ended: string[] = [];

  async function start(place: number): Promise<void> {
    const words = ['service', 'start', '--data', folders[place] as string, '--port', '0'];
    const process = startSymbolon(owner, words, { NODE_COMPILE_CACHE: compiled, ...env });
    running[place] = process;
    const url = await patiently(
      `process ${place} to listen`,
      process,
      async () => /Credential service +(http:\S+)/.exec(process.out())?.[1],
    );
    running[place] = { ...process, url };
    await patiently(`process ${place} to be ready`, process, async () => {
      const found = await send(`${url}/readyz`).catch(() => undefined);
      return found?.status === 200 || undefined;
    });
  }
  async function end(place: number, signal: NodeJS.Signals): Promise<void> {
    const { err } = await (running[place] as RunningSymbolon).stop(signal);
    ended.push(err);
  }

  // One makes the tables; the others find them.
  for (let place = 0; place < count; place++) await start(place);
  return {
    urls: () => running.flatMap(({ url }) => url ?? []),
    async killAndReplace(place) {
      await end(place, 'SIGKILL');
      await start(place);
    },
    async restart(place) {
      await end(place, 'SIGTERM');
      await start(place);
    },
    logged: () => [...ended, ...running.map(({ err }) => err())].join(''),
  };
}
