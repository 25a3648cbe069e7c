/** Files of a backup: hashed as they are copied or read, and on disk before anybody is told of them. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '@symbolon/host/work/sync-folder';

const chunkBytes = 1024 * 1024;

export interface FileFacts {
  readonly bytes: number;
  readonly sha256: string;
}

/** A link, a pipe, a device or a folder stands where a file should. */
export class NotPlainFile extends Error {
  override readonly name = 'NotPlainFile';
}

/** Opens a file that is one: a link could lead anywhere, and whoever reads a pipe or a device may read for ever. */
export async function openPlain(file: string): Promise<FileHandle> {
  // Looked at before it is opened, because opening a device may already do something.
  if (!(await lstat(file)).isFile()) throw new NotPlainFile(file);
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' ? new NotPlainFile(file) : error;
    },
  );
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotPlainFile(file);
}

export interface HashOrder {
  /** How many bytes there must be: of a file of another size nothing is read, and of none more than these. */
  readonly bytes?: number;
  readonly copyTo?: string;
  /** Told of every part, which is no longer there when this returns. */
  readonly onChunk?: (chunk: Buffer) => void;
}

/** Reads a file through, and writes it elsewhere on the way where a target is given. */
export async function hashFile(
  file: string,
  { bytes: expected, copyTo, onChunk }: HashOrder = {},
): Promise<FileFacts> {
  await using source = await openPlain(file);
  const { size } = await source.stat();
  if (expected !== undefined && size !== expected) return { bytes: size, sha256: '' };
  await using target = copyTo === undefined ? undefined : await open(copyTo, 'wx', 0o600);
  const hash = createHash('sha256');
  const bytes = await readThrough(source, expected ?? Number.MAX_SAFE_INTEGER, async (chunk) => {
    hash.update(chunk);
    onChunk?.(chunk);
    await target?.writeFile(chunk);
  });
  await (target ?? source).sync();
  return { bytes, sha256: hash.digest('hex') };
}

async function readThrough(
  source: FileHandle,
  bytesMax: number,
  onChunk: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  const buffer = Buffer.alloc(chunkBytes);
  let bytes = 0;
  while (bytes < bytesMax) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(chunkBytes, bytesMax - bytes), bytes);
    if (bytesRead === 0) break;
    await onChunk(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
  return bytes;
}

/** The bytes of a file that is to have no more than so many; undefined when it has. */
export async function readBounded(file: string, bytesMax: number): Promise<Buffer | undefined> {
  await using source = await openPlain(file);
  if ((await source.stat()).size > bytesMax) return undefined;
  const chunks: Buffer[] = [];
  await readThrough(source, bytesMax, async (chunk) => void chunks.push(Buffer.from(chunk)));
  return Buffer.concat(chunks);
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

/** A file for its owner alone that is on disk when this resolves; under its name only when it is whole. */
export async function writeWhole(file: string, content: string, unfinished = `${file}.new`): Promise<void> {
  await writeFile(unfinished, content, { flag: 'wx', mode: 0o600, flush: true });
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
