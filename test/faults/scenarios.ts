/** What happens to a network in a test of faults: each begins and ends with four validators that run. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { type FaultWorld, founders, liar } from './fault-world.ts';
import type { LinkFault } from './peer-ways.ts';

export interface FaultScenario {
  readonly name: string;
  /** What the ways between nodes must be able to do; relays only cut. */
  readonly needs?: LinkFault;
  play(world: FaultWorld): Promise<void>;
}

const others = (...nodes: readonly number[]): readonly number[] =>
  founders.filter((node) => !nodes.includes(node));
const oneOf = (nodes: readonly number[]): number => nodes[Math.floor(Math.random() * nodes.length)] as number;
const chosen = (): number => oneOf(founders);
/** Never the first node: one of them has all blocks, for those that have none. */
const forgetful = (): number => oneOf(others(1));

const standMs = 3_000;
/** A block for which all had voted already, and the next one that was proposed with it. */
const underWay = 2;

/** What was under way when blocks stopped may still be decided, however slow the machine is; then nothing more is. */
async function assertStandsStill({ network }: FaultWorld, node: number): Promise<void> {
  const first = await network.heightOf(node);
  assert.ok(first !== undefined, `node ${node} does not answer`);
  for (let height = first; ; ) {
    await delay(standMs);
    const next = await network.heightOf(node);
    if (next === height) return;
    assert.ok(next !== undefined && next <= first + underWay, 'blocks without two thirds of the power');
    height = next;
  }
}

/** Answers the last block of the programs of now; blocks may be faster than the command that plans it. */
async function planUpgrade({ network }: FaultWorld, version: string): Promise<number> {
  for (let ahead = 15; ; ahead *= 2) {
    const after = Number(await until('a height', () => network.heightOf(1))) + ahead;
    try {
      await network.command(['upgrade', '--after', String(after), '--to', version]);
      return after;
    } catch (error) {
      if (!(error as Error).message.includes('is there already')) throw error;
    }
  }
}

export const scenarios: readonly FaultScenario[] = [
  {
    name: 'one is killed, and comes back',
    async play({ network, goOn }) {
      const node = chosen();
      await network.command(['kill', String(node)]);
      await goOn(4, others(node));
      await network.command(['start', String(node)]);
      await goOn(1);
    },
  },
  {
    name: 'two are killed, the chain waits, and goes on',
    async play(world) {
      const node = chosen();
      const second = oneOf(others(node));
      for (const one of [node, second]) await world.network.command(['kill', String(one)]);
      await assertStandsStill(world, others(node, second)[0] as number);
      for (const one of [second, node]) await world.network.command(['start', String(one)]);
      await world.goOn(1);
    },
  },
  {
    name: 'whoever is to propose is frozen',
    async play(world) {
      const node = await world.proposer();
      await world.signal(node, 'SIGSTOP');
      await world.goOn(3, others(node));
      await world.signal(node, 'SIGCONT');
      await world.goOn(1);
    },
  },
  {
    name: 'one has lost everything but its keys',
    async play(world) {
      const node = forgetful();
      await world.network.command(['kill', String(node)]);
      await world.wipe(node);
      await world.goOn(2, others(node));
      await world.network.command(['start', String(node)]);
      await world.goOn(1);
    },
  },
  {
    name: 'one has lost everything, and begins with a snapshot',
    async play({ network, goOn }) {
      const node = forgetful();
      await network.command(['kill', String(node)]);
      await goOn(2, others(node));
      await network.command(['join', String(node), '--yes']);
      await goOn(1);
    },
  },
  {
    name: 'all are restarted, one after the other',
    async play({ network, goOn }) {
      for (const node of founders) {
        await network.command(['stop', String(node)]);
        await network.command(['start', String(node)]);
        await goOn(1);
      }
    },
  },
  {
    name: 'all are upgraded, one after the other',
    async play(world) {
      const { version, program } = world.newerProgram();
      for (const node of founders) {
        await world.network.command(['stop', String(node)]);
        await world.network.command(['start', String(node)], { program });
        await world.goOn(1);
      }
      for (const node of founders) assert.equal(await world.versionOf(node), version);
    },
  },
  {
    name: 'older programs end after a planned block, and newer ones go on',
    async play(world) {
      const { version, program } = world.newerProgram();
      const after = await planUpgrade(world, version);
      for (const node of founders) {
        await world.untilEnded(node);
        await world.network.command(['stop', String(node)]);
      }
      // The program that is to be left behind is not started again.
      const { code, err } = await world.startNode(1);
      assert.deepEqual(
        [code, err.includes(`block ${after} was the last one of this program`)],
        [1, true],
        err,
      );
      // Not those that were validators for a while.
      for (const node of founders) await world.network.command(['start', String(node)], { program });
      await world.goOn(3);
      assert.ok(Number(await world.network.heightOf(1)) > after);
      await world.network.command(['upgrade', '--cancel']);
    },
  },
  {
    name: 'a fifth validator comes and goes',
    async play(world) {
      const { network, goOn } = world;
      const known = world.fifth === undefined ? [] : [String(world.fifth)];
      const { node } = await network.command(['add-validator', ...known]);
      const fifth = Number(node);
      world.fifth = fifth;
      await goOn(2, [...founders, fifth]);
      await network.command(['remove-validator', String(fifth)]);
      await goOn(2, [...founders, fifth]);
      // Where there are relays it calls the others past them.
      await network.command(['stop', String(fifth)]);
    },
  },
  {
    name: 'one has another state, and proposes a wrong app hash',
    async play(world) {
      const block = await world.lie();
      await world.goOn(3, others(liar));
      assert.ok((await world.roundOf(block + 1n)) > 0, 'what it proposed was taken');
      // What the others have agreed on contradicts what its CometBFT was told: it goes no further.
      assert.equal(await world.network.heightOf(liar), Number(block));
      await world.network.command(['stop', String(liar)]);
      await world.network.command(['join', String(liar), '--yes']);
      await world.goOn(1);
    },
  },
  {
    name: 'one signs twice, is jailed, and comes back',
    async play(world) {
      const node = forgetful();
      const end = await world.startTwin(node);
      await until('its jail', async () => !(await world.validates(node)));
      await end();
      await world.goOn(3);
      await world.network.command(['add-validator', String(node)], { exits: 2 });
      await world.network.command(['add-validator', String(node), '--pardon']);
      await world.goOn(2);
      assert.ok(await world.validates(node));
    },
  },
];

