/**
 * The mark in a node's folder that its chain has begun. Without it a folder whose chain was removed looks like one that
 * was never started, and a node that began there again would put an empty chain in the place of the one that its users
 * know. The mark is written when the first block is on disk, so a first start that was cut short simply begins.
 */
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import { NodeFolderError, storePath } from './node-folder.ts';

const markPath = (folder: string): string => join(folder, 'chain.begun');

/** What every store has from its first moment on; logs alone are none. */
const hasStore = (folder: string): boolean =>
  ['CURRENT', 'head'].some((name) => existsSync(join(storePath(folder), name)));

/** Whether the folder had a chain and has none any more. */
export const isChainGone = (folder: string): boolean => existsSync(markPath(folder)) && !hasStore(folder);

export const chainGone = (folder: string): NodeFolderError =>
  new NodeFolderError(
    `${folder} had a chain, and the chain is gone: nothing else is begun in its place.\n` +
      'Restore a backup into another folder: symbolon restore --from <backup> --data <folder>\n' +
      `Or, if every block of it may be lost for good: symbolon node start --data ${folder} --begin-again`,
  );

/** The block whose snapshot the chain began with, where it began with one: its CometBFT has no earlier blocks either. */
function snapshotOfMark(folder: string): string | undefined {
  if (!existsSync(markPath(folder))) return undefined;
  return snapshotLine.exec(readFileSync(markPath(folder), 'utf8'))?.[1];
}

const snapshotLine = /^It began with the snapshot of block ([0-9]+)\.$/m;

/** To be called before the store is opened, which makes one where there is none. */
export function assertChainThere(folder: string, { beginAgain = false }: { beginAgain?: boolean }): void {
  const snapshot = beginAgain ? snapshotOfMark(folder) : undefined;
  if (snapshot !== undefined)
    throw new NodeFolderError(
      `${folder} cannot begin again with the first block: its chain began with a snapshot of block ${snapshot}, and its CometBFT has no earlier blocks to give.\nHave both begin with a snapshot of the others: symbolon network join I --yes; for one of several operators see "Disaster recovery of a network" in docs/operations.md.`,
    );
  if (beginAgain && hasStore(folder))
    throw new NodeFolderError(`${folder} cannot begin again: its chain is there. Start it as usual.`);
  if (!beginAgain && isChainGone(folder)) throw chainGone(folder);
}

/** As if the folder had never been started. To be called before its chain is removed, and nothing else of it. */
export async function unmarkBegun(folder: string): Promise<void> {
  await rm(markPath(folder), { force: true });
  await syncFolder(folder);
}

/** To be called when the first block is on disk, and when a snapshot is, with the number of its block. */
export async function markBegun(folder: string, snapshot?: bigint): Promise<void> {
  const path = markPath(folder);
  if (existsSync(path) && snapshotOfMark(folder) === snapshot?.toString()) return;
  const began = snapshot === undefined ? '' : `It began with the snapshot of block ${snapshot}.\n`;
  const text = `The chain of this folder has begun. A node finds it here, or does not start.\n${began}`;
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  await syncFolder(folder);
}
