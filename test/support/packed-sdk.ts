/**
 * The SDK as other projects get it: packed by `npm run pack-sdk`, then in a folder outside of the checkout, either
 * unpacked with its third-party packages beside it, or installed with npm from a registry.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { mustRun } from './debian-packages.ts';

export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly engines: { readonly node: string };
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly sideEffects: boolean;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bundleDependencies: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const packMsMax = 120_000;
const installMsMax = 180_000;

export const packScript = path.join(root, 'scripts/pack-sdk.mjs');

export const readManifest = (folder: string): PackedManifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as PackedManifest;

/** Where a project has the SDK. */
export const sdkIn = (project: string): string => path.join(project, 'node_modules/@symbolon/sdk');

/** Packs the SDK into a folder and answers the file. */
export async function packSdk(out: string): Promise<string> {
  await run(process.execPath, [packScript, '--out', out], { timeout: packMsMax });
  const [tarball, ...others] = readdirSync(out).map((name) => path.join(out, name));
  assert.ok(tarball);
  assert.deepEqual(others, []);
  return tarball;
}

/** Where a package lies in the checkout, in exactly this version. */
function inCheckout(name: string, version: string): string {
  const homes = ['packages/sdk', 'packages/wire', 'packages/formats', 'packages/core', '.'];
  const places = homes.map((home) => path.join(root, home, 'node_modules', name));
  const place = places.find(
    (folder) => existsSync(path.join(folder, 'package.json')) && readManifest(folder).version === version,
  );
  assert.ok(place, `${name} ${version}`);
  return place;
}

/** Puts a package of the checkout into a project, under its own name or another. */
export function linkPackage(
  project: string,
  name: string,
  place = path.join(root, 'node_modules', name),
): void {
  const at = path.join(project, 'node_modules', name);
  mkdirSync(path.dirname(at), { recursive: true });
  symlinkSync(place, at);
}

/** Unpacks the SDK into a project, with the packages of the checkout beside it: no registry is asked. */
export async function unpackSdk(project: string, tarball: string): Promise<PackedManifest> {
  const sdk = sdkIn(project);
  mkdirSync(sdk, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', sdk, '--strip-components=1']);
  const manifest = readManifest(sdk);
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    if (!manifest.bundleDependencies.includes(name)) linkPackage(project, name, inCheckout(name, version));
  }
  return manifest;
}

/**
 * Installs the SDK as its users do, with nothing but `npm install FILE`. Answers why that cannot be done here when
 * there is no registry to be reached; where everything must run (CI) that is a failure.
 */
export async function installSdk(project: string, tarball: string): Promise<string | undefined> {
  try {
    await run('npm', ['install', tarball], { cwd: project, timeout: installMsMax });
    return undefined;
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr);
    const isUnreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED/.test(said);
    if (!isUnreachable || mustRun) throw error;
    return 'no registry of npm packages can be reached';
  }
}
