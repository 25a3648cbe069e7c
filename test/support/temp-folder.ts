/** Folders under the system's temporary one that vanish with the test they belong to. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Owner } from './owner.ts';

export const makeTempFolder = (): string => mkdtempSync(path.join(os.tmpdir(), 'symbolon-test-'));

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

export function tempFolder(owner: Owner): string {
  const folder = makeTempFolder();
  owner.after(() => removeFolder(folder));
  return folder;
}
