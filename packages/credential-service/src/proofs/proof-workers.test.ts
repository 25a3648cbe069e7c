import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import { registerProofEngineConformance } from '@symbolon/sdk/proofs/proof-engine.conformance';
import { deriveOrder, makeProofWorld, proofOrder } from '@symbolon/sdk/proofs/testing/proof-world';
import { openProcess } from './process-place.ts';
import { engineNames } from './proof-engines.ts';
import type { OpenPlace } from './proof-place.ts';
import { ProofWorkers, type ProofWorkersOptions } from './proof-workers.ts';
import { openThread } from './thread-place.ts';

/** A module whose engine has these methods alone. */
const engineWith = (methods: string): URL =>
  moduleOf(`import { threadId } from 'node:worker_threads';
    const here = new TextEncoder().encode(process.pid + ' ' + threadId);
    export const createEngine = async () => ({${methods}});`);
const moduleOf = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

const notStarting = moduleOf('throw new Error("no");');

const refusal = (code: ProofEngineError['code']) => (error: unknown) =>
  error instanceof ProofEngineError && error.code === code;

function start(context: TestContext, options: ProofWorkersOptions): ProofWorkers {
  const workers = new ProofWorkers({ workers: 1, shortJobWorkers: 0, warmUp: false, ...options });
  context.after(() => workers.close());
  return workers;
}

/** An order and its proof, made by a real engine. */
const made = createDockEngine().then(async (real) => {
  const world = await makeProofWorld(real);
  const asked = deriveOrder(world);
  return { world, asked, proof: await real.derive(asked) };
});

const dying = engineWith(`
  sign() { process.exit(1); },
  derive() { throw new Error('not caught'); },
  verifyProof() { this.isBroken = true; throw new Error('broken'); },
  publicKeyOf: () => new Uint8Array(96),`);

const stuck = engineWith('sign: () => new Promise(() => {}),');

for (const engine of engineNames)
  registerProofEngineConformance(
    `workers, ${engine}`,
    async () => new ProofWorkers({ engine, workers: 2, shortJobWorkers: 0, warmUp: false }),
  );

const places: Readonly<Record<string, OpenPlace>> = { threads: openThread, processes: openProcess };

for (const [name, open] of Object.entries(places))
  describe(`workers in ${name}`, () => {
    test('one that dies is replaced; what ends two of them fails, what breaks two engines is no proof', async (context) => {
      const { world, asked, proof } = await made;
      const workers = start(context, { open, engineModule: dying });
      await assert.rejects(workers.sign(world.order), refusal('failed'));
      assert.equal(workers.replaced, 2);
      await assert.rejects(workers.derive(asked), refusal('failed'));
      assert.equal(await workers.verifyProof(proofOrder(asked, proof)), false);
      assert.equal(workers.replaced, 6);
      assert.equal((await workers.publicKeyOf(world.order.secretKey)).length, 96);
      assert.equal(workers.waiting, 0);
    });

    test('none starts: everybody is told, nothing is tried forever', async (context) => {
      const { world } = await made;
      const workers = start(context, { open, workers: 2, engineModule: notStarting });
      await assert.rejects(workers.sign(world.order), refusal('failed'));
      await assert.rejects(workers.sign(world.order), refusal('failed'));
      assert.ok(workers.replaced <= 6);
      assert.match(workers.problem ?? '', /^no proof worker starts: ./);
      const silent = moduleOf(
        'export const createEngine = () => new Promise(() => setInterval(() => {}, 1000));',
      );
      const waiting = start(context, { open, engineModule: silent, limits: { startMs: 50 } });
      await assert.rejects(waiting.sign(world.order), refusal('failed'));
    });

    test('a job that takes too long is ended, and the next one has a new worker', async (context) => {
      const { world, asked } = await made;
      const endless = engineWith('derive() { for (;;); }, verifySignature: () => true,');
      const workers = start(context, { open, engineModule: endless, limits: { jobMs: 500 } });
      await assert.rejects(workers.derive(asked), refusal('timedOut'));
      assert.equal(workers.replaced, 1);
      const order = { ...world.order, signature: world.signature };
      while (!(await workers.verifySignature(order).catch(() => false))) await sleep(50);
    });

    test('a secret key goes to the worker that signs, and nothing else does', async (context) => {
      const { world, asked } = await made;
      const named = engineWith(`
        publicKeyOf: () => here,
        sign: () => here,
        commit: () => here,
        derive: () => here,
        makeRangeParameters: () => here,`);
      const workers = start(context, { open, workers: 2, shortJobWorkers: 1, engineModule: named });
      const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
      const signers = new Set<string>();
      const others = new Set<string>();
      for (let round = 0; round < 5; round++) {
        const keyed = [workers.sign(world.order), workers.publicKeyOf(world.order.secretKey)];
        const unkeyed = [workers.commit(world.order), workers.derive(asked), workers.makeRangeParameters()];
        for (const bytes of await Promise.all(keyed)) signers.add(text(bytes));
        for (const bytes of await Promise.all(unkeyed)) others.add(text(bytes));
      }
      assert.equal(signers.size, 1);
      assert.ok(signers.isDisjointFrom(others));
    });
  });

