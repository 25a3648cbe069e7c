/** What a node says of itself: the disk, the ledger's time against the clock, keys that others can read. Over HTTP. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { exitCodes } from '@symbolon/cli/terminal/failure';
import { initNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { send } from '../support/http.ts';
import { person } from '../support/people.ts';
import { operations, type RunningNode, startNode } from '../support/running-node.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const hourMs = 3_600_000;

/** The clock of this machine, set by so much. */
function setClock(context: TestContext, byMs: number): void {
  const real = Date.now.bind(Date);
  context.mock.method(Date, 'now', () => real() + byMs);
}

const readiness = async ({ url }: Pick<RunningNode, 'url'>) => send(`${url}/readyz?verbose`);

describe('a node says', () => {
  test('each thing that it has looked at, and leaves nothing behind', async (context) => {
    const node = await startNode(context);
    const before = readdirSync(node.folder);
    const { status, text } = await readiness(node);
    assert.deepEqual([status, text], [200, 'time: ok\nchain: ok\nstore: ok\nwrite: ok\ndisk: ok\n']);
    assert.deepEqual(readdirSync(node.folder), before);
    const { text: metrics } = await send(`${node.url}/metrics`);
    assert.match(metrics, /^symbolon_ledger_block_time_seconds \d/m);
    assert.match(metrics, /^symbolon_ledger_time_ahead_seconds 0$/m);
    assert.match(metrics, /^symbolon_ledger_waiting_seconds 0$/m);
    assert.match(metrics, /^symbolon_ledger_store_sound 1$/m);
    assert.match(metrics, /^symbolon_ledger_store_tables_bytes \d+$/m);
    assert.match(metrics, /^symbolon_ledger_store_tables_checked_bytes \d+$/m);
  });

  test('that the ledger is ahead of a clock that was set back, makes no block far ahead, and goes on', async (context) => {
    const node = await startNode(context);
    const pay = { operations: [operations.payCoin(person('a friend').address, 1_000)] };
    await node.execute(pay);
    setClock(context, -hourMs);
    const refused = await until('it says so', async () => {
      const answer = await readiness(node);
      return answer.status === 503 && answer;
    });
    assert.match(
      refused.text,
      /^time: failed, the ledger's time is 3\d{3} s ahead of the clock, and no block/m,
    );
    assert.match((await send(`${node.url}/metrics`)).text, /^symbolon_ledger_time_ahead_seconds 3\d{3}/m);
    await until('the log', () => node.logged().includes('set the clock of this machine'));
    const { seq } = node.served.node.chain.head;
    const waiting = node.execute(pay);
    await delay(500);
    assert.equal(node.served.node.chain.head.seq, seq);
    context.mock.restoreAll();
    setClock(context, -60_000);
    await waiting;
    const { status, text } = await until('it is ready', async () => {
      const answer = await readiness(node);
      return answer.status === 200 && answer;
    });
    assert.equal(status, 200);
    assert.match(text, /^time: warning, the ledger's time is \d+ s ahead of the clock$/m);
  });
});

test('a validator key that others can read is refused before anything is opened', async (context) => {
  const folder = path.join(tempFolder(context), 'node');
  await initNodeFolder(folder);
  chmodSync(path.join(folder, 'validator.key'), 0o640);
  const { code, err } = await symbolon(context, ['node', 'start', '--data', folder]);
  assert.equal(code, exitCodes.config);
  assert.match(err, /validator\.key holds the key that signs blocks, and others than its owner can reach it/);
  assert.match(err, /chmod 600/);
  assert.ok(!existsSync(path.join(folder, 'chain')));
});
