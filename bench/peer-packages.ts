/** Packages that are measured beside ours: installed once, each set into a folder of its own with its own lock file. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { note } from './print.ts';

/** A finished install leaves a mark of its lock file, so that an interrupted one is done again. */
export function install(folder: string, what: string): void {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const mark = join(folder, 'node_modules', '.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  note(`installing ${what}, once`);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`npm ci ended with code ${status}`, { cause: error });
  writeFileSync(mark, lock);
}

/** The version that was installed. */
export const versionIn = (folder: string, name: string): string =>
  JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
