/** Installs the libraries ours is measured beside, once, into a folder of their own with its own lock file. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { note } from '../../print.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const modules = join(folder, 'node_modules');

export function installPeers(): void {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const mark = join(modules, '.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  note('installing the libraries to compare with into bench/credentials/peer/node_modules, once');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('npm ci failed in bench/credentials/peer', { cause: error });
  writeFileSync(mark, lock);
}

/** The version that was installed. */
export function peerVersion(name: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}
