/**
 * Faults of a network under load, each followed by the checker: once in `npm test`, as often as wanted by
 * `npm run test:faults -- --times 20`.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { campaignSize } from '../support/campaign.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { FaultWorld } from './fault-world.ts';
import { type FaultScenario, partitions, scenarios } from './scenarios.ts';
import { findWays } from './ways-here.ts';

const times = campaignSize('NETWORK_FAULT_TIMES', { usual: 1, whole: 20 });

const wanted = process.env.NETWORK_FAULT_ONLY ?? '';
const here = await findWays();
const canPlay = ({ name, needs }: FaultScenario): boolean =>
  name.includes(wanted) && (needs === undefined || here.faults.includes(needs));

for (let round = 1; round <= times; round++)
  // A network of its own, so that what one round breaks is no fault of the next.
  describe(`a network under load, its peers by ${here.title}`, () => {
    const owner = ownerOfSuite();
    let world: FaultWorld;
    before(async () => {
      world = await FaultWorld.start(owner, here);
    });

    for (const { name, play } of [...scenarios, ...partitions].filter(canPlay))
      test(`has one chain when ${name}${times > 1 ? ` (${round})` : ''}`, async (context) => {
        const before = world.payments.acknowledged.length;
        world.payments.start();
        try {
          await play(world);
        } catch (error) {
          // What fails in the middle leaves neither a cut nor its payments to the next one.
          await world.ways.heal();
          await world.payments.end().catch(() => undefined);
          throw error;
        }
        const { blocks, payments } = await world.check();
        context.diagnostic(`${blocks} blocks, ${payments - before} payments`);
        assert.ok(payments > before, 'nothing was paid');
      });
  });
