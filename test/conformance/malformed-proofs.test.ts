/**
 * Malformed proofs in a row, made by somebody who knows how proofs are built: each is refused, good ones
 * verify all the while, and neither workers nor memory run away. Most cannot be proofs at all and never reach the
 * library; the others have every length and mark right and break inside.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProofEngine, RangeParameters } from '@symbolon/core/proofs/proof-engine';
import { ProofWorkers } from '@symbolon/credential-service/proofs/proof-workers';
import {
  type CommittedWorld,
  commitWorld,
  deriveOrder,
  makeProofWorld,
  proofOrder,
} from '@symbolon/sdk/proofs/testing/proof-world';
import { chooseSeed, createRandom, type Random } from '../crash/seeded-random.ts';
import { campaignSize } from '../support/campaign.ts';

const malformed = campaignSize('PROOF_COUNT', { usual: 70, whole: 200 });
const goodEvery = 20;
const growthBytesMax = 64 * 1024 * 1024;

const methods = ['none', 'bulletproofs', 'set-membership'] as const;
type Method = (typeof methods)[number];

async function makeGood(world: CommittedWorld, method: Method) {
  const rangeParameters: RangeParameters =
    method === 'set-membership' ? world.setMembership : { method: 'bulletproofs' };
  const ranges = method === 'none' ? [] : [{ index: 3, min: 32_000n, max: 80_000n }];
  const { commitment } = world;
  const asked = deriveOrder(world, { commitment, ranges, rangeParameters });
  return proofOrder(asked, await world.engine.derive(asked));
}

/** Points begin at these places in the parts about signature and commitment, which all proofs have. */
const points = [9, 57, 105, 153, 265, 676];

const attacks: readonly ((proof: Uint8Array, random: Random) => Uint8Array)[] = [
  (proof, random) => proof.slice(0, random.below(proof.length)),
  (proof, random) => Uint8Array.of(...proof, ...new Uint8Array(1 + random.below(64))),
  (proof, random) => proof.fill(0xff, random.below(proof.length - 8)),
  (proof, random) => proof.map((byte) => (random.chance(0.01) ? random.below(256) : byte)),
  // The x of a point: half of all are on the curve, few of those in the group.
  (proof, random) => {
    proof[random.pick(points) + 1 + random.below(47)] ^= 1 << random.below(8);
    return proof;
  },
  // One point in the place of another: everything is well formed.
  (proof, random) => {
    const [from, to] = [random.pick(points), random.pick(points.slice(1))];
    proof.copyWithin(to, from === to ? points[0] : from, (from === to ? points[0] : from) + 48);
    return proof;
  },
  // The lowest byte of a scalar, anywhere behind the signature's points.
  (proof, random) => {
    proof[322 + 32 * random.below(9)] ^= 1 + random.below(255);
    return proof;
  },
];

async function checkAll(
  engine: ProofEngine,
  run: { good: Awaited<ReturnType<typeof makeGood>>[]; random: Random },
) {
  const { good, random } = run;
  for (let count = 0; count < malformed; count++) {
    const order = random.pick(good);
    const attack = attacks[count % attacks.length] as (typeof attacks)[number];
    const proof = attack(order.proof.slice(), random);
    if (Buffer.compare(proof, order.proof) === 0) continue;
    assert.equal(await engine.verifyProof({ ...order, proof }), false, `attack ${count % attacks.length}`);
    if (count % goodEvery === goodEvery - 1) {
      for (const each of good) assert.equal(await engine.verifyProof(each), true);
    }
  }
}

test(`${malformed} malformed proofs in a row harm nobody`, async (context) => {
  const seed = chooseSeed('PROOF_SEED');
  context.diagnostic(`PROOF_SEED=${seed}`);
  const workers = new ProofWorkers({ workers: 1, shortJobWorkers: 0, warmUp: false });
  context.after(() => workers.close());
  const world = await commitWorld(await makeProofWorld(workers));
  const good = await Promise.all(methods.map((method) => makeGood(world, method)));
  const random = createRandom(seed);
  // Once before the memory is looked at, so that everything has been used.
  await checkAll(workers, { good, random });
  const before = process.memoryUsage.rss();
  await checkAll(workers, { good, random });
  const growth = process.memoryUsage.rss() - before;
  context.diagnostic(
    `${workers.replaced} workers replaced, memory grew by ${Math.round(growth / 1024 / 1024)} MB`,
  );
  assert.ok(growth < growthBytesMax, `memory grew by ${growth} bytes`);
  assert.equal(workers.waiting, 0);
});

test('a library that was broken again and again is replaced every time', async (context) => {
  // An engine whose library traps on every second proof, as a malformed one makes it: the real one, made to trap.
  const engineModule = new URL('./trapping-engine.ts', import.meta.url);
  const workers = new ProofWorkers({ workers: 1, shortJobWorkers: 0, warmUp: false, engineModule });
  context.after(() => workers.close());
  const world = await commitWorld(await makeProofWorld(workers));
  const good = await makeGood(world, 'none');
  const poison = { ...good, nonce: new Uint8Array([0xde, 0xad]) };
  for (let count = 0; count < 5; count++) {
    assert.equal(await workers.verifyProof(poison), false);
    assert.equal(await workers.verifyProof(good), true);
  }
  assert.equal(workers.replaced, 10);
});
