/**
 * kill -9 at every step of a durable write, at the blocks where it matters most, twice in a row: what was
 * acknowledged stays, what was not happens once when it is submitted again, and the chain proves itself.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TransactionEnvStore } from '@symbolon/core/proto/ledger_pb';
import type { CrashPoint } from '@symbolon/ledger-node/store/level-store';
import { campaignCases } from '../support/campaign.ts';
import { makeChain } from '../support/running-node.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { auditFolder } from './audit.ts';
import { allHashes, live } from './life.ts';
import { NodeProcess } from './node-process.ts';
import { Witness } from './witness.ts';

const points: readonly CrashPoint[] = ['beforeWrite', 'afterSync', 'beforeHead', 'afterHead'];

/** Every block is one write with a head, so the n-th time a step is reached is block n. */
const positions = [
  { name: 'the first block of all', block: 1 },
  { name: 'the first block with transactions', block: 2 },
  { name: 'a block that adds metadata, assets and signers', block: 3 },
  { name: 'a block that deletes and changes them', block: 4 },
  { name: 'a block in the middle of the load', block: 7 },
];

/** Every third of them is at each point and at each block. */
const deaths = points.flatMap((point) => positions.map((position) => ({ point, ...position })));

/** One life of the process on the folder, to its death or to the end of the life. */
async function liveOnce(
  node: NodeProcess,
  witness: Witness,
  order: { folder: string; crash?: { point: CrashPoint; count: number } },
): Promise<boolean> {
  const addresses = await node.start(order);
  if (!addresses) return false;
  await witness.listen(addresses.socketUrl);
  return live(addresses, witness);
}

/** What executing the transactions led to; fees and codes are the same in every run, blocks are not. */
const outcomes = (records: ReadonlyMap<string, TransactionEnvStore>) =>
  [...records].map(([hash, { errorCode, actualFee }]) => `${hash} ${errorCode} ${actualFee}`).sort();

async function undisturbed(context: TestContext): Promise<string[]> {
  const folder = tempFolder(context);
  await makeChain(folder);
  const node = new NodeProcess(context);
  const witness = new Witness();
  assert.ok(await liveOnce(node, witness, { folder }));
  await node.kill();
  return outcomes((await auditFolder(folder, witness.heard)).records);
}

test('kill -9 at every crash point', async (context) => {
  const expected = await undisturbed(context);
  assert.equal(expected.length, allHashes.length);
  for (const { point, name, block } of campaignCases(deaths, 3)) {
    await context.test(`${point} of ${name}`, async (inner) => {
      const folder = tempFolder(inner);
      await makeChain(folder);
      const witness = new Witness();
      // The second process dies at the first block that it makes after the recovery.
      const processes = [block, 1, undefined].map((count) => ({ count, node: new NodeProcess(inner) }));
      for (const { count, node } of processes) {
        const crash = count === undefined ? undefined : { point, count };
        const isWhole = await liveOnce(node, witness, { folder, crash });
        if (crash) assert.equal(await node.ended, 'SIGKILL');
        else assert.ok(isWhole, `the node ended: ${node.errors}`);
        await node.kill();
        await auditFolder(folder, witness.heard);
      }
      const { records } = await auditFolder(folder, witness.heard);
      assert.deepEqual(outcomes(records), expected);
    });
  }
});
