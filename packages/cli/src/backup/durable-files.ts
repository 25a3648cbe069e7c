/** Files of a backup: hashed as they are copied or read, and on disk before anybody is told of them. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

const chunkBytes = 1024 * 1024;

export interface FileFacts {
  readonly bytes: number;
  readonly sha256: string;
}

/** A link in the place of a file could lead anywhere, so none is followed. */
const openPlain = (file: string): Promise<FileHandle> =>
  open(file, constants.O_RDONLY | constants.O_NOFOLLOW);

/** Reads a file through, and writes it elsewhere on the way where a target is given. */
export async function hashFile(
  file: string,
  { copyTo, onBytes }: { copyTo?: string; onBytes?: (count: number) => void } = {},
): Promise<FileFacts> {
  const source = await openPlain(file);
  const target = copyTo === undefined ? undefined : await open(copyTo, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(chunkBytes);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, bytes);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      if (target) await target.writeFile(chunk);
      bytes += bytesRead;
      onBytes?.(bytesRead);
    }
    await (target ?? source).sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await source.close();
    await target?.close();
  }
}

/** Everything below a folder that is no folder, by its path from there with slashes, sorted. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

/** The names in a folder are on disk only when the folder is. */
export async function syncFolders(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await syncFolders(path.join(folder, entry.name));
  await syncFolder(folder);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A file for its owner alone that is on disk when this resolves; under its name only when it is whole. */
export async function writeWhole(file: string, content: string, unfinished = `${file}.new`): Promise<void> {
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  await syncFolder(path.dirname(file));
}

export const makeFolder = async (folder: string): Promise<void> =>
  void (await mkdir(folder, { recursive: true, mode: 0o700 }));

/** Whether a folder is not there or has nothing in it. */
export async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}

/** Removes what is in a folder as far as that is possible; the folder itself may be somebody's mount point. */
export async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}
