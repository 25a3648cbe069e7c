/**
 * What passes between the pool of proof threads and a thread: orders one way, outcomes the other. One at a time, so
 * nothing needs a number.
 */
import type {
  CommitOrder,
  DeriveOrder,
  ProofEngine,
  ProofEngineError,
  ProofOrder,
  SignatureOrder,
  SignOrder,
} from '@symbolon/core/proofs/proof-engine';

export type ProofTask =
  | { readonly kind: 'publicKeyOf'; readonly order: { readonly secretKey: Uint8Array } }
  | { readonly kind: 'sign'; readonly order: SignOrder }
  | { readonly kind: 'verifySignature'; readonly order: SignatureOrder }
  | { readonly kind: 'commit'; readonly order: CommitOrder }
  | { readonly kind: 'derive'; readonly order: DeriveOrder }
  | { readonly kind: 'verifyProof'; readonly order: ProofOrder }
  | { readonly kind: 'makeRangeParameters'; readonly order: object }
  | { readonly kind: 'warmUp'; readonly order: object };

export type ProofAnswer = Uint8Array | boolean;

export type ProofOutcome =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly answer: ProofAnswer }
  | { readonly kind: 'refused'; readonly code: ProofEngineError['code']; readonly message: string }
  /** The library inside trapped: the thread must go. */
  | { readonly kind: 'broken' };

const rangesOf = ({ kind, order }: ProofTask): number =>
  kind === 'derive' || kind === 'verifyProof' ? order.ranges.length : 0;

export const timeLimitMs = (task: ProofTask, limits: { jobMs: number; rangeMs: number }): number =>
  limits.jobMs + rangesOf(task) * limits.rangeMs;

/** The bytes of an order, roughly: what waits must not fill the memory. */
export function orderBytes(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, member) => sum + orderBytes(member), 16);
}

/**
 * A copy whose bytes lie in memory of their own, and that memory. A view posted as it is takes along everything
 * it is a view of, other people's secrets perhaps; memory that is handed over leaves no copy behind.
 */
export function copyForThread<Value>(value: Value, memory: ArrayBuffer[]): Value {
  if (value instanceof Uint8Array) {
    const copy = new Uint8Array(value);
    memory.push(copy.buffer);
    return copy as Value;
  }
  if (Array.isArray(value)) return value.map((member) => copyForThread(member, memory)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, copyForThread(member, memory)]);
  return Object.fromEntries(members) as Value;
}

/** Runs a task on an engine, in whichever thread. */
export function runTask(
  engine: ProofEngine,
  task: Exclude<ProofTask, { kind: 'warmUp' }>,
): Promise<ProofAnswer> {
  switch (task.kind) {
    case 'publicKeyOf':
      return engine.publicKeyOf(task.order.secretKey);
    case 'sign':
      return engine.sign(task.order);
    case 'verifySignature':
      return engine.verifySignature(task.order);
    case 'commit':
      return engine.commit(task.order);
    case 'derive':
      return engine.derive(task.order);
    case 'verifyProof':
      return engine.verifyProof(task.order);
    case 'makeRangeParameters':
      return engine.makeRangeParameters();
  }
}
