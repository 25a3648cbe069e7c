import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import fc from 'fast-check';
import { signatureLimits } from '../limits/node-limits.ts';
import { publicKeyOf, signEd25519, verifyLedgerSignature } from './ed25519.ts';
import { packBatch, type SignedMessage, verifyBatch } from './signature-batch.ts';
import {
  SignaturePool,
  SignaturePoolClosed,
  type SignaturePoolOptions,
  SignatureWorkerFailed,
} from './signature-pool.ts';

const seeds = Array.from({ length: 8 }, (_, index) => new Uint8Array(32).fill(index + 1));
const publicKeys = seeds.map(publicKeyOf);

/** Every third signature is wrong, in turn in its message, its key or itself. */
function signed(index: number): SignedMessage & { valid: boolean } {
  const message = Uint8Array.from(Buffer.from(`message ${index}`.repeat((index % 40) + 1)));
  const signature = signEd25519(seeds[index % 8], message);
  const publicKey = publicKeys[index % 8];
  if (index % 3 !== 0) return { publicKey, signature, message, valid: true };
  if (index % 9 === 0) message[0] ^= 1;
  else if (index % 9 === 3) signature[40] ^= 1;
  else return { publicKey: publicKeys[(index + 1) % 8], signature, message, valid: false };
  return { publicKey, signature, message, valid: false };
}

const batchOf = (count: number) => Array.from({ length: count }, (_, index) => signed(index));

function poolFor(context: TestContext, options: SignaturePoolOptions): SignaturePool {
  const pool = new SignaturePool(options);
  context.after(() => pool.close());
  return pool;
}

const verdictsOf = (pool: SignaturePool, items: readonly SignedMessage[]) =>
  Promise.all(items.map(({ publicKey, signature, message }) => pool.verify(publicKey, signature, message)));

for (const workers of [0, 1, 2]) {
  test(`a pool of ${workers} threads gives each signature its own verdict`, async (context) => {
    const pool = poolFor(context, { workers });
    const items = batchOf(700);
    assert.deepEqual(
      await verdictsOf(pool, items),
      items.map(({ valid }) => valid),
    );
    const [one] = await verdictsOf(pool, items.slice(1, 2));
    assert.equal(one, true);
    assert.equal(await pool.verify(new Uint8Array(31), new Uint8Array(64), new Uint8Array(0)), false);
    assert.equal(await pool.verify(new Uint8Array(32), new Uint8Array(65), new Uint8Array(0)), false);
    assert.equal(pool.waiting, 0);
  });
}

test('a batch comes out of its packing as it went in', () => {
  const item = fc.record({
    publicKey: fc.constantFrom(...publicKeys),
    signature: fc.uint8Array({ minLength: 64, maxLength: 64 }),
    message: fc.uint8Array({ maxLength: 300 }),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), fc.nat({ max: 50 }), (noise, index) => {
      const items: SignedMessage[] = [...noise, signed(index), ...noise];
      const expected = items.map((it) =>
        Number(verifyLedgerSignature(it.publicKey, it.signature, it.message)),
      );
      assert.deepEqual([...verifyBatch(packBatch(items))], expected);
    }),
    { numRuns: 20 },
  );
  assert.throws(() => packBatch([{ ...signed(1), signature: new Uint8Array(63) }]), BrokenInvariant);
});

test('a pool that has enough waiting takes no more until some are done', async (context) => {
  const pool = poolFor(context, { workers: 1, waitingMax: 10 });
  const items = batchOf(12);
  const verdicts = await verdictsOf(pool, items);
  assert.deepEqual(
    verdicts.slice(0, 10),
    items.slice(0, 10).map(({ valid }) => valid),
  );
  assert.deepEqual(verdicts.slice(10), [undefined, undefined]);
  assert.deepEqual(
    await verdictsOf(pool, items.slice(0, 10)),
    items.slice(0, 10).map(({ valid }) => valid),
  );
});

test('a pool bounds the bytes that wait, not only their number', async (context) => {
  const pool = poolFor(context, { workers: 1 });
  const { publicKey, signature } = signed(1);
  const message = new Uint8Array(32 * 1024 * 1024);
  const fitting = signatureLimits.waitingBytesMax / message.length;
  const taken = Array.from({ length: fitting }, () => pool.verify(publicKey, signature, message));
  const refused = pool.verify(publicKey, signature, message);
  assert.equal(await refused, undefined);
  const settled = Promise.allSettled(taken);
  await pool.close();
  assert.deepEqual(new Set((await settled).map(({ status }) => status)), new Set(['rejected']));
});

