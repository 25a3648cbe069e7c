/**
 * kill -9 at random moments under load, a hundred in the whole campaign, while the node starts and while it works,
 * always on the same folder: nothing that was acknowledged is lost, nothing happens twice, and the chain proves itself in the end.
 *
 * SYMBOLON_KILL_SEED repeats a seed, SYMBOLON_KILL_COUNT changes the number of kills.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { campaignSize } from '../support/campaign.ts';
import { post } from '../support/http.ts';
import { richest } from '../support/people.ts';
import { hashOf, makeChain, operations, signTransaction } from '../support/running-node.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { auditFolder } from './audit.ts';
import { loadUntilGone, senders } from './endless-load.ts';
import { NodeProcess } from './node-process.ts';
import { chooseSeed, createRandom, type Random } from './seeded-random.ts';
import { Witness } from './witness.ts';

const kills = campaignSize('SYMBOLON_KILL_COUNT', { usual: 25, whole: 100 });
/** Every so often the whole chain is proved, so that a failure is found near its cause. */
const auditEvery = 10;
const startingMsMax = 150;
const workingMsMax = 200;

/** Gives every sender an account, undisturbed. */
async function prepareChain(context: TestContext, folder: string, witness: Witness): Promise<void> {
  await makeChain(folder);
  const node = new NodeProcess(context);
  const { httpUrl } = await node.mustStart({ folder });
  const terms = { source_address: richest.address, nonce: 1, fee_limit: 10_000_000, gas_price: 1 };
  const births = senders.map(({ address }) => operations.createAccount(address, 1_000_000_000_000));
  const item = signTransaction({ ...terms, operations: births }, [richest]);
  await post(httpUrl, 'submitTransaction', { items: [item] });
  await until('the senders exist', () => witness.sees(httpUrl, hashOf(item)));
  await node.kill();
}

/** One life under load, cut short while the node comes up or while it works. */
async function liveAndDie(
  node: NodeProcess,
  folder: string,
  witness: Witness,
  random: Random,
): Promise<void> {
  const diesEarly = random.chance(0.2);
  const starting = node.start({ folder });
  if (diesEarly) {
    await delay(random.below(startingMsMax));
    await node.kill();
  }
  const addresses = await starting.catch((error) => {
    if (!diesEarly) throw error;
    return undefined;
  });
  if (!addresses || diesEarly) return;
  await witness.listen(addresses.socketUrl);
  const loading = loadUntilGone(addresses, witness, random);
  // Most nodes get as far as their first block; a block takes long enough for the delay to fall anywhere in the next.
  const heard = witness.heard.size;
  if (random.chance(0.8)) await until('the first block', () => witness.heard.size > heard);
  await delay(random.below(workingMsMax));
  assert.equal(node.failure, undefined);
  await node.kill();
  await loading;
}

test(`kill -9 at ${kills} random moments under load`, async (context) => {
  const seed = chooseSeed('SYMBOLON_KILL_SEED');
  context.diagnostic(`SYMBOLON_KILL_SEED=${seed}`);
  const random = createRandom(seed);
  const folder = tempFolder(context);
  const witness = new Witness();
  await prepareChain(context, folder, witness);

  try {
    let standby = new NodeProcess(context);
    for (let kill = 1; kill <= kills; kill++) {
      const node = standby;
      // The next process loads its code while this one works.
      standby = new NodeProcess(context);
      await liveAndDie(node, folder, witness, random);
      if (kill % auditEvery === 0) await auditFolder(folder, witness.heard);
    }
    await standby.kill();
    const { head, records } = await auditFolder(folder, witness.heard);
    context.diagnostic(`${head} blocks, ${records.size} transactions, ${witness.heard.size} acknowledged`);
    assert.ok(witness.heard.size > kills, 'there was load');
  } catch (error) {
    throw new Error(`with SYMBOLON_KILL_SEED=${seed}`, { cause: error });
  }
});
