/**
 * The five persons of the first hour: university, bank, operator, contract author and agent builder. Each begins in an
 * empty folder of an empty home, with the packed and unpacked command on the path and nothing but the printed guides.
 * Only ports are other ones, and npm takes what it is told to install from the checkout instead of a registry; a bare
 * Debian, where neither is so, plays the same (`node scripts/bare-debian.mjs --guides`).
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { freePorts } from '../support/free-ports.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { launcherIn, packCli, unpackCli } from '../support/packed-cli.ts';
import { linkPackage, packSdk, unpackSdk } from '../support/packed-sdk.ts';
import { followGuide, guidesFolder, persons } from '../support/persons.ts';
import { plainEnvironment } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
const machine = tempFolder(owner);
const [programs = '', shelf = '', packed = ''] = ['programs', 'shelf', 'packed'].map((part) =>
  path.join(machine, part),
);
const minutesMax = 10 * 60_000;

const writeProgram = (name: string, lines: readonly string[]): void =>
  writeFileSync(path.join(programs, name), ['#!/bin/bash', ...lines, ''].join('\n'), { mode: 0o755 });

before(
  async () => {
    for (const folder of [programs, shelf, packed]) mkdirSync(folder);
    const [cli, sdk] = [await packCli(packed), await packSdk(path.join(machine, 'sdk'))];
    cpSync(sdk, path.join(packed, path.basename(sdk)));
    await unpackCli(machine, cli);
    // Where others may listen on the usual ports, the demo gets free ones.
    writeProgram('symbolon', [
      'if [ "$1" = dev ]; then set -- "$@" --ledger-port 0 --service-port 0; fi',
      `exec node '${launcherIn(machine)}' "$@"`,
    ]);
    await unpackSdk(shelf, sdk);
    for (const name of ['qr', '@modelcontextprotocol/client']) linkPackage(shelf, name);
    mkdirSync(path.join(shelf, 'node_modules/.bin'));
    symlinkSync(process.execPath, path.join(shelf, 'node_modules/.bin/node'));
    writeProgram('npm', ['[ "$1" = install ] || exit 64', `cp -a '${shelf}/node_modules' .`]);
  },
  { timeout: minutesMax },
);

/** A home with nothing but what was handed over. */
function newHome(name: string): string {
  const home = path.join(machine, name);
  cpSync(packed, home, { recursive: true });
  return home;
}

async function play(name: string, guides: readonly string[]): Promise<void> {
  const home = newHome(name);
  for (const guide of guides) {
    const [http = '', socket = '', service = '', door = ''] = await freePorts(4);
    const { SYMBOLON_HOME: _, XDG_CONFIG_HOME: __, ...env } = plainEnvironment();
    const ports = {
      SYMBOLON_LEDGER_PORT: http,
      SYMBOLON_LEDGER_SOCKET_PORT: socket,
      SYMBOLON_PORT: service,
    };
    const places = [programs, path.dirname(process.execPath), env.PATH];
    const replace = {
      '36002': http,
      '36003': socket,
      '8080': service,
      '127.0.0.1:3000': `127.0.0.1:${door}`,
    };
    const listens = { 'listen(3000': `listen(${door}` };
    await followGuide(owner, guide, {
      home,
      env: { ...env, ...ports, PATH: places.join(':') },
      replace: { ...replace, ...listens },
    });
  }
}

describe('with nothing but a guide', { timeout: minutesMax }, () => {
  for (const [name, guides] of Object.entries(persons))
    test(`the ${name} succeeds on the first try`, () => play(name, guides));
});

describe('the guides of the five', () => {
  const guides = Object.values(persons).flat();
  const pages = guides.map((name) => readFileSync(path.join(guidesFolder, `${name}.md`), 'utf8'));

  test('are under 60 lines, and need no checkout', () => {
    for (const [at, page] of pages.entries()) {
      assert.ok(page.trimEnd().split('\n').length < 60, guides[at]);
      assert.doesNotMatch(page, /npm run symbolon|npm start/, guides[at]);
    }
  });

  test('say in the same words where the command comes from, in its own version', () => {
    const lines = pages.map((page) => page.split('\n').find((line) => line.includes('npm install --global')));
    assert.equal(new Set(lines).size, 1);
    for (const file of readdirSync(packed))
      assert.ok(
        pages.some((page) => page.includes(`~/${file}`)),
        file,
      );
  });
});