test('a thread that has work is sent no small batches', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-pool-'));
  context.after(() => rm(folder, { recursive: true }));
  // Takes its time, and calls the signatures of its first two batches valid.
  const script = join(folder, 'slow-worker.mjs');
  await writeFile(
    script,
    `import { parentPort } from 'node:worker_threads';
    let batches = 0;
    parentPort.on('message', (batch) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      batches += 1;
      parentPort.postMessage(new Uint8Array(new DataView(batch).getUint32(0)).fill(batches <= 2 ? 1 : 0));
    });`,
  );
  const pool = poolFor(context, { workers: 1, workerScript: pathToFileURL(script) });
  const verdicts: Promise<boolean | undefined>[] = [];
  for (const { publicKey, signature, message } of batchOf(signatureLimits.batchItemsMin)) {
    verdicts.push(pool.verify(publicKey, signature, message));
    await nextTurn();
  }
  assert.deepEqual(new Set(await Promise.all(verdicts)), new Set([true]));
});

/** A worker script that dies on its first batch, as long as `lives` (JavaScript, run in the worker) is false. */
async function dyingWorker(context: TestContext, lives: (folder: string) => string): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-pool-'));
  context.after(() => rm(folder, { recursive: true }));
  const script = join(folder, 'dying-worker.mjs');
  const real = new URL('./verify-worker.ts', import.meta.url);
  await writeFile(
    script,
    `import { existsSync, writeFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    if (${lives(folder)}) await import(${JSON.stringify(real)});
    else parentPort.on('message', () => {
      writeFileSync(${JSON.stringify(join(folder, 'died'))}, '');
      process.exit(1);
    });`,
  );
  return pathToFileURL(script);
}

test('a thread that dies is replaced and its batch tried again', async (context) => {
  const workerScript = await dyingWorker(
    context,
    (folder) => `existsSync(${JSON.stringify(join(folder, 'died'))})`,
  );
  const pool = poolFor(context, { workers: 1, workerScript });
  const items = batchOf(200);
  assert.deepEqual(
    await verdictsOf(pool, items),
    items.map(({ valid }) => valid),
  );
  assert.equal(pool.waiting, 0);
});

test('a batch on which threads die twice is given up, and the pool lives', async (context) => {
  const pool = poolFor(context, { workers: 2, workerScript: await dyingWorker(context, () => 'false') });
  for (let round = 0; round < 2; round++) {
    const results = await Promise.allSettled(
      batchOf(3).map(({ publicKey, signature, message }) => pool.verify(publicKey, signature, message)),
    );
    for (const result of results) {
      assert.ok(result.status === 'rejected' && result.reason instanceof SignatureWorkerFailed);
    }
    assert.equal(pool.waiting, 0);
  }
});

test('a worker script that is not there fails the signatures, not the process', async (context) => {
  const pool = poolFor(context, {
    workers: 1,
    workerScript: new URL('./no-such-worker.ts', import.meta.url),
  });
  const { publicKey, signature, message } = signed(1);
  await assert.rejects(pool.verify(publicKey, signature, message), SignatureWorkerFailed);
});

test('closing tells those who wait, and ends what is asked later', async () => {
  const pool = new SignaturePool({ workers: 1 });
  const items = batchOf(300);
  const outcomes = Promise.allSettled(
    items.map(({ publicKey, signature, message }) => pool.verify(publicKey, signature, message)),
  );
  await pool.close();
  for (const result of await outcomes) {
    assert.ok(result.status === 'rejected' && result.reason instanceof SignaturePoolClosed);
  }
  await assert.rejects(pool.verify(randomBytes(32), randomBytes(64), new Uint8Array(0)), SignaturePoolClosed);
  await pool.close();
});

test('threads end by themselves, also those that have only begun', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-pool-'));
  context.after(() => rm(folder, { recursive: true }));
  const script = join(folder, 'noting-worker.mjs');
  const real = new URL('./verify-worker.ts', import.meta.url);
  // One that is ended from outside comes to no end of its own.
  await writeFile(
    script,
    `import { writeFileSync } from 'node:fs';
    import { threadId } from 'node:worker_threads';
    process.on('exit', () => writeFileSync(${JSON.stringify(folder)} + '/ended-' + threadId, ''));
    await import(${JSON.stringify(real)});`,
  );
  const pool = new SignaturePool({ workers: 2, workerScript: pathToFileURL(script) });
  await pool.close();
  const ended = (await readdir(folder)).filter((name) => name.startsWith('ended-'));
  assert.equal(ended.length, 2);
});

test('a senseless number of threads is a bug', () => {
  for (const workers of [-1, 1.5, Number.NaN, signatureLimits.workersMax + 1]) {
    assert.throws(() => new SignaturePool({ workers }), BrokenInvariant);
  }
});
