import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { registerProofEngineConformance } from '@symbolon/sdk/proofs/proof-engine.conformance';
import { deriveOrder, makeProofWorld, proofOrder } from '@symbolon/sdk/proofs/testing/proof-world';
import { copyForThread } from './proof-job.ts';
import { ProofWorkers, type ProofWorkersOptions } from './proof-workers.ts';

registerProofEngineConformance(
  'ProofWorkers',
  async () => new ProofWorkers({ workers: 2, shortJobWorkers: 0, warmUp: false }),
);

function start(context: TestContext, options: ProofWorkersOptions): ProofWorkers {
  const workers = new ProofWorkers({ workers: 1, shortJobWorkers: 0, warmUp: false, ...options });
  context.after(() => workers.close());
  return workers;
}

const refusal = (code: ProofEngineError['code']) => (error: unknown) =>
  error instanceof ProofEngineError && error.code === code;

const script = (body: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${body}`)}`,
  );

const dying = script(`
  parentPort.on('message', ({ kind }) => {
    if (kind === 'sign') process.exit(1);
    if (kind === 'derive') throw new Error('not caught');
    if (kind === 'verifyProof') parentPort.postMessage({ kind: 'broken' });
    if (kind === 'publicKeyOf') parentPort.postMessage({ kind: 'done', answer: new Uint8Array(96) });
  });
  parentPort.postMessage({ kind: 'ready' });`);

/** An order and its proof, made by real threads. */
async function realWorld(context: TestContext) {
  const real = start(context, {});
  const world = await makeProofWorld(real);
  const asked = deriveOrder(world);
  return { real, world, asked, proof: await real.derive(asked) };
}

test('a thread that dies is replaced; what kills two of them fails, or is no proof', async (context) => {
  const { world, asked, proof } = await realWorld(context);
  const workers = start(context, { workerScript: dying });
  await assert.rejects(workers.sign(world.order), refusal('failed'));
  assert.equal(workers.replaced, 2);
  await assert.rejects(workers.derive(asked), refusal('failed'));
  assert.equal(await workers.verifyProof(proofOrder(asked, proof)), false);
  assert.equal(workers.replaced, 6);
  assert.equal((await workers.publicKeyOf(world.order.secretKey)).length, 96);
  assert.equal(workers.waiting, 0);
});

test('no thread starts: everybody is told, nothing is tried forever', async (context) => {
  const { world } = await realWorld(context);
  const workers = start(context, { workers: 2, workerScript: script('throw new Error("no");') });
  await assert.rejects(workers.sign(world.order), refusal('failed'));
  await assert.rejects(workers.sign(world.order), refusal('failed'));
  assert.ok(workers.replaced <= 6);
  const silent = start(context, {
    workerScript: script('setInterval(() => {}, 1000);'),
    limits: { startMs: 50 },
  });
  await assert.rejects(silent.sign(world.order), refusal('failed'));
});

test('a job that takes too long is ended, and the next one has a new thread', async (context) => {
  const { world, asked } = await realWorld(context);
  const endless = script(`
    parentPort.on('message', ({ kind }) => {
      while (kind === 'derive') {}
      parentPort.postMessage({ kind: 'done', answer: true });
    });
    parentPort.postMessage({ kind: 'ready' });`);
  const workers = start(context, { workerScript: endless, limits: { jobMs: 200 } });
  await assert.rejects(workers.derive(asked), refusal('timedOut'));
  assert.equal(workers.replaced, 1);
  assert.equal(await workers.verifySignature({ ...world.order, signature: world.signature }), true);
});

test('what cannot wait is refused at once, and what waited too long later', async (context) => {
  const { world } = await realWorld(context);
  const stuck = script(`parentPort.on('message', () => {}); parentPort.postMessage({ kind: 'ready' });`);
  const full = start(context, { workerScript: stuck, limits: { waitingMax: 2, waitMs: 3_000 } });
  const first = full.sign(world.order);
  const second = full.sign(world.order);
  await assert.rejects(full.sign(world.order), refusal('overloaded'));
  await assert.rejects(second, refusal('overloaded'));
  const ending = assert.rejects(first, refusal('failed'));
  await full.close();
  await ending;
  await assert.rejects(full.sign(world.order), refusal('failed'));
  const heavy = start(context, { workerScript: stuck, limits: { waitingBytesMax: 100 } });
  await assert.rejects(heavy.sign(world.order), refusal('overloaded'));
});

const stuckOnRanges = script(`
  parentPort.on('message', ({ kind, order }) => {
    if (kind !== 'derive' || order.ranges.length === 0) parentPort.postMessage({ kind: 'done', answer: true });
  });
  parentPort.postMessage({ kind: 'ready' });`);

