/**
 * The command as a package on another machine: packed by `npm run pack-cli`, unpacked outside of the checkout with its
 * third-party packages beside it, and run from a folder of its own.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { type CliManifest, cliIn, launcherIn, packCli, unpackCli } from '../support/packed-cli.ts';
import { startSymbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const timeout = 180_000;
const owner = ownerOfSuite();
const project = tempFolder(owner);
const home = tempFolder(owner);
const cli = cliIn(project);
const program = launcherIn(project);
let manifest: CliManifest;

before(
  async () => {
    const tarball = await packCli(path.join(project, 'packed here'));
    manifest = await unpackCli(project, tarball);
    assert.equal(path.basename(tarball), `symbolon-cli-${manifest.version}.tgz`);
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

  test('brings the console along as it was built, and nothing that builds it', () => {
    const served = path.join(cli, 'node_modules/@symbolon/console/dist');
    assert.ok(existsSync(path.join(served, 'index.html.br')));
    assert.ok(readdirSync(path.join(served, 'assets')).some((name) => name.endsWith('.woff2')));
    const built = Object.keys(manifest.dependencies).filter((name) =>
      /^(vite|react|@mantine|@tanstack)/.test(name),
    );
    assert.deepEqual(built, []);
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
