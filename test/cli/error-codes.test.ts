/** With `--json` every failure has a code, of whatever kind it is; docs/cli.md lists them. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { codeOfExit, exitCodes } from '@symbolon/cli/terminal/failure';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { startSymbolon } from '../support/symbolon-process.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';

const unknownId = `did:zid:${'0'.repeat(64)}`;
const nobody = ['--ledger', 'http://127.0.0.1:1', '--service', 'http://127.0.0.1:1'];

/** What is typed, how it ends, and the code that a program reads. */
const failures: readonly (readonly [kind: string, words: readonly string[], exit: number, code: string])[] = [
  ['an option that there is not', ['vc', 'held', '--nonsense'], exitCodes.usage, 'usage'],
  ['a command that there is not', ['nonsense'], exitCodes.usage, 'usage'],
  ['a value that does not fit', ['tx', 'pay', 'holder', 'much'], exitCodes.usage, 'usage'],
  ['a person whom nobody knows', ['vc', 'held', '--as', 'nobody'], exitCodes.usage, 'usage'],
  ['no node', ['node', 'status', ...nobody.slice(0, 2)], exitCodes.unreachable, 'unreachable'],
  ['no service', ['template', 'list', ...nobody], exitCodes.unreachable, 'unreachable'],
  ['refused by the service', ['vc', 'show', unknownId], exitCodes.notFound, 'applicationUnknown'],
  [
    'refused by the ledger',
    ['tx', 'pay', 'holder', '1', '--fee-limit', '1'],
    exitCodes.failed,
    'ERRCODE_FEE_NOT_ENOUGH',
  ],
  [
    'nothing of this name',
    ['account', 'metadata', 'issuer', '--entry', 'none'],
    exitCodes.notFound,
    'notFound',
  ],
  ['a transaction that is not there', ['tx', 'show', '0'.repeat(64)], exitCodes.notFound, 'notFound'],
  ['a file that is not there', ['verify', 'none.json'], exitCodes.usage, 'usage'],
  ['a file that cannot be written', ['keys', 'new', '--out', 'a-file/own.key'], exitCodes.usage, 'usage'],
  ['wrong settings', ['config', 'check', '--data', 'empty'], exitCodes.config, 'settingsWrong'],
  ['what a look at things has found', ['doctor', ...nobody], exitCodes.failed, 'unhealthy'],
  ['code that cannot be deployed', ['contract', 'check', 'wrong.js'], exitCodes.failed, 'failed'],
  [
    'a folder that is in use',
    ['backup', '--data', 'empty', '--out', 'copy'],
    exitCodes.config,
    'settingsWrong',
  ],
];

describe('an error code', () => {
  const owner = ownerOfSuite();
  const folder = makeTempFolder();
  owner.after(() => removeFolder(folder));
  let service: RunningService;
  before(async () => {
    service = await startService(owner);
    mkdirSync(path.join(folder, 'empty'));
    writeFileSync(path.join(folder, 'a-file'), '');
    writeFileSync(path.join(folder, 'wrong.js'), 'function main( {');
  });

  for (const [kind, words, exit, code] of failures)
    test(`is told of ${kind}`, async () => {
      const env = { SYMBOLON_PROFILE: path.join(service.folder, 'demo.json') };
      const ended = await startSymbolon(owner, [...words, '--json'], env, { cwd: folder }).ended;
      const { error } = JSON.parse(ended.out.trim().split('\n').at(-1) ?? '');
      assert.deepEqual([error.code, ended.code], [code, exit], ended.out + ended.err);
      assert.equal(typeof error.message, 'string');
    });

  test('is in the list of docs/cli.md, where it is not of a list of its own', () => {
    const root = path.resolve(import.meta.dirname, '../..');
    const page = readFileSync(path.join(root, 'docs/cli.md'), 'utf8');
    const catalogue = readFileSync(path.join(root, 'docs/errors.md'), 'utf8');
    const source = path.join(root, 'packages/cli/src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    const codes = new Set(
      files.flatMap((name) =>
        [...readFileSync(path.join(source, name), 'utf8').matchAll(/\bcode: '(\w+)'/g)].map(
          ([, code]) => code,
        ),
      ),
    );
    assert.ok(codes.size > 10);
    for (const code of [...codes, ...Object.values(codeOfExit)])
      assert.ok(
        page.includes(`| \`${code}\` |`) || new RegExp(`^### (SDK )?${code}$`, 'm').test(catalogue),
        code,
      );
  });
});