test('long jobs never hold up short ones: a thread is kept for those', async (context) => {
  const { world, asked } = await realWorld(context);
  const ranges = [{ index: 3, min: 0n, max: 90_000n }];
  const limits = { waitMs: 5_000 };
  const workers = start(context, { workerScript: stuckOnRanges, shortJobWorkers: 1, limits });
  const long = Array.from({ length: 3 }, () => workers.derive({ ...asked, ranges }));
  const ending = Promise.allSettled(long);
  for (let count = 0; count < 3; count++)
    assert.equal(await workers.verifySignature({ ...world.order, signature: world.signature }), true);
  assert.equal(workers.waiting, 3, 'no long job was given to the thread for short ones');
  await workers.close();
  assert.ok((await ending).every(({ status }) => status === 'rejected'));
});

test('one caller cannot fill the queue for others', async (context) => {
  const { world } = await realWorld(context);
  const stuck = script(`parentPort.on('message', () => {}); parentPort.postMessage({ kind: 'ready' });`);
  const workers = start(context, { workerScript: stuck, limits: { waitingPerCallerMax: 2 } });
  const [greedy, modest] = [workers.inNameOf('greedy'), workers.inNameOf('modest')];
  const jobs = [greedy, greedy, modest, workers].map((engine) => engine.sign(world.order));
  const ending = Promise.allSettled(jobs);
  await assert.rejects(greedy.sign(world.order), refusal('overloaded'));
  assert.equal(workers.waiting, 4);
  await workers.close();
  assert.ok((await ending).every(({ status }) => status === 'rejected'));
});

test('nonsense costs no thread', async (context) => {
  const { world, asked, proof } = await realWorld(context);
  const none = start(context, { workerScript: script('throw new Error("no");') });
  assert.equal(await none.verifyProof(proofOrder(asked, proof.slice(1))), false);
  assert.equal(await none.verifySignature({ ...world.order, signature: new Uint8Array(80) }), false);
  await assert.rejects(none.publicKeyOf(new Uint8Array(32)), refusal('invalidInput'));
});

test('warm threads answer like cold ones, and a caller keeps its own bytes', async (context) => {
  const workers = start(context, { warmUp: true });
  const world = await makeProofWorld(workers);
  // Views of shared memory, as `Buffer` gives them.
  const secretKey = Buffer.from(world.order.secretKey);
  const signature = await workers.sign({ ...world.order, secretKey });
  assert.deepEqual(new Uint8Array(secretKey), world.order.secretKey);
  assert.equal(await workers.verifySignature({ ...world.order, signature }), true);
});

test('only the bytes of an order go to a thread', () => {
  const shared = new Uint8Array(1000).fill(7);
  const memory: ArrayBuffer[] = [];
  const order = {
    key: shared.subarray(10, 20),
    list: [{ bytes: shared.subarray(0, 1) }, { integer: 5n }],
    text: 'x',
  };
  const copy = copyForThread(order, memory);
  assert.deepEqual(copy, order);
  assert.deepEqual(
    memory.map(({ byteLength }) => byteLength),
    [10, 1],
  );
  assert.notEqual(copy.key.buffer, shared.buffer);
});

test('threads warm up one after the other, and it is said until one has', async (context) => {
  const channel = new BroadcastChannel('warm-ups of a test');
  context.after(() => channel.close());
  const steps: string[] = [];
  const { promise: allWarm, resolve } = Promise.withResolvers<void>();
  channel.onmessage = (event) => {
    steps.push((event as { data: unknown }).data as string);
    if (steps.length === 6) resolve();
  };
  const workers = start(context, {
    workers: 2,
    shortJobWorkers: 1,
    warmUp: true,
    workerScript: script(`
      const channel = new BroadcastChannel('warm-ups of a test');
      parentPort.on('message', () => {
        channel.postMessage('begun');
        setTimeout(() => {
          channel.postMessage('ended');
          setTimeout(() => parentPort.postMessage({ kind: 'done', answer: true }), 50);
        }, 100);
      });
      parentPort.postMessage({ kind: 'ready' });`),
  });
  assert.equal(workers.isWarmingUp, true);
  await allWarm;
  assert.deepEqual(steps, ['begun', 'ended', 'begun', 'ended', 'begun', 'ended']);
  assert.equal(workers.isWarmingUp, false);
});

test('threads that cannot warm up are not said to for ever', async (context) => {
  const workers = start(context, {
    warmUp: true,
    workerScript: script(`
    parentPort.on('message', () => process.exit(1));
    parentPort.postMessage({ kind: 'ready' });`),
  });
  while (workers.replaced === 0) await sleep(10);
  await sleep(100);
  assert.equal(workers.isWarmingUp, false);
  assert.equal(start(context, {}).isWarmingUp, false, 'where nobody asked for it');
});
