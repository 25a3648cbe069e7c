/**
 * The command as other machines get it: packed by `npm run pack-cli`, and unpacked outside of the checkout with its
 * third-party packages beside it, so that no registry is asked.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

export interface CliManifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly bundleDependencies: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const packMsMax = 180_000;

const readManifest = (folder: string): CliManifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as CliManifest;

/** Where a project has the command. */
export const cliIn = (project: string): string => path.join(project, 'node_modules/@symbolon/cli');

/** The program that `symbolon` starts there. */
export const launcherIn = (project: string): string => path.join(cliIn(project), 'launcher/symbolon.mjs');

/** Packs the command into a folder and answers the file. */
export async function packCli(out: string): Promise<string> {
  await run(process.execPath, [path.join(root, 'scripts/pack-cli.mjs'), '--out', out], {
    timeout: packMsMax,
  });
  const [tarball, ...others] = readdirSync(out).filter((name) => name.startsWith('symbolon-cli-'));
  assert.ok(tarball);
  assert.deepEqual(others, []);
  return path.join(out, tarball);
}

/** Where a package lies in the checkout, in exactly this version. */
function placeOf(name: string, version: string): string {
  const homes = ['.', ...readdirSync(path.join(root, 'packages')).map((one) => `packages/${one}`)];
  const places = homes.map((one) => path.join(root, one, 'node_modules', name));
  const isThere = (folder: string) =>
    existsSync(path.join(folder, 'package.json')) && readManifest(folder).version === version;
  const place = places.find(isThere);
  assert.ok(place, `${name} ${version}`);
  return place;
}

/** Unpacks the command into a project, with the packages of the checkout beside it. */
export async function unpackCli(project: string, tarball: string): Promise<CliManifest> {
  const cli = cliIn(project);
  mkdirSync(cli, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', cli, '--strip-components=1']);
  const manifest = readManifest(cli);
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    if (manifest.bundleDependencies.includes(name)) continue;
    const at = path.join(project, 'node_modules', name);
    mkdirSync(path.dirname(at), { recursive: true });
    symlinkSync(placeOf(name, version), at);
  }
  return manifest;
}
