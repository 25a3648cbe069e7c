/**
 * What a key in custody may sign, as its owner has decided: which operations of the ledger, whether messages, how much
 * of what and how often a day, until when. Pure: what was signed today is handed in, and what is to be remembered comes
 * out. Whether a password is right, and who may change a policy (`policy-change.ts`), is not decided here.
 */

import { didLogKey } from '../did/did-log.ts';
import { bodiesOf } from '../ledger/operations/index.ts';
import { type OperationName, operationNames, operationTypes } from '../ledger/terms/operation-types.ts';
import { int64Max } from '../limits/consensus.ts';
import { readTransfer } from '../payments/token-transfer.ts';
import type { Operation, Transaction } from '../proto/ledger_pb.ts';

export interface CustodyPolicy {
  readonly operations: readonly OperationName[];
  readonly messages: boolean;
  /** Native amount that leaves the account in a day, fee limits included; no cap, if null. */
  readonly dailyAmountMax: bigint | null;
  /**
   * What leaves of other assets in a day, by name: `code:issuer`, or the address of a token's contract. Of what is not
   * named nothing leaves an account that has any cap on amounts; null names nothing.
   */
  readonly dailyAssetMax: Readonly<Record<string, bigint>> | null;
  /** Signatures of a day, of transactions and messages together. */
  readonly dailyCountMax: number | null;
  /** Nothing is signed from then on; milliseconds since 1970. */
  readonly until: number | null;
}

/**
 * Whoever changes the rights of an account or the code of a contract takes it over: the owner has to allow that, and
 * each one is approved besides the password.
 */
const takeovers: readonly OperationName[] = ['setPrivilege', 'upgradeContract'];

export const defaultPolicy: CustodyPolicy = {
  operations: operationNames.filter((name) => !takeovers.includes(name)),
  messages: true,
  dailyAmountMax: null,
  dailyAssetMax: null,
  dailyCountMax: null,
  until: null,
};

/** The most that may leave of an asset in a day; no cap, if null. */
export function assetCap({ dailyAmountMax, dailyAssetMax }: CustodyPolicy, asset: string): bigint | null {
  if (dailyAssetMax && Object.hasOwn(dailyAssetMax, asset)) return dailyAssetMax[asset] as bigint;
  return dailyAmountMax === null && dailyAssetMax === null ? null : 0n;
}

/** Stands for an asset without a cap of its own. */
const anyAsset = '';
const hasCaps = (policy: CustodyPolicy): boolean => assetCap(policy, anyAsset) !== null;

export const isOperationName = (text: string): text is OperationName => Object.hasOwn(operationTypes, text);

/** What was signed on one day. */
export interface CustodyUse {
  readonly amount: bigint;
  readonly count: number;
  /** Of assets that have a cap, by name. */
  readonly assets: Readonly<Record<string, bigint>>;
}
export const noUse: CustodyUse = { amount: 0n, count: 0, assets: {} };

/** What leaves an account: native coin, and other assets by name. */
export interface Spending {
  readonly amount: bigint;
  readonly assets: ReadonlyMap<string, bigint>;
}

/** With what it may cost the account at most. */
export interface Allowed extends Spending {
  readonly kind: 'allowed';
}
export interface Refused {
  readonly kind: 'forbidden' | 'capReached';
  readonly why: string;
}

const forbidden = (why: string): Refused => ({ kind: 'forbidden', why });

export interface TransactionFacts {
  readonly address: string;
  readonly policy: CustodyPolicy;
  readonly nowMs: number;
  /** Whether somebody else than who knows the password stands up for it. */
  readonly isApproved: boolean;
}

/** Whether a transaction may be signed for this account, today's use apart. */
export function judgeTransaction(transaction: Transaction, facts: TransactionFacts): Allowed | Refused {
  const { address, policy, nowMs } = facts;
  if (hasEnded(policy, nowMs)) return ended;
  const { sourceAddress, operations, feeLimit } = transaction;
  if (sourceAddress !== address) return forbidden('the transaction is not of this account');
  if (operations.length === 0) return forbidden('the transaction has no operation');
  if (feeLimit < 0n) return forbidden('the fee limit is negative');
  let amount = feeLimit;
  const assets = new Map<string, bigint>();
  for (const [index, operation] of operations.entries()) {
    const judged = judgeOperation(operation, facts);
    if (typeof judged === 'string') return forbidden(`operation ${index}: ${judged}`);
    amount += judged.amount;
    for (const [asset, moved] of judged.assets) assets.set(asset, (assets.get(asset) ?? 0n) + moved);
  }
  return amount > int64Max
    ? forbidden('the transaction spends more than there can be')
    : { kind: 'allowed', amount, assets };
}