test('what cannot wait is refused at once, and what waited too long later', async (context) => {
  const { world } = await made;
  const full = start(context, { engineModule: stuck, limits: { waitingMax: 2, waitMs: 3_000 } });
  const first = full.sign(world.order);
  const second = full.sign(world.order);
  await assert.rejects(full.sign(world.order), refusal('overloaded'));
  await assert.rejects(second, refusal('overloaded'));
  const ending = assert.rejects(first, refusal('failed'));
  await full.close();
  await ending;
  await assert.rejects(full.sign(world.order), refusal('failed'));
  const heavy = start(context, { engineModule: stuck, limits: { waitingBytesMax: 100 } });
  await assert.rejects(heavy.sign(world.order), refusal('overloaded'));
});

test('long jobs never hold up short ones: a worker is kept for those', async (context) => {
  const { world, asked } = await made;
  const stuckOnProofs = engineWith('derive: () => new Promise(() => {}), verifySignature: () => true,');
  const ranges = [{ index: 3, min: 0n, max: 90_000n }];
  const limits = { waitMs: 5_000 };
  const workers = start(context, { engineModule: stuckOnProofs, shortJobWorkers: 1, limits });
  const long = Array.from({ length: 3 }, () => workers.derive({ ...asked, ranges }));
  const ending = Promise.allSettled(long);
  for (let count = 0; count < 3; count++)
    assert.equal(await workers.verifySignature({ ...world.order, signature: world.signature }), true);
  assert.equal(workers.waiting, 3, 'no long job was given to the worker for short ones');
  await workers.close();
  assert.ok((await ending).every(({ status }) => status === 'rejected'));
});

test('one caller cannot fill the queue for others', async (context) => {
  const { world } = await made;
  const workers = start(context, { engineModule: stuck, limits: { waitingPerCallerMax: 2 } });
  const [greedy, modest] = [workers.inNameOf('greedy'), workers.inNameOf('modest')];
  const jobs = [greedy, greedy, modest, workers].map((each) => each.sign(world.order));
  const ending = Promise.allSettled(jobs);
  await assert.rejects(greedy.sign(world.order), refusal('overloaded'));
  assert.equal(workers.waiting, 4);
  await workers.close();
  assert.ok((await ending).every(({ status }) => status === 'rejected'));
});

test('nonsense costs no worker', async (context) => {
  const { world, asked, proof } = await made;
  const none = start(context, { engineModule: notStarting });
  assert.equal(await none.verifyProof(proofOrder(asked, proof.slice(1))), false);
  assert.equal(await none.verifySignature({ ...world.order, signature: new Uint8Array(80) }), false);
  await assert.rejects(none.publicKeyOf(new Uint8Array(32)), refusal('invalidInput'));
});

test('warm workers answer like cold ones, and a caller keeps its own bytes', async (context) => {
  const workers = start(context, { warmUp: true });
  const world = await makeProofWorld(workers);
  // Views of shared memory, as `Buffer` gives them.
  const secretKey = Buffer.from(world.order.secretKey);
  const signature = await workers.sign({ ...world.order, secretKey });
  assert.deepEqual(new Uint8Array(secretKey), world.order.secretKey);
  assert.equal(await workers.verifySignature({ ...world.order, signature }), true);
});

/** An engine that is slow to warm up: the first thing that is asked of it. */
const slowToWarm = engineWith(`publicKeyOf() {
    const channel = new BroadcastChannel('warm-ups of a test');
    channel.postMessage('begun');
    return new Promise((resolve, reject) => setTimeout(() => {
      channel.postMessage('ended');
      setTimeout(() => reject(new Error('enough')), 50);
    }, 100));
  },`);

test('workers warm up one after the other, and it is said until one has', async (context) => {
  const channel = new BroadcastChannel('warm-ups of a test');
  context.after(() => channel.close());
  const steps: string[] = [];
  const { promise: allWarm, resolve } = Promise.withResolvers<void>();
  channel.onmessage = (event) => {
    steps.push((event as { data: unknown }).data as string);
    if (steps.length === 8) resolve();
  };
  const workers = start(context, { workers: 2, shortJobWorkers: 1, warmUp: true, engineModule: slowToWarm });
  assert.equal(workers.isWarmingUp, true);
  await allWarm;
  assert.deepEqual(steps, Array(4).fill(['begun', 'ended']).flat());
});

test('workers that cannot warm up are not said to for ever', async (context) => {
  const workers = start(context, {
    warmUp: true,
    engineModule: engineWith('publicKeyOf() { process.exit(1); },'),
  });
  while (workers.replaced < 2) await sleep(10);
  await sleep(100);
  assert.equal(workers.isWarmingUp, false);
  assert.equal(start(context, {}).isWarmingUp, false, 'where nobody asked for it');
});

test('a real worker warms up, and then it is said', async (context) => {
  const workers = start(context, { warmUp: true });
  assert.equal(workers.isWarmingUp, true);
  while (workers.isWarmingUp) await sleep(20);
  assert.equal(workers.replaced, 0);
});
