/**
 * The command as a package on another machine: packed by `npm run pack-cli`, unpacked outside of the checkout with its
 * third-party packages beside it, and run from a folder of its own.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ownerOfSuite } from '../support/owner.ts';
import { startSymbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly bundleDependencies: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const timeout = 180_000;
const owner = ownerOfSuite();
const project = tempFolder(owner);
const home = tempFolder(owner);
const modules = path.join(project, 'node_modules');
const cli = path.join(modules, '@symbolon/cli');
const program = path.join(cli, 'launcher/symbolon.mjs');
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
let manifest: Manifest;

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

before(
  async () => {
    const out = path.join(project, 'packed here');
    await run(process.execPath, [path.join(root, 'scripts/pack-cli.mjs'), '--out', out], { timeout });
    const [tarball = '', ...others] = readdirSync(out);
    assert.deepEqual(others, []);
    mkdirSync(cli, { recursive: true });
    await run('tar', ['-xzf', path.join(out, tarball), '-C', cli, '--strip-components=1']);
    manifest = readManifest(cli);
    assert.equal(tarball, `symbolon-cli-${manifest.version}.tgz`);
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      if (manifest.bundleDependencies.includes(name)) continue;
      const at = path.join(modules, name);
      mkdirSync(path.dirname(at), { recursive: true });
      symlinkSync(placeOf(name, version), at);
    }
  },
  { timeout },
);

const symbolon = (...words: string[]) => startSymbolon(owner, words, {}, { cwd: home, program }).ended;

describe('the command as a package', () => {
  test('has a program, the Nodes that it needs, and nothing of tests', () => {
    assert.deepEqual(manifest.bin, { symbolon: 'launcher/symbolon.mjs' });
    assert.match(readFileSync(program, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    assert.deepEqual(manifest.optionalDependencies, optionalDependencies);
    const names = readdirSync(cli, { recursive: true }).map(String);
    assert.deepEqual(
      names.filter((name) => /\.test\.(js|ts)$|(^|\/)(vectors|rust)\//.test(name)),
      [],
    );
  });

  test('says its version, and what is wrong with a word', async () => {
    assert.equal((await symbolon('--version')).out.trim(), manifest.version);
    const { code, err } = await symbolon('kays');
    assert.equal(code, 2);
    assert.match(err, /keys/);
  });

  test('runs everything from the folder of whoever calls it', { timeout }, async () => {
    const ports = ['--ledger-port', '0', '--service-port', '0'];
    const dev = startSymbolon(owner, ['dev', ...ports], {}, { cwd: home, program });
    await dev.printed(/Symbolon is (up)/);
    assert.ok(existsSync(path.join(home, '.symbolon/dev/demo.json')));
    const { code, out, err } = await symbolon('demo');
    assert.equal(code, 0, err);
    assert.match(out, /VERIFIED {3}saw: degree = BSc Mathematics, birthDate = 18 or older\n/);
    assert.match(out, /NOT VERIFIED {3}status: credential revoked/);
    assert.match((await symbolon('demo', '--as', 'ts')).out, /@symbolon\/sdk/);
    assert.equal((await dev.stop('SIGTERM')).code, 0);
  });
});
