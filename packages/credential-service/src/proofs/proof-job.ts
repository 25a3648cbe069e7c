/**
 * What passes between the pool of proof threads and a thread: orders one way, outcomes the other. One at a time, so
 * nothing needs a number.
 */
import type { ProofEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { hasProofShape } from '@symbolon/sdk/proofs/composite-proofs';
import {
  checkCommitOrder,
  checkDeriveOrder,
  checkProofStatement,
  checkSecretKey,
  checkSignOrder,
  checkStatement,
  isPublicKey,
  isSignature,
} from '@symbolon/sdk/proofs/order-checks';

/** What does proofs for one caller. */
export type CallerProofs = Omit<ProofEngine, 'close'>;

type OrderOf<Kind extends keyof CallerProofs> = Parameters<CallerProofs[Kind]>[0];

/** An order of a proof engine, by the name of what is to be done. */
export type CallerTask = {
  readonly [Kind in keyof CallerProofs]: {
    readonly kind: Kind;
    readonly order: OrderOf<Kind>;
  };
}[keyof CallerProofs];

/** No caller asks for warming up. */
export type ProofTask = CallerTask | { readonly kind: 'warmUp'; readonly order?: undefined };

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
export function runTask(engine: CallerProofs, { kind, order }: CallerTask): Promise<ProofAnswer> {
  const methods = engine as unknown as Record<typeof kind, (order: unknown) => Promise<ProofAnswer>>;
  return methods[kind](order);
}

/** Of every kind: what an order must be before it costs a thread's time. */
const orderChecks: { readonly [Kind in keyof CallerProofs]: (order: OrderOf<Kind>) => unknown } = {
  publicKeyOf: checkSecretKey,
  sign: checkSignOrder,
  verifySignature(order) {
    checkStatement(order, order.messages);
    return isPublicKey(order.publicKey) && isSignature(order.signature);
  },
  commit: checkCommitOrder,
  derive: checkDeriveOrder,
  verifyProof(order) {
    checkProofStatement(order);
    return isPublicKey(order.publicKey) && hasProofShape(order);
  },
  makeRangeParameters: () => true,
};

/** False for what is no signature, key or proof. Throws `ProofEngineError` for an order that no engine takes. */
export const isPossible = ({ kind, order }: CallerTask): boolean =>
  (orderChecks[kind] as (order: unknown) => unknown)(order) !== false;

/** Whether a task asks for a yes or a no. */
export const isQuestion = ({ kind }: CallerTask): boolean =>
  kind === 'verifyProof' || kind === 'verifySignature';

/** An engine whose every order is a task for `run`, which answers what the task's kind answers. */
export const engineOver = (run: (task: CallerTask) => Promise<ProofAnswer>): CallerProofs =>
  Object.fromEntries(
    Object.keys(orderChecks).map((kind) => [
      kind,
      async (order: unknown) => run({ kind, order } as CallerTask),
    ]),
  ) as unknown as CallerProofs;
