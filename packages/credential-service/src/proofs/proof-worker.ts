/** A thread of the pool in `proof-workers.ts`: one engine, one task at a time. It dies with the engine's library. */
import { parentPort } from 'node:worker_threads';
import { assert } from '@symbolon/core/basics/assert';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { credentialLimits } from '@symbolon/core/limits/documents';
import { createGenerators } from '@symbolon/core/proofs/generators';
import { type BbsMessage, type DeriveOrder, ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';
import type { DockEngine } from '@symbolon/sdk/proofs/dock-engine';
import { createProofEngine } from '@symbolon/sdk/proofs/engine-choice';
import { type ProofAnswer, type ProofOutcome, type ProofTask, runTask } from './proof-job.ts';

assert(parentPort !== null, 'runs as a worker');
const port = parentPort;

// The library prints what it panics about, which may be parts of somebody's credential. The pool reports the failure.
console.error = () => {};

const engine = await createProofEngine();

/**
 * Does once what takes longer the first time: WebAssembly is compiled better after some use, parameters of ranges
 * and generators of signatures are made when first needed.
 */
async function warmUp(warmed: DockEngine): Promise<boolean> {
  for (const kind of ['plain', 'typed'] as const) createGenerators(kind, credentialLimits.attributesMax);
  const secretKey = generateSecretKey(encodeUtf8('a key that signs nothing but this once')) as Uint8Array;
  const publicKey = await warmed.publicKeyOf(secretKey);
  const messages: BbsMessage[] = Array.from({ length: 12 }, (_, integer) => ({ integer: BigInt(integer) }));
  const header = new Uint8Array(0);
  const statement = { interface: 'typed', publicKey, header, messages } as const;
  const signature = await warmed.sign({ ...statement, secretKey });
  const order: DeriveOrder = {
    ...statement,
    signature,
    messageCount: messages.length,
    commitment: await warmed.commit({ header, messages }),
    revealed: [],
    ranges: [{ index: 5, min: 0n, max: 40_000n }],
    rangeParameters: { method: 'bulletproofs' },
    context: header,
    nonce: header,
  };
  const parameters = await warmed.makeRangeParameters();
  for (const rangeParameters of [order.rangeParameters, { method: 'set-membership', parameters } as const]) {
    const proof = await warmed.derive({ ...order, rangeParameters });
    if (!(await warmed.verifyProof({ ...order, rangeParameters, proof }))) return false;
  }
  return warmed.verifySignature({ ...statement, signature });
}

async function answerOf(task: ProofTask): Promise<ProofOutcome> {
  try {
    const answer: ProofAnswer = task.kind === 'warmUp' ? await warmUp(engine) : await runTask(engine, task);
    return { kind: 'done', answer };
  } catch (error) {
    if (engine.isBroken) return { kind: 'broken' };
    if (!(error instanceof ProofEngineError)) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  } finally {
    if (task.kind === 'publicKeyOf') task.order.fill(0);
    if (task.kind === 'sign') task.order.secretKey.fill(0);
  }
}

const say = (outcome: ProofOutcome): void => port.postMessage(outcome);

port.on('message', async (task: ProofTask) => say(await answerOf(task)));
say({ kind: 'ready' });
