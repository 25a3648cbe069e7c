/**
 * What a proof worker does, in a thread or in a process: one engine, one task at a time. It dies with its engine.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { credentialLimits } from '@symbolon/core/limits/documents';
import { createGenerators } from '@symbolon/core/proofs/generators';
import {
  type BbsMessage,
  type DeriveOrder,
  type ProofEngine,
  ProofEngineError,
} from '@symbolon/core/proofs/proof-engine';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';
import {
  type ProofAnswer,
  type ProofOutcome,
  type ProofTask,
  runTask,
  type WorkerDuty,
} from './proof-job.ts';

/** An engine that knows whether anything more can be asked of it. */
export interface WorkerEngine extends ProofEngine {
  readonly isBroken: boolean;
}

/** What the module of an engine exports. */
export interface EngineModule {
  createEngine(): Promise<WorkerEngine>;
}

/** Does once what takes longer the first time, as far as the worker's duty will need it. */
async function warmUp(warmed: ProofEngine, duty: WorkerDuty): Promise<boolean> {
  for (const kind of ['plain', 'typed'] as const) createGenerators(kind, credentialLimits.attributesMax);
  const secretKey = generateSecretKey(encodeUtf8('a key that signs nothing but this once')) as Uint8Array;
  const publicKey = await warmed.publicKeyOf(secretKey);
  const messages: BbsMessage[] = Array.from({ length: 12 }, (_, integer) => ({ integer: BigInt(integer) }));
  const header = new Uint8Array(0);
  const statement = { interface: 'typed', publicKey, header, messages } as const;
  const signature = await warmed.sign({ ...statement, secretKey });
  if (duty === 'signing') return true;
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

function wipeSecrets(task: ProofTask): void {
  if (task.kind === 'publicKeyOf') task.order.fill(0);
  if (task.kind === 'sign') task.order.secretKey.fill(0);
}

/** What answers tasks, or why nothing does. */
type Answerer = { readonly answer: (task: ProofTask) => Promise<ProofOutcome> } | { readonly unable: string };

/** Makes the engine of a module, and answers what answers tasks with it. Secret keys are wiped with the answer. */
export async function answererWith(engineModule: string): Promise<Answerer> {
  // Engines print what they panic about, which may be parts of somebody's credential. The pool reports the failure.
  console.error = () => {};
  let engine: WorkerEngine;
  try {
    const { createEngine } = (await import(engineModule)) as EngineModule;
    engine = await createEngine();
  } catch (error) {
    return { unable: error instanceof Error ? error.message : String(error) };
  }
  const answer = async (task: ProofTask): Promise<ProofOutcome> => {
    try {
      const isWarmUp = task.kind === 'warmUp';
      const answer: ProofAnswer = await (isWarmUp ? warmUp(engine, task.order) : runTask(engine, task));
      return { kind: 'done', answer };
    } catch (error) {
      if (engine.isBroken) return { kind: 'broken' };
      if (!(error instanceof ProofEngineError)) throw error;
      return { kind: 'refused', code: error.code, message: error.message };
    } finally {
      wipeSecrets(task);
    }
  };
  return { answer };
}
