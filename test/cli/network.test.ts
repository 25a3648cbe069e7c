/** `symbolon network` with one validator: what is refused, how it runs in the foreground, and how it ends. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { findComet } from '@symbolon/cli/network/comet-program';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

describe('a network of one validator', () => {
  const owner = ownerOfSuite();
  const place = tempFolder(owner);
  const dir = path.join(place, 'network');
  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    symbolon(owner, ['network', ...words], env);
  const codeOf = (out: string) => at(parseJson(out) as JsonObject, 'error', 'code');
  owner.after(async () => void (await run(['kill', '--dir', dir])));
  // Where it has to be built first, that takes longer than any command below may.
  before(findComet);

  test('is made once, and says how it is started', async () => {
    const made = await run(['init', '--validators', '1', '--block-ms', '100', '--dir', dir]);
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^Start it with: symbolon network up --dir /m);
    const again = await run(['init', '--dir', dir, '--json']);
    assert.deepEqual([again.code, codeOf(again.out)], [2, 'usage']);
    for (const wrong of ['0', '101', 'four']) {
      const other = path.join(place, 'other');
      assert.equal((await run(['init', '--validators', wrong, '--dir', other])).code, 2);
      assert.ok(!existsSync(other));
    }
  });

  test('of which nothing runs is not ready, and has no validator to change', async () => {
    const status = await run(['status', '--dir', dir, '--json']);
    assert.deepEqual([status.code, codeOf(status.out)], [1, 'notReady']);
    for (const [words, why] of [
      [['add-validator'], /changed by a transaction, which needs blocks/],
      [['snapshot'], /taken by a node that runs/],
      [['join'], /taken by a node that runs/],
      [['upgrade', '--after', '9', '--to', '9.0.0'], /only a node that runs knows/],
    ] as const) {
      const refused = await run([...words, '--dir', dir, '--json']);
      assert.deepEqual([refused.code, codeOf(refused.out)], [69, 'unreachable']);
      assert.match(String(at(parseJson(refused.out) as JsonObject, 'error', 'message')), why);
    }
    assert.ok(!existsSync(path.join(dir, 'node-2')));
    assert.equal((await run(['start', '2', '--dir', dir])).code, 2);
    const nowhere = await run(['status', '--dir', place, '--json']);
    assert.deepEqual([nowhere.code, codeOf(nowhere.out)], [78, 'settingsWrong']);
    const usual = await symbolon(owner, ['network', 'up'], {}, { cwd: place });
    assert.match(usual.err, /\.symbolon\/network has no network/);
  });

  test('says where CometBFT comes from when it is not there', async () => {
    const { code, out, err } = await run(['up', '--dir', dir, '--json'], {
      SYMBOLON_COMETBFT: '/nowhere/cometbft',
    });
    assert.deepEqual([code, codeOf(out)], [78, 'cometMissing']);
    assert.match(err, /SYMBOLON_COMETBFT names \/nowhere\/cometbft/);
    assert.match(err, /go install github\.com\/cometbft\/cometbft\/cmd\/cometbft@v/);
  });

  test('runs until it is told to stop, on 80 columns, and ends in order', async () => {
    const up = startSymbolon(owner, ['network', 'up', '--dir', dir], { COLUMNS: '80' });
    await up.printed(/(blocks go on)/);
    for (const line of up.out().split('\n')) assert.ok(line.length <= 80, line);
    const last = await run(['remove-validator', '1', '--dir', dir]);
    assert.equal(last.code, 2);
    assert.match(last.err, /the last validator; nothing was sent/);
    const { code, err } = await up.stop('SIGINT');
    assert.equal(code, 0, err);
    assert.match(err, /The nodes stop\. The network stays in /);
    const status = await run(['status', '--dir', dir, '--json']);
    assert.equal(at(parseJson(status.out) as JsonObject, 'nodes', 0, 'state'), 'stopped');
  });

  test('gets a second validator, which does not stop it, and is the same one after a failure', async () => {
    const up = await run(['up', '--detach', '--dir', dir]);
    assert.equal(up.code, 0, up.err);
    assert.match(up.out, /^node-1 +runs +[0-9]+ +0 /m);
    const failed = await run(['add-validator', '--dir', dir], { SYMBOLON_COMETBFT: endingComet(place) });
    assert.equal(failed.code, 1, failed.err);
    assert.match(failed.err, /node-2: the cometbft process has ended/);
    const added = await run(['add-validator', '--dir', dir]);
    assert.equal(added.code, 0, added.err);
    assert.match(added.err, /It is node-2, which was made before/);
    assert.match(added.err, /No loss is borne.*node-1, node-2/s);
    assert.ok(!existsSync(path.join(dir, 'node-3')));
    assert.ok(!('adding' in JSON.parse(readFileSync(path.join(dir, 'network.json'), 'utf8'))));
    const status = parseJson((await run(['status', '--dir', dir, '--json'])).out) as JsonObject;
    assert.deepEqual(status.power, { present: 20, whole: 20 });
    const again = await run(['add-validator', '2', '--dir', dir, '--json']);
    assert.equal((parseJson(again.out) as JsonObject).validators, 2);
  });

  test('hands its state to a third node, which believes no other block than the one that is trusted', async () => {
    const snapshot = await run(['snapshot', '1', '--dir', dir, '--json']);
    assert.equal(snapshot.code, 0, snapshot.err);
    assert.ok(Number((parseJson(snapshot.out) as JsonObject).block) > 2);
    for (const [words, said] of [
      [['--height', '3'], /both of them/],
      [['--hash', 'zz', '--height', '3'], /64 hex digits/],
      [['--hash', 'ab'.repeat(32), '--height', '3'], /another block 3 than the one that is trusted/],
      [['--hash', 'ab'.repeat(32), '--height', '99999999'], /No node has block 99999999/],
      [['2'], /node-2 runs; nothing was removed/],
      [['7'], /There is no node 7/],
    ] as const) {
      const refused = await run(['join', ...words, '--dir', dir]);
      assert.equal(refused.code, 2, refused.err);
      assert.match(refused.err, said);
    }
    assert.ok(!existsSync(path.join(dir, 'node-3')));
    const joined = await run(['join', '--dir', dir, '--json']);
    assert.equal(joined.code, 0, joined.err);
    const { node, first, trusted } = parseJson(joined.out) as {
      node: number;
      first: number;
      trusted: number;
    };
    assert.deepEqual([node, first > trusted], [3, true]);
    const status = await run(['status', '--dir', dir]);
    assert.match(status.out, new RegExp(`node-3 began with a snapshot, and has the blocks from ${first} on`));
    assert.match(status.out, /is the same on 3 nodes/);
  });

  test('plans an upgrade that lies ahead, and takes it back', async () => {
    const plan = path.join(dir, 'node-1', 'ledger', 'upgrade.json');
    for (const [words, said] of [
      [[], /both of them, or given up with --cancel/],
      [['--after', '999999'], /both of them/],
      [['--after', '999999', '--to', 'next'], /must be a version/],
      [['--after', '999999', '--to', '0.1.0'], /is not newer than this program/],
      [['--after', '3', '--to', '9.0.0'], /Block 3 is there already/],
      [['--cancel', '--to', '9.0.0'], /both of them/],
    ] as const) {
      const refused = await run(['upgrade', ...words, '--dir', dir]);
      assert.equal(refused.code, 2, refused.err);
      assert.match(refused.err, said);
    }
    assert.ok(!existsSync(plan));
    const planned = await run(['upgrade', '--after', '999999', '--to', '9.0.0', '--dir', dir]);
    assert.equal(planned.code, 0, planned.err);
    assert.match(planned.out, /older than 9\.0\.0 make no block after 999999/);
    assert.deepEqual(JSON.parse(readFileSync(plan, 'utf8')), { after: 999_999, version: '9.0.0' });
    assert.equal((await run(['upgrade', '--cancel', '--dir', dir])).code, 0);
    assert.ok(!existsSync(plan));
  });

  test('lets a stopped node begin anew when it is told to give up its blocks', async () => {
    assert.equal((await run(['stop', '3', '--dir', dir])).code, 0);
    const asleep = await run(['snapshot', '3', '--dir', dir]);
    assert.deepEqual([asleep.code, /does not answer, and takes no snapshot/.test(asleep.err)], [2, true]);
    const unsaid = await run(['join', '3', '--dir', dir]);
    assert.equal(unsaid.code, 2);
    assert.match(unsaid.err, /Nothing was removed/);
    const anew = await run(['join', '3', '--yes', '--dir', dir]);
    assert.equal(anew.code, 0, anew.err);
    assert.doesNotMatch(anew.err, /add-validator/);
  });

  test('stops for a planned upgrade, and says so wherever somebody looks', async () => {
    const { height } = await shownNode(1);
    const after = Number(height) + 20;
    const planned = await run(['upgrade', '--after', String(after), '--to', '9.0.0', '--dir', dir]);
    assert.equal(planned.code, 0, planned.err);
    const isUp = async () => ((await shownNode(1)).running as string[]).includes('ledger');
    await until('the end of the node', async () => !(await isUp()));
    for (const words of [
      ['status'],
      ['start'],
      ['start', '1'],
      ['up', '--detach'],
      ['up'],
      ['add-validator'],
    ]) {
      const said = await run([...words, '--dir', dir]);
      assert.equal(said.code, 1, said.err);
      assert.match(said.err, new RegExp(`stopped at block ${after} for the planned upgrade to 9\\.0\\.0`));
      assert.match(said.err, /Install 9\.0\.0 or a newer one, then run: symbolon network up/);
    }
    assert.equal(await isUp(), false);
    assert.equal((await run(['upgrade', '--cancel', '--dir', dir])).code, 0);
    assert.equal((await run(['stop', '--dir', dir])).code, 0);
  });

  test('is not half started where one node cannot start', async () => {
    const settings = path.join(dir, 'node-3', 'ledger', 'node.json');
    const text = readFileSync(settings, 'utf8');
    writeFileSync(settings, '{"port": "nowhere"}');
    const failed = await run(['up', '--detach', '--dir', dir]);
    assert.equal(failed.code, 1, failed.err);
    assert.match(failed.err, /node-3: the ledger process has ended/);
    assert.match(failed.err, /is stopped again: node-1, node-2, node-3/);
    assert.equal((await shownNode(1)).state, 'stopped');
    writeFileSync(settings, text);
  });

  const shownNode = async (index: number): Promise<JsonObject> => {
    const status = await run(['status', '--dir', dir, '--json']);
    return at(parseJson(status.out) as JsonObject, 'nodes', index - 1) as JsonObject;
  };
});

/** Says the right version of itself, and ends when it is to run. */
function endingComet(folder: string): string {
  const file = path.join(folder, 'ending-cometbft');
  writeFileSync(file, '#!/bin/sh\n[ "$1" = version ] && echo 0.38.25\nsleep 1\n', { mode: 0o700 });
  return file;
}
