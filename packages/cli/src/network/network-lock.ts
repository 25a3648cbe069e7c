/** One command at a time changes a network: starts and ends processes, adds nodes. A lock whose holder is gone does not count. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandFailure } from '../terminal/failure.ts';
import { beganAt } from './processes.ts';

export async function whileLocked<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const lock = path.join(folder, 'network.lock');
  const own = `${process.pid} ${await beganAt(process.pid)}`;
  for (let isLast = false; ; isLast = true) {
    try {
      await writeFile(lock, own, { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = await holderOf(lock);
      if (isLast || holder !== undefined)
        throw new CommandFailure(
          `Another command is changing this network${holder === undefined ? '' : `: process ${holder}`}.\nNothing was done. Wait for its end, and run this again.`,
          undefined,
          { code: 'inUse' },
        );
      await rm(lock, { force: true });
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** The process that has it, if that one is there. */
async function holderOf(lock: string): Promise<number | undefined> {
  const text = await readFile(lock, 'utf8').catch(() => '');
  const [, pid = '', began] = /^(\d+) (.+)$/s.exec(text) ?? [];
  return pid !== '' && (await beganAt(Number(pid))) === began ? Number(pid) : undefined;
}