/** Whether data may be signed, today's use apart. */
export function judgeMessage(policy: CustodyPolicy, nowMs: number): Allowed | Refused {
  if (hasEnded(policy, nowMs)) return ended;
  return policy.messages
    ? { kind: 'allowed', amount: 0n, assets: new Map() }
    : forbidden('messages are not signed');
}

/** Today's use after one more signature, or why there is none. */
export function countUse(policy: CustodyPolicy, use: CustodyUse, spent: Spending): CustodyUse | Refused {
  const next = { amount: use.amount + spent.amount, count: use.count + 1 };
  if (policy.dailyCountMax !== null && next.count > policy.dailyCountMax)
    return { kind: 'capReached', why: 'the signatures of today are used up' };
  if (policy.dailyAmountMax !== null && next.amount > policy.dailyAmountMax)
    return { kind: 'capReached', why: 'the amount of today is used up, or this would exceed it' };
  const assets = { ...use.assets };
  for (const [asset, moved] of spent.assets) {
    const cap = assetCap(policy, asset);
    if (cap === null) continue;
    if (!Object.hasOwn(policy.dailyAssetMax ?? {}, asset))
      return forbidden(`${asset} has no cap of its own, and without one nothing of it leaves this account`);
    const total = (assets[asset] ?? 0n) + moved;
    if (total > cap)
      return {
        kind: 'capReached',
        why: `what may leave of ${asset} today is used up, or this would exceed it`,
      };
    assets[asset] = total;
  }
  return { ...next, assets };
}

export const isRefused = (verdict: Allowed | CustodyUse | Refused): verdict is Refused => 'why' in verdict;

const hasEnded = ({ until }: CustodyPolicy, nowMs: number): boolean => until !== null && nowMs >= until;
const ended = forbidden('the time of this key is over');

/** What the operation takes out of the account, or what is wrong with it. */
function judgeOperation(
  operation: Operation,
  { address, policy, isApproved }: TransactionFacts,
): Spending | string {
  const name = operationNames.find((known) => operationTypes[known] === operation.type);
  if (!name) return `type ${operation.type} is unknown`;
  // The ledger reads only the body that the type names: what stands in another one should not be signed.
  if (bodiesOf(operation).join() !== name) return `its body is not that of ${name} alone`;
  if (operation.sourceAddress !== '' && operation.sourceAddress !== address)
    return 'it acts for another account';
  if (!policy.operations.includes(name)) return `${name} is not allowed`;
  const takeover = takeoverBy(operation, name);
  if (takeover !== undefined && !isApproved) return `${takeover} needs an approval besides the password`;
  const amount = operation.payCoin?.amount ?? operation.createAccount?.initBalance ?? 0n;
  if (amount < 0n) return 'its amount is negative';
  const assets = movedAssets(operation, policy);
  return typeof assets === 'string' ? assets : { amount, assets };
}

/** What of an operation takes the account over. Whoever publishes keys for an identifier speaks in its name. */
function takeoverBy({ setMetadata }: Operation, name: OperationName): string | undefined {
  if (takeovers.includes(name)) return name;
  return setMetadata?.key === didLogKey ? `${name} of ${didLogKey}` : undefined;
}

/** Other assets that leave by an operation, or what is wrong with it. A contract moves what its input says. */
function movedAssets(
  { payAsset, payCoin }: Operation,
  policy: CustodyPolicy,
): ReadonlyMap<string, bigint> | string {
  const assets = new Map<string, bigint>();
  const { key, amount = 0n } = payAsset?.asset ?? {};
  if (amount < 0n) return 'its amount is negative';
  if (amount > 0n) assets.set(`${key?.code ?? ''}:${key?.issuer ?? ''}`, amount);
  const { input, destAddress } = payAsset ?? payCoin ?? { input: '', destAddress: '' };
  if (input === '' || !hasCaps(policy)) return assets;
  const transfer = readTransfer(input);
  if (!transfer) return 'what the contract would move is not known, and this account has caps';
  return assets.set(destAddress, transfer.value);
}
