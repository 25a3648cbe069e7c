/** What is wrong with a backup, named: a file that is not what the manifest says, and the failure that tells of it. */
import path from 'node:path';
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { type FileFacts, hashFile, NotPlainFile } from '../machine/durable-files.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import type { BackupManifest } from './manifest.ts';

export const damagedBackup = (folder: string, problems: readonly string[]): CommandFailure => {
  const more = problems.length - backupLimits.problemsMax;
  const shown = problems.slice(0, backupLimits.problemsMax).map((problem) => `  ${problem}`);
  return new CommandFailure(
    [
      `The backup ${folder} is damaged:`,
      ...shown,
      ...(more > 0 ? [`  and ${more} more`] : []),
      'Use another backup.',
    ].join('\n'),
    exitCodes.damaged,
    { problems: problems.slice(0, backupLimits.problemsMax) },
  );
};

export type ListedFile = BackupManifest['files'][number];

/** What is wrong with a file, named; undefined when nothing is. */
export async function fileProblem(
  { path: name, bytes, sha256 }: ListedFile,
  read: () => Promise<FileFacts>,
): Promise<string | undefined> {
  try {
    const found = await read();
    if (found.bytes !== bytes) return `${name} has ${found.bytes} bytes instead of ${bytes}`;
    return found.sha256 === sha256 ? undefined : `${name} was changed: its checksum differs`;
  } catch (error) {
    if (error instanceof NotPlainFile) return `${name} is no plain file`;
    const { code = '' } = error as NodeJS.ErrnoException;
    // Room that is missing at the target, for one, is no fault of the backup.
    if (!faultsOfFiles.has(code)) throw error;
    return code === 'ENOENT' ? `${name} is missing` : `${name} cannot be read (${code})`;
  }
}

const faultsOfFiles: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EIO', 'EACCES']);

/** The bytes of a small file, which are those of the manifest. */
export async function readListed(folder: string, listed: ListedFile, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const order = { bytes: listed.bytes, onChunk: (chunk: Buffer) => void chunks.push(Buffer.from(chunk)) };
  const problem =
    listed.bytes > bytesMax
      ? `${listed.path} is too large`
      : await fileProblem(listed, () => hashFile(path.join(folder, listed.path), order));
  if (problem !== undefined) throw damagedBackup(folder, [problem]);
  return Buffer.concat(chunks);
}
