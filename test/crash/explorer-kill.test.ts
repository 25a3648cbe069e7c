/**
 * kill -9 while the index of the explorer is being made, again and again on the same folder: it goes on from a whole
 * block, and in the end it is, row by row, the index that is made at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ExplorerIndex, readReach } from '@symbolon/ledger-node/explorer/explorer-index';
import { parseBlockRows, readBlockRows } from '@symbolon/ledger-node/explorer/fed-block';
import { explorerPath, openNodeFolder, storePath } from '@symbolon/ledger-node/node/node-folder';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { keysEnd } from '@symbolon/ledger-node/store/store';
import { busyChain } from '@symbolon/ledger-node/testing/busy-chain';
import { MemoryStore } from '@symbolon/ledger-node/testing/memory-store';
import { ask, at } from '../support/http.ts';
import { makeChain } from '../support/running-node.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { NodeProcess } from './node-process.ts';
import { chooseSeed, createRandom } from './seeded-random.ts';

const kills = 8;
const blocks = 400;
const workingMsMax = 400;
const everything = { gte: Uint8Array.of(0), lt: keysEnd, limit: 10_000 };

test(`kill -9 at ${kills} moments while the index is made`, async (context) => {
  const seed = chooseSeed('SYMBOLON_KILL_SEED');
  context.diagnostic(`SYMBOLON_KILL_SEED=${seed}`);
  const random = createRandom(seed);
  const folder = tempFolder(context);
  await makeChain(folder);
  const { rules } = await openNodeFolder(folder);
  const store = await LevelStore.open(storePath(folder));
  const chain = await busyChain({ seed: 11, blocks, store, rules });
  const expected = new MemoryStore();
  const index = new ExplorerIndex(expected, rules);
  for (let seq = 1n; seq <= chain.head.seq; seq++)
    await index.add(parseBlockRows(await readBlockRows(chain.rows, seq)), async () => {});
  const head = Number(chain.head.seq);
  await chain.close();

  const reached: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const node = new NodeProcess(context);
    const { httpUrl } = await node.mustStart({ folder });
    // Asking starts the thread; the answer comes when its index is open.
    await ask(httpUrl, 'getTransactions');
    await delay(random.below(workingMsMax));
    await node.kill();
    const left = await LevelStore.open(explorerPath(folder));
    reached.push(Number(readReach(left)?.totals.seq));
    await left.close();
  }
  context.diagnostic(`reached ${reached.join(', ')} of ${head}`);
  assert.ok(
    reached.every((seq, kill) => kill === 0 || seq >= reached[kill - 1]),
    'nothing is lost',
  );

  const node = new NodeProcess(context);
  const { httpUrl } = await node.mustStart({ folder });
  await until('the index is whole', async () => {
    const reply = await ask(httpUrl, 'getTransactions', { limit: 1 });
    return at(reply, 'result', 'indexed_seq') === head;
  });
  await node.kill();
  const whole = await LevelStore.open(explorerPath(folder));
  const [rows, wanted] = await Promise.all([whole, expected].map((from) => from.scanAll(everything)));
  const others = wanted[Symbol.asyncIterator]();
  for await (const row of rows) assert.deepEqual(row, (await others.next()).value);
  assert.equal((await others.next()).done, true);
  await whole.close();
});
