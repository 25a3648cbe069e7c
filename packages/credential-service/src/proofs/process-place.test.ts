/** What is true of proof processes alone: how they end, what they may take, and what they are told. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import { deriveOrder, makeProofWorld, proofOrder } from '@symbolon/sdk/proofs/testing/proof-world';
import { proofLimits } from '../limits/service-limits.ts';
import { openProcess } from './process-place.ts';
import type { ProofOutcome } from './proof-job.ts';
import { ProofWorkers } from './proof-workers.ts';

const engine = (methods: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`export const createEngine = async () => ({${methods}});`)}`,
  );

const text = (bytes: unknown): string => new TextDecoder().decode(bytes as Uint8Array);
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(10);
}

/** One process, and what it says to one task after the other. */
async function openOne(context: TestContext, engineModule: URL) {
  const said: ProofOutcome[] = [];
  let wake = (): void => {};
  let hasEnded = false;
  const place = openProcess(engineModule, {
    onOutcome(outcome) {
      said.push(outcome);
      wake();
    },
    onEnd() {
      hasEnded = true;
      wake();
    },
  });
  context.after(() => place.end());
  const next = async (): Promise<ProofOutcome | undefined> => {
    while (said.length === 0 && !hasEnded) await new Promise<void>((resolve) => (wake = resolve));
    return said.shift();
  };
  assert.deepEqual(await next(), { kind: 'ready' });
  return {
    end: () => place.end(),
    ask() {
      place.send({ kind: 'makeRangeParameters', order: undefined as never });
      return next();
    },
    async word(): Promise<string> {
      const outcome = await this.ask();
      return outcome?.kind === 'done' ? text(outcome.answer) : '';
    },
  };
}

const telling = (expression: string): URL =>
  engine(`makeRangeParameters: () => new TextEncoder().encode(${expression}),`);

test('an abort ends one process, which is replaced, and no other', async (context) => {
  const real = await createDockEngine();
  const world = await makeProofWorld(real);
  const asked = deriveOrder(world);
  const order = proofOrder(asked, await real.derive(asked));
  const aborting = engine('verifyProof() { process.abort(); }, verifySignature: () => true,');
  const workers = new ProofWorkers({ workers: 2, warmUp: false, open: openProcess, engineModule: aborting });
  context.after(() => workers.close());
  const sound = { ...world.order, signature: world.signature };
  const [aborted, ...answers] = await Promise.allSettled([
    workers.verifyProof(order),
    ...Array.from({ length: 20 }, () => workers.verifySignature(sound)),
  ]);
  assert.equal(aborted.status, 'rejected', 'whoever is gone gives no verdict');
  assert.deepEqual(answers, Array(20).fill({ status: 'fulfilled', value: true }));
  assert.equal(workers.replaced, 2);
});

test('a process knows nothing of the service but its engine and where compiled code is kept', async (context) => {
  process.env.SYMBOLON_SECRET_OF_A_TEST = 'secret';
  context.after(() => delete process.env.SYMBOLON_SECRET_OF_A_TEST);
  const place = await openOne(context, telling(`Object.keys(process.env) + ' ' + process.cwd()`));
  assert.match(await place.word(), /^(NODE_COMPILE_CACHE,?)?(PWD)? \/$/);
});

test('it ends when it is told to, and is not a zombie then', async (context) => {
  const place = await openOne(context, telling('String(process.pid)'));
  const pid = Number(await place.word());
  assert.ok(isAlive(pid));
  await place.end();
  await untilGone(pid);
});

test('signals that everybody gets do not end it before the service', async (context) => {
  const place = await openOne(context, telling('String(process.pid)'));
  const pid = Number(await place.word());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
  assert.equal(await place.word(), String(pid));
});

test('it ends when the service does, whatever the reason', async () => {
  const here = JSON.stringify(new URL('./process-place.ts', import.meta.url).href);
  const program = `
    const { openProcess } = await import(${here});
    const place = openProcess(new URL(${JSON.stringify(telling('String(process.pid)').href)}), {
      onOutcome({ kind, answer }) {
        if (kind === 'ready') place.send({ kind: 'makeRangeParameters' });
        else process.stdout.write(new TextDecoder().decode(answer));
      },
      onEnd() {},
    });`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  await untilGone(Number(text(pid)));
});

test('one that has grown too large answers, and says that this was its last', async (context) => {
  const bytes = proofLimits.processBytesMax;
  const growing = engine(`makeRangeParameters() {
    globalThis.kept = Buffer.alloc(${bytes}, 1);
    return new Uint8Array(1);
  },`);
  const place = await openOne(context, growing);
  assert.deepEqual(await place.ask(), { kind: 'done', answer: new Uint8Array(1), isLast: true });
});

test('the system gives it no more memory than it may have', async (context) => {
  const boundless = engine(`makeRangeParameters() {
    const kept = [];
    try {
      for (;;) kept.push(Buffer.alloc(64 * 1024 * 1024, 1));
    } catch {
      return new TextEncoder().encode(String(kept.length * 64 * 1024 * 1024));
    }
  },`);
  const place = await openOne(context, boundless);
  const outcome = await place.ask();
  // Either it was refused the memory, or it died of asking.
  if (outcome?.kind !== 'done') return;
  assert.ok(Number(text(outcome.answer)) < proofLimits.processDataBytesMax);
});