/** Those that are about the ways between nodes. */
export const partitions: readonly FaultScenario[] = [
  {
    name: 'one is cut off from three',
    async play(world) {
      const node = chosen();
      await world.ways.part([node], others(node));
      await world.goOn(3, others(node));
      await assertStandsStill(world, node);
      await world.ways.heal();
      await world.goOn(1);
    },
  },
  {
    name: 'two are cut off from two, and nobody has blocks',
    async play(world) {
      const node = chosen();
      const second = oneOf(others(node));
      await world.ways.part([node, second], others(node, second));
      await Promise.all(founders.map((one) => assertStandsStill(world, one)));
      await world.ways.heal();
      await world.goOn(1);
    },
  },
  {
    name: 'nobody reaches anybody',
    async play(world) {
      await world.ways.part(...founders.map((node) => [node]));
      await Promise.all(founders.map((one) => assertStandsStill(world, one)));
      await world.ways.heal();
      await world.goOn(1);
    },
  },
  {
    name: 'one is restarted while it is cut off',
    async play(world) {
      const node = chosen();
      await world.ways.part([node], others(node));
      await world.network.command(['kill', String(node)]);
      await world.goOn(3, others(node));
      await world.network.command(['start', String(node)]);
      await assertStandsStill(world, node);
      await world.ways.heal();
      await world.goOn(1);
    },
  },
  {
    name: 'one hears nobody, and is heard by packets alone',
    needs: 'deaf',
    async play(world) {
      const node = chosen();
      const lost = await world.harm(node, 'deaf');
      await world.goOn(3, others(node));
      await assertStandsStill(world, node);
      assert.ok((await lost()) > 0, 'no packet was lost');
      await world.ways.heal();
      await world.goOn(1);
    },
  },
  {
    name: 'nobody hears one, which hears the others',
    needs: 'mute',
    async play(world) {
      const node = chosen();
      const lost = await world.harm(node, 'mute');
      // What it does not acknowledge is sent to it for a while; it votes for nothing that counts.
      await world.goOn(5, others(node));
      assert.ok((await lost()) > 0, 'no packet was lost');
      await world.ways.heal();
      await world.goOn(1);
    },
  },
  {
    name: 'one has a slow link that loses packets',
    needs: 'slow',
    async play(world) {
      const lost = await world.harm(chosen(), 'slow');
      await world.goOn(6);
      await until('a lost packet', async () => (await lost()) > 0);
      await world.ways.heal();
      await world.goOn(1);
    },
  },
];
