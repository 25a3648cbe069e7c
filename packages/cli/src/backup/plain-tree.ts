/**
 * The folders of a backup, and the place that a restore goes to, as they lie on the disk: real folders, not links, and
 * nothing in them that the manifest does not know. Looked at before anything in them is opened.
 */
import type { Stats } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { usageFailure } from '../terminal/failure.ts';
import { type BackupManifest, manifestName, unfinishedName } from './manifest.ts';

/** Every folder that a backup can have, itself first; no other is looked into. */
const folders: readonly string[] = ['', 'ledger', 'ledger/chain', 'service', 'service/tables'];

/** What lies in a backup and does not belong there: a database would read what lies beside it. */
export async function treeProblems(folder: string, { files }: BackupManifest): Promise<string[]> {
  // A backup that was cut off right after its manifest is whole, and still has the mark.
  const listed = new Set([manifestName, unfinishedName, ...files.map((file) => file.path)]);
  const problems: string[] = [];
  for (const name of folders) {
    // The backup's own folder may be named by a link: whoever names it means what it leads to.
    const facts = name === '' ? await stat(folder) : await factsOf(path.join(folder, name));
    if (facts?.isSymbolicLink()) return [`${name} is a link`];
    if (facts && !facts.isDirectory()) problems.push(`${name} is no folder`);
    if (!facts?.isDirectory()) continue;
    for await (const entry of await opendir(path.join(folder, name))) {
      const place = path.posix.join(name, entry.name);
      const isKnown = entry.isDirectory()
        ? folders.includes(place)
        : listed.has(place) || folders.includes(place);
      if (!isKnown) problems.push(`${shown(place)} is not in the manifest`);
      // A folder that somebody has filled is read no further than it takes to say so.
      if (problems.length > backupLimits.problemsMax) return problems;
    }
  }
  return problems;
}

/** File names can hold anything, also what moves the cursor of a terminal. */
const shown = (name: string): string => name.replaceAll(/[^ -~]/g, '?');

const factsOf = (place: string): Promise<Stats | undefined> =>
  lstat(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });

/** Throws when the way to a place leads over a link: whoever can change that decides where keys are written. */
export async function assertNoLinks(place: string): Promise<void> {
  const parts = path.resolve(place).split(path.sep);
  for (let count = 2; count <= parts.length; count++) {
    const above = parts.slice(0, count).join(path.sep);
    const facts = await factsOf(above);
    if (!facts) return;
    if (!facts.isSymbolicLink()) continue;
    const real = await realpath(above).catch(() => undefined);
    const rest = parts.slice(count).join(path.sep);
    throw usageFailure(
      `${above} is a link, and a restore follows none.\n` +
        (real === undefined ? 'Name another folder.' : `Name the folder itself: ${path.join(real, rest)}`),
    );
  }
}
