/**
 * What passes between the pool of proof workers and a worker: orders one way, outcomes the other. One at a time, so
 * nothing needs a number.
 */
import { assert } from '@symbolon/core/basics/assert';
import {
  isEngineErrorCode,
  type ProofEngine,
  type ProofEngineError,
} from '@symbolon/core/proofs/proof-engine';
import {
  checkCommitOrder,
  checkDeriveOrder,
  checkPlainDeriveOrder,
  checkProofStatement,
  checkSecretKey,
  checkSignOrder,
  checkStatement,
  isPlainProofOrder,
  isPublicKey,
  isSignature,
} from '@symbolon/sdk/proofs/order-checks';
import { hasProofShape } from '@symbolon/sdk/proofs/statement-facts';

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

/**
 * What a worker is for: jobs with a secret key in them, which go nowhere else; of the others, short ones alone, or all.
 * So nobody's key is where strangers' proofs are, and nobody's short job waits for a long one.
 */
export type WorkerDuty = 'signing' | 'short' | 'any';

/** No caller asks for warming up. */
export type ProofTask = CallerTask | { readonly kind: 'warmUp'; readonly order: WorkerDuty };

export type ProofAnswer = Uint8Array | boolean;

export type ProofOutcome = (
  | { readonly kind: 'ready' }
  /** There is no engine, for this reason: the worker ends. */
  | { readonly kind: 'unable'; readonly reason: string }
  | { readonly kind: 'done'; readonly answer: ProofAnswer }
  | { readonly kind: 'refused'; readonly code: ProofEngineError['code']; readonly message: string }
  /** The engine broke: the worker must go. */
  | { readonly kind: 'broken' }
) & {
  /** The worker is sound, but has grown too large: another must take its place. */
  readonly isLast?: boolean;
};

const reasonCharactersMax = 300;

/** What a worker says whose memory may be in any state. Throws for what is no outcome. */
export function readOutcome(said: unknown): ProofOutcome {
  assert(typeof said === 'object' && said !== null, 'an outcome');
  const { kind, reason, answer, code, message, isLast } = said as Readonly<Record<string, unknown>>;
  const more = { isLast: isLast === true };
  if (kind === 'ready' || kind === 'broken') return { kind };
  if (kind === 'unable') return { kind, reason: String(reason).slice(0, reasonCharactersMax) };
  if (kind === 'done') {
    assert(typeof answer === 'boolean' || answer instanceof Uint8Array, 'an answer');
    return { kind, answer, ...more };
  }
  assert(kind === 'refused' && isEngineErrorCode(code) && typeof message === 'string', 'a refusal');
  return { kind, code, message, ...more };
}

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

/** The same order with something else in the place of all bytes. */
export function replaceBytes(value: unknown, replacement: (bytes: Uint8Array) => unknown): unknown {
  if (value instanceof Uint8Array) return replacement(value);
  if (Array.isArray(value)) return value.map((member) => replaceBytes(member, replacement));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, replaceBytes(member, replacement)]);
  return Object.fromEntries(members);
}

/** Runs a task on an engine, wherever that is. */
export function runTask(engine: CallerProofs, { kind, order }: CallerTask): Promise<ProofAnswer> {
  const methods = engine as unknown as Record<typeof kind, (order: unknown) => Promise<ProofAnswer>>;
  return methods[kind](order);
}

/** Of every kind: what an order must be before it costs a worker's time. */
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
  derivePlain: checkPlainDeriveOrder,
  verifyPlain: isPlainProofOrder,
  makeRangeParameters: () => true,
};

/** False for what is no signature, key or proof. Throws `ProofEngineError` for an order that no engine takes. */
export const isPossible = ({ kind, order }: CallerTask): boolean =>
  (orderChecks[kind] as (order: unknown) => unknown)(order) !== false;

/** Whether a task has somebody's secret key in it. */
export const holdsKey = ({ kind }: CallerTask): boolean => kind === 'sign' || kind === 'publicKeyOf';

/** Whether a task asks for a yes or a no. */
export const isQuestion = ({ kind }: CallerTask): boolean =>
  kind === 'verifyProof' || kind === 'verifyPlain' || kind === 'verifySignature';

/** An engine whose every order is a task for `run`, which answers what the task's kind answers. */
export const engineOver = (run: (task: CallerTask) => Promise<ProofAnswer>): CallerProofs =>
  Object.fromEntries(
    Object.keys(orderChecks).map((kind) => [
      kind,
      async (order: unknown) => run({ kind, order } as CallerTask),
    ]),
  ) as unknown as CallerProofs;
