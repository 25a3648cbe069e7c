/** The versions of Node on this machine that a package says it runs on. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeout = 10_000;

/** This Node, and one on the path that is older and that a package allows with a range such as `>=22.1`, where there is one. */
export async function allowedNodes(range: string): Promise<string[]> {
  const [, oldestMajor = '', oldestMinor = ''] = /^>=(\d+)\.(\d+)$/.exec(range) ?? [];
  assert.notEqual(oldestMajor, '', range);
  const newest = Number(process.versions.node.split('.')[0]);
  const folders = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
  for (const file of folders.filter((name) => existsSync(name))) {
    const { stdout } = await run(file, ['--version'], { timeout }).catch(() => ({ stdout: '' }));
    const [major = 0, minor = 0] = stdout.slice(1).split('.').map(Number);
    const isAllowed =
      major > Number(oldestMajor) || (major === Number(oldestMajor) && minor >= Number(oldestMinor));
    if (isAllowed && major < newest) return [process.execPath, file];
  }
  return [process.execPath];
}
