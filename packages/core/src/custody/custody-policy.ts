/**
 * What a key in custody may sign, as its owner has decided: which operations of the ledger, whether messages, how much
 * and how often a day, until when. Pure: what was signed today is handed in, and what is to be remembered comes out.
 * Whether a password is right is not decided here.
 */

import { operationTypes } from '../ledger/operations/index.ts';
import { int64Max } from '../limits.ts';
import type { Operation, Transaction } from '../proto/ledger_pb.ts';

export type OperationName = keyof typeof operationTypes;
export const operationNames = Object.keys(operationTypes) as readonly OperationName[];

export interface CustodyPolicy {
  readonly operations: readonly OperationName[];
  readonly messages: boolean;
  /** Native amount that leaves the account in a day, fee limits included; no cap, if null. */
  readonly dailyAmountMax: bigint | null;
  /** Signatures of a day, of transactions and messages together. */
  readonly dailyCountMax: number | null;
  /** Nothing is signed from then on; milliseconds since 1970. */
  readonly until: number | null;
}

/** Whoever changes the rights of an account or the code of a contract takes it over: the owner has to allow that. */
const takeovers: readonly OperationName[] = ['setPrivilege', 'upgradeContract'];

export const defaultPolicy: CustodyPolicy = {
  operations: operationNames.filter((name) => !takeovers.includes(name)),
  messages: true,
  dailyAmountMax: null,
  dailyCountMax: null,
  until: null,
};

export const isOperationName = (text: string): text is OperationName => Object.hasOwn(operationTypes, text);

/** What was signed on one day. */
export interface CustodyUse {
  readonly amount: bigint;
  readonly count: number;
}
export const noUse: CustodyUse = { amount: 0n, count: 0 };

const dayMs = 86_400_000;
/** Days are those of UTC. */
export const dayOf = (nowMs: number): number => Math.floor(nowMs / dayMs);

export interface Allowed {
  readonly kind: 'allowed';
  /** What it may cost the account at most. */
  readonly amount: bigint;
}
export type RefusalKind = 'forbidden' | 'capReached';
export interface Refused {
  readonly kind: RefusalKind;
  readonly why: string;
}

const forbidden = (why: string): Refused => ({ kind: 'forbidden', why });

/** Whether a transaction may be signed for this account, today's use apart. */
export function judgeTransaction(
  transaction: Transaction,
  { address, policy, nowMs }: { address: string; policy: CustodyPolicy; nowMs: number },
): Allowed | Refused {
  if (hasEnded(policy, nowMs)) return ended;
  const { sourceAddress, operations, feeLimit } = transaction;
  if (sourceAddress !== address) return forbidden('the transaction is not of this account');
  if (operations.length === 0) return forbidden('the transaction has no operation');
  if (feeLimit < 0n) return forbidden('the fee limit is negative');
  let amount = feeLimit;
  for (const [index, operation] of operations.entries()) {
    const judged = judgeOperation(operation, address, policy);
    if (typeof judged === 'string') return forbidden(`operation ${index}: ${judged}`);
    amount += judged;
  }
  return amount > int64Max
    ? forbidden('the transaction spends more than there can be')
    : { kind: 'allowed', amount };
}

/** Whether data may be signed, today's use apart. */
export function judgeMessage(policy: CustodyPolicy, nowMs: number): Allowed | Refused {
  if (hasEnded(policy, nowMs)) return ended;
  return policy.messages ? { kind: 'allowed', amount: 0n } : forbidden('messages are not signed');
}

/** Today's use after one more signature, or why there is none. */
export function countUse(policy: CustodyPolicy, use: CustodyUse, amount: bigint): CustodyUse | Refused {
  const next = { amount: use.amount + amount, count: use.count + 1 };
  if (policy.dailyCountMax !== null && next.count > policy.dailyCountMax)
    return { kind: 'capReached', why: 'the signatures of today are used up' };
  if (policy.dailyAmountMax !== null && next.amount > policy.dailyAmountMax)
    return { kind: 'capReached', why: 'the amount of today is used up, or this would exceed it' };
  return next;
}

export const isRefused = (verdict: Allowed | CustodyUse | Refused): verdict is Refused => 'why' in verdict;

const hasEnded = ({ until }: CustodyPolicy, nowMs: number): boolean => until !== null && nowMs >= until;
const ended = forbidden('the time of this key is over');

/** What the operation takes out of the account in native coin, or what is wrong with it. */
function judgeOperation(operation: Operation, address: string, policy: CustodyPolicy): bigint | string {
  const name = operationNames.find((known) => operationTypes[known] === operation.type);
  if (!name) return `type ${operation.type} is unknown`;
  // Bodies that the type does not name are looked at by nobody, so nobody should have signed them.
  if (bodiesOf(operation).join() !== name) return `its body is not that of ${name} alone`;
  if (operation.sourceAddress !== '' && operation.sourceAddress !== address)
    return 'it acts for another account';
  if (!policy.operations.includes(name)) return `${name} is not allowed`;
  const amount = operation.payCoin?.amount ?? operation.createAccount?.initBalance ?? 0n;
  return amount < 0n ? 'its amount is negative' : amount;
}

const bodyNames = [...operationNames, 'setSignerWeight', 'setThreshold'] as const;

const bodiesOf = (operation: Operation): readonly string[] =>
  bodyNames.filter((name) => operation[name] !== undefined);
