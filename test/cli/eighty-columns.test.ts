/**
 * Every command that only looks, on the demo, at a screen of 80 columns: no line is longer. What is shortened there is
 * whole with `--wide`, with `--json` and in a pipe, and is taken back by commands that read.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { startSymbolon } from '../support/symbolon-process.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const columns = 80;
const screen = { COLUMNS: String(columns) };
const did = /did:zid:[0-9a-f]{64}/g;

describe('on a screen of 80 columns', { timeout: 120_000 }, () => {
  const owner = ownerOfSuite();
  const folder = makeTempFolder();
  owner.after(() => removeFolder(folder));
  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    startSymbolon(owner, words, env, { cwd: folder }).ended;
  const facts = { vcId: '', transaction: '' };

  before(async () => {
    const ports = ['--ledger-port', '0', '--service-port', '0', '--no-open'];
    await startSymbolon(owner, ['dev', ...ports], {}, { cwd: folder }).printed(/(Ctrl-C stops)/);
    const held = JSON.parse((await run(['vc', 'held', '--json'])).out);
    facts.vcId = held.credentials.find(({ status }: { status: string }) => status === 'ACTIVE').vcId;
    const status = JSON.parse((await run(['vc', 'status', facts.vcId, '--json'])).out);
    facts.transaction = status.txHash;
  });

  const looking = (): readonly (readonly string[])[] => [
    ['demo'],
    ['profile', 'list'],
    ['profile', 'show'],
    ['doctor'],
    ['template', 'list'],
    ['template', 'show', 'University degree'],
    ['vc', 'held'],
    ['vc', 'list'],
    ['vc', 'show', facts.vcId],
    ['vc', 'status', facts.vcId],
    ['vc', 'download', facts.vcId, '--out', 'held.json'],
    ['vp', 'create', 'held.json', '--out', 'shown.json'],
    ['vp', 'show', 'shown.json'],
    ['verify', 'shown.json'],
    ['request', '--ask', 'degree'],
    ['trust', 'list', 'add', 'universities', `did:zid:${'7c'.repeat(32)}`, '--name', 'University of Example'],
    ['trust', 'list', 'show'],
    ['trust', 'list', 'show', 'universities'],
    ['keys', 'new', '--out', 'own.key'],
    ['keys', 'show', 'own.key'],
    ['account', 'show', 'issuer'],
    ['account', 'balance', 'issuer'],
    ['account', 'metadata', 'issuer'],
    ['account', 'history', 'issuer', '--blocks', '3'],
    ['did', 'show', 'issuer'],
    ['tx', 'show', facts.transaction],
    ['tx', 'pay', 'holder2', '1.5gas', '--as', 'holder'],
    ['node', 'status'],
    ['service', 'status'],
    ['service', 'key', 'list', '--data', '.symbolon/dev/service'],
    ['config', 'check'],
    ['config', 'print'],
    ['backup', '--data', '.symbolon/dev', '--out', 'copy'],
    ['verify', 'copy'],
  ];

  test('no line of what a command shows is longer', async () => {
    const tooLong: string[] = [];
    for (const words of looking()) {
      const { code, out, err } = await run(words, screen);
      assert.equal(code, 0, `symbolon ${words.join(' ')}\n${out}${err}`);
      assert.notEqual(out, '', words.join(' '));
      // A link is one word, and whole.
      for (const line of `${out}${err}`.split('\n'))
        if (line.length > columns && !/^\s+\S+:\/\/\S+$/.test(line))
          tooLong.push(`symbolon ${words.join(' ')}: ${line}`);
    }
    assert.deepEqual(tooLong, []);
  });

  test('help fits as well', async () => {
    for (const words of [['--help'], ['did', '--help'], ['vc', 'issue', '--help']]) {
      const { out } = await run(words, screen);
      assert.deepEqual(
        out.split('\n').filter((line) => line.length > columns),
        [],
      );
    }
  });

  test('so does what happens on the ledger while it is watched', async () => {
    const tailing = startSymbolon(owner, ['tail', '--count', '2'], screen, { cwd: folder });
    await until('tail to watch', () => tailing.err().includes('Watching'));
    await run(['tx', 'pay', 'holder2', '1gas', '--as', 'holder']);
    const { out } = await tailing.ended;
    for (const line of out.split('\n')) assert.ok(line.length <= columns, line);
  });

  test('what a table shortens is whole with --wide, with --json and in a pipe', async () => {
    const shown = await run(['vc', 'held'], screen);
    assert.match(shown.out, /did:zid:[0-9a-f]{4}…[0-9a-f]{4}\n/);
    assert.match(shown.err, /--wide/);
    const ways = [
      run(['vc', 'held', '--wide'], screen),
      run(['vc', 'held', '--json'], screen),
      run(['vc', 'held']),
    ];
    const ids = new Set((await ways[2])?.out.match(did));
    for (const way of ways) {
      const { out, err } = await way;
      assert.ok(ids.isSubsetOf(new Set(out.match(did))), out);
      assert.ok(ids.has(facts.vcId) && !out.includes('…'));
      assert.equal(err, '');
    }
  });

  test('what was shortened is taken by commands that read, and refused where something changes', async () => {
    const short = `${facts.vcId.slice(0, 12)}…${facts.vcId.slice(-4)}`;
    for (const words of [
      ['vc', 'status', short],
      ['vc', 'show', facts.vcId.slice(8, 14)],
    ]) {
      const { code, out, err } = await run(words);
      assert.equal(code, 0, err);
      assert.ok(out.includes(facts.vcId));
    }
    const unknown = await run(['vc', 'status', 'ffff…0000', '--json']);
    assert.equal(unknown.code, 4);
    const changing = await run(['vc', 'revoke', short]);
    assert.equal(changing.code, 2);
    assert.match(changing.err, /whole with --wide/);
  });
});
