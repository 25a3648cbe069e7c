/**
 * What a development chain may do and no other: let time pass at once, and go back to an earlier state. A chain is one
 * from its first block on, whose header says so (`developmentSlogan`): no setting makes one of a chain that is not, and
 * everybody who reads the first block sees what it is. Beside the store, its folder keeps how far its clock is moved
 * (`development.json`) and `snapshots/`.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { type Clock, systemClock } from '@symbolon/host/work/clock';
import { z } from 'zod';
import { developmentLimits } from '../limits/node-limits.ts';
import { storePath } from '../node/node-folder.ts';
import { copyStore } from './backup-store.ts';

/** The slogan of the first header of every development chain. */
export const developmentSlogan = 'development chain';

export const isDevelopmentChain = ({ parameters }: Pick<LedgerRules, 'parameters'>): boolean =>
  parameters.slogan === developmentSlogan;

const shiftSchema = z.strictObject({ aheadMs: z.int().min(0).max(developmentLimits.aheadMsMax) });
const shiftPath = (folder: string): string => join(folder, 'development.json');
const snapshotPath = (folder: string, id = ''): string => join(folder, 'snapshots', id);

/** The clock of the machine, moved on by what the folder says. */
export class MovedClock implements Clock {
  readonly #folder: string;
  #aheadMs = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<MovedClock> {
    const clock = new MovedClock(folder);
    await clock.reload();
    return clock;
  }

  nowMs(): number {
    return systemClock.nowMs() + this.#aheadMs;
  }

  nowMicros(): bigint {
    return systemClock.nowMicros() + BigInt(this.#aheadMs) * 1_000n;
  }

  /** Durable before it counts: a node that starts again must not wait for blocks that closed later than its clock. */
  async moveOn(ms: number): Promise<void> {
    const { aheadMs } = shiftSchema.parse({ aheadMs: this.#aheadMs + ms });
    const file = shiftPath(this.#folder);
    await writeFile(`${file}.new`, JSON.stringify({ aheadMs }), { flush: true });
    await rename(`${file}.new`, file);
    this.#aheadMs = aheadMs;
  }

  async reload(): Promise<void> {
    const file = shiftPath(this.#folder);
    if (existsSync(file)) this.#aheadMs = shiftSchema.parse(JSON.parse(await readFile(file, 'utf8'))).aheadMs;
    else this.#aheadMs = 0;
  }
}

/** Copies the chain as it is, also while its node runs; answers how the copy is called. */
export async function takeSnapshot(folder: string): Promise<string> {
  const numbers = (await snapshotIds(folder)).map(Number);
  const id = String(Math.max(0, ...numbers) + 1);
  const unfinished = `${snapshotPath(folder)}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await copyStore(storePath(folder), storePath(unfinished));
  if (existsSync(shiftPath(folder))) await cp(shiftPath(folder), shiftPath(unfinished));
  await mkdir(snapshotPath(folder), { recursive: true, mode: 0o700 });
  await rename(unfinished, snapshotPath(folder, id));
  return id;
}

/** In the order in which they were taken. */
export async function snapshotIds(folder: string): Promise<string[]> {
  const names = await readdir(snapshotPath(folder)).catch(() => []);
  return names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).sort((a, b) => Number(a) - Number(b));
}

/** Puts a snapshot in the place of the chain, whose node must not be running. The snapshot stays. */
export async function revertChain(folder: string, id: string): Promise<void> {
  const [chain, next, last] = ['', '.new', '.old'].map((ending) => `${storePath(folder)}${ending}`);
  await rm(next, { recursive: true, force: true });
  await cp(storePath(snapshotPath(folder, id)), next, { recursive: true });
  await rm(last, { recursive: true, force: true });
  await rename(chain, last);
  await rename(next, chain);
  await rm(last, { recursive: true, force: true });
  await rm(shiftPath(folder), { force: true });
  const shift = shiftPath(snapshotPath(folder, id));
  if (existsSync(shift)) await cp(shift, shiftPath(folder));
}
