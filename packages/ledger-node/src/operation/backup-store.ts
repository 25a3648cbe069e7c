/**
 * Copies the files of a store while a node may be writing to it; nothing is asked of the node, nothing is locked.
 *
 * What makes the copy right: LevelDB never changes a table, only adds to logs and manifest, and deletes a file only
 * after the manifest has stopped naming it. So if the manifest has the same bytes before and after, every file that it
 * names was there all the time, and the tables with the logs, oldest log first, are the rows of one moment: what a crash
 * at that moment would have left, which every start can open. The head file is read first, because it may be behind
 * the rows and never ahead of them. A manifest that changed means another try; tables that are copied stay copied.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { fileNumber, type Manifest, neededLogs, readLevelManifest, tableFile } from '../store/level-files.ts';
import { StoreCorrupt, StoreFailed } from '../store/store-errors.ts';

export interface StoreCopyOptions {
  /** Told how many bytes of how many are copied; both may grow while a node writes. */
  onProgress?(done: number, total: number): void;
}

/** What the folder says belongs to the store, at one moment. */
interface Moment {
  readonly head: Uint8Array;
  readonly current: Uint8Array;
  readonly manifestName: string;
  readonly manifestBytes: Uint8Array;
  readonly manifest: Manifest;
}

/** A file that the manifest names is not there: gone since, or damage. */
class FileGone extends Error {
  override readonly name = 'FileGone';
}

/** Copies the store of `from` into the new folder `to`. */
export async function copyStore(
  from: string,
  to: string,
  { onProgress = () => undefined }: StoreCopyOptions = {},
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const copied = new Set<string>();
  for (let attempt = 1; attempt <= backupLimits.storeAttemptsMax; attempt++) {
    const moment = await findMoment(from);
    const missing = await copyMoment(moment, { from, to, copied, onProgress });
    const later = await findMoment(from);
    const isSame =
      equalBytes(moment.current, later.current) && equalBytes(moment.manifestBytes, later.manifestBytes);
    if (isSame) {
      if (missing !== undefined) throw new StoreCorrupt(from, `${missing} is missing`);
      return finish(moment, to);
    }
    await sleep(backupLimits.storePauseMs);
  }
  throw new StoreFailed(from, 'it changes faster than it can be copied; stop the node and try again');
}

/** A node that starts puts a new manifest in the place of the old one: between two reads, one may be gone. */
async function findMoment(folder: string): Promise<Moment> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readMoment(folder);
    } catch (error) {
      if (attempt >= backupLimits.manifestAttemptsMax) throw error;
      await sleep(backupLimits.storePauseMs);
    }
  }
}

async function readMoment(folder: string): Promise<Moment> {
  const read = (name: string) =>
    readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      throw new StoreCorrupt(folder, `${name} cannot be read (${error.code})`, { cause: error });
    });
  const head = await read('head');
  const current = await read('CURRENT');
  const manifestName = current.toString('latin1').trimEnd();
  if (!/^MANIFEST-\d{6,}$/.test(manifestName)) throw new StoreCorrupt(folder, 'CURRENT names no manifest');
  const manifestBytes = await read(manifestName);
  const manifest = readLevelManifest(folder, manifestName, manifestBytes);
  return { head, current, manifestName, manifestBytes, manifest };
}

interface Copying {
  readonly from: string;
  readonly to: string;
  /** Tables that are copied. */
  readonly copied: Set<string>;
  readonly onProgress: (done: number, total: number) => void;
}

/** Copies what the moment names and answers the name of what was not there. */
async function copyMoment({ manifest }: Moment, copying: Copying): Promise<string | undefined> {
  try {
    await copyTables(manifest, copying);
    await copyLogs(manifest, copying);
    return undefined;
  } catch (error) {
    if (error instanceof FileGone) return error.message;
    throw error;
  }
}

async function copyTables(manifest: Manifest, { from, to, copied, onProgress }: Copying): Promise<void> {
  const names = new Set(await readdir(from));
  const total = [...manifest.tables.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const [number, { bytes }] of manifest.tables) {
    const name = tableFile(number, names);
    if (name === undefined) throw new FileGone(`table ${fileNumber(number)}`);
    if (!copied.has(name)) await copy(from, to, { name, mode: constants.COPYFILE_FICLONE });
    copied.add(name);
    done += bytes;
    onProgress(done, total);
  }
}

/** A log that has a successor is complete; of the newest one, what is there is a part that ends where it ends. */
async function copyLogs(manifest: Manifest, { from, to }: Copying): Promise<void> {
  for (const name of await readdir(to)) if (name.endsWith('.log')) await rm(join(to, name));
  const logs = neededLogs(await readdir(from), manifest);
  if (!logs) throw new FileGone(`log ${fileNumber(manifest.logNumber)}`);
  for (const name of logs) await copy(from, to, { name });
}

async function copy(
  from: string,
  to: string,
  { name, mode }: { name: string; mode?: number },
): Promise<void> {
  try {
    await copyFile(join(from, name), join(to, name), mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new FileGone(name);
    throw new StoreFailed(to, (error as Error).message, { cause: error });
  }
}

/** The files that make it a store come last: without them nobody takes the folder for one. */
async function finish({ head, current, manifestName, manifestBytes }: Moment, to: string): Promise<void> {
  await writeFile(join(to, 'head'), head);
  await writeFile(join(to, manifestName), manifestBytes);
  await writeFile(join(to, 'CURRENT'), current);
}
