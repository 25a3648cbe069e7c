/**
 * What `symbolon contract` refuses before it does anything. What it does is in test/journeys/contract-commands.test.ts.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { operationLimits } from '@symbolon/core/limits/consensus';
import { sha256 } from '@symbolon/host/work/sha256';
import { Command, CommanderError } from 'commander';
import { exitCodes, failureOf } from '../../terminal/failure.ts';
import { addContractCommands } from './commands.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-contract-commands-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

function commands(): Command {
  const silent = { writeOut: () => {}, writeErr: () => {} };
  const program = new Command('symbolon').exitOverride().configureOutput(silent);
  addContractCommands(program);
  return program;
}

async function run(...words: string[]): Promise<void> {
  await commands().parseAsync(['contract', ...words], { from: 'user' });
}

/** As whoever typed the command is told. */
const refusal = (exitCode: number, words: RegExp) => (error: unknown) => {
  const failure = failureOf(error);
  assert.match(failure.message, words);
  assert.equal(failure.exitCode, exitCode);
  return true;
};

const address = createKeyFormat(zetrixProfile, sha256).addressOfText('a contract');
const good = file('good.js', "'use strict'; function init() { return; }");

describe('symbolon contract', () => {
  test('has the options that docs/contracts.md describes', () => {
    const manual = readFileSync(
      path.resolve(import.meta.dirname, '../../../../../docs/contracts.md'),
      'utf8',
    );
    const table = manual.slice(manual.indexOf('| Option |'));
    const described = [...table.matchAll(/`(--[\w-]+)/g)].map(([, option]) => option);
    const [contract] = commands().commands;
    const offered = contract.commands.flatMap(({ options }) => options.map(({ long }) => long));
    // Described where it is used; and another word for --ledger, which is not told.
    assert.deepEqual(new Set([...described, '--query', '--url']), new Set(offered));
  });

  const key = ['--key', 'x'];
  const wrongUsage: string[][] = [
    ['check'],
    ['test'],
    ['deploy'],
    ['deploy', good, '--key'],
    ['call'],
    ['call', address, '--private-key', 'x'],
    ['call', 'ZTX3', '--query'],
    ['call', '', '--query'],
    ['call', `${address}1`, '--query'],
    ['deploy', good, ...key, '--owner', 'somebody'],
    ...['-1', '1.5', 'x', '', '9223372036854775808', '0x10', '1e3'].flatMap((number) => [
      ['deploy', good, ...key, '--balance', number],
      ['deploy', good, ...key, '--fee-limit', number],
      ['call', address, ...key, '--coin', number],
    ]),
  ];
  for (const words of wrongUsage) {
    test(`does not take "${words.join(' ').replaceAll(folder, '').replaceAll(address, 'ADDRESS')}"`, async () => {
      await assert.rejects(run(...words), CommanderError);
    });
  }

  test('wants to know who signs', () =>
    assert.rejects(run('deploy', good), refusal(exitCodes.usage, /Nobody signs[\s\S]*--as[\s\S]*--key/)));

  test('wants a call to be signed or to be a query, and not both', async () => {
    await assert.rejects(run('call', address), refusal(exitCodes.usage, /--key[\s\S]*--query/));
    for (const more of [key, ['--as', 'issuer'], ['--coin', '0'], ['--fee-limit', '1']]) {
      await assert.rejects(
        run('call', address, '--query', ...more),
        refusal(exitCodes.usage, /A query takes no/),
      );
    }
  });

  test('wants files that can be read, short enough, and text', async () => {
    const long = file('long.js', ' '.repeat(operationLimits.contractCodeBytesMax + 1));
    const binary = file('binary.js', Uint8Array.of(0xff, 0xfe));
    const cases: [string, number, RegExp][] = [
      [path.join(folder, 'nothing.js'), exitCodes.usage, /cannot be read \(ENOENT\)/],
      [folder, exitCodes.usage, /cannot be read \(EISDIR\)/],
      [long, exitCodes.failed, /has 262145 bytes/],
      [binary, exitCodes.failed, /not UTF-8/],
    ];
    for (const [place, exitCode, words] of cases) {
      await assert.rejects(run('check', place), refusal(exitCode, words));
      await assert.rejects(run('deploy', place, ...key), refusal(exitCode, words));
    }
  });

  test('does not deploy what the chain would refuse', async () => {
    const bad = file('bad.js', 'function main(input) { input++ }');
    const words = /bad\.js:1:1: .*\(use_strict\)[\s\S]*1:24: [\s\S]*3 findings/;
    await assert.rejects(run('deploy', bad, ...key), refusal(exitCodes.failed, words));
  });

  test('does not take an address for a node that is none', async () => {
    const words = /plain http or https address/;
    await assert.rejects(
      run('call', address, '--query', '--url', 'ftp://x'),
      refusal(exitCodes.usage, words),
    );
  });

  test('looks for tests, and says where there are none', async () => {
    mkdirSync(path.join(folder, 'empty', 'node_modules'), { recursive: true });
    writeFileSync(path.join(folder, 'empty', 'node_modules', 'a.test.js'), '');
    const cases: [string, RegExp][] = [
      [path.join(folder, 'nowhere'), /does not exist/],
      [path.join(folder, 'empty'), /holds no file named/],
    ];
    for (const [place, words] of cases) {
      await assert.rejects(run('test', place), refusal(exitCodes.usage, words));
    }
  });
});
