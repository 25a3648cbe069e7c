/**
 * What an account lacks for a transaction. A trial evaluates it as if everybody had enough, so this is reckoned here, in
 * the order in which the ledger takes coins: the whole fee limit first, then operation by operation. Pure.
 */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';

export interface Shortfall {
  readonly address: string;
  readonly balance: bigint;
  /** In all, with what must stay in the account. */
  readonly needed: bigint;
  /** What it costs all the same; nothing where the ledger does not take it at all. */
  readonly lost: bigint;
}

export interface Purses {
  /** What each account has that acts in it. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** What must stay in every account. */
  readonly reserve: bigint;
}

/** Of the first payment that cannot be made. `triggered`: what contracts would do meanwhile. */
export function shortfallOf(
  { sourceAddress, feeLimit, operations }: Transaction,
  triggered: readonly Transaction[],
  { balances, reserve }: Purses,
): Shortfall | undefined {
  const left = new Map(balances);
  const take = (address: string, amount: bigint, lost: bigint): Shortfall | undefined => {
    const before = left.get(address);
    const balance = balances.get(address);
    if (before === undefined || balance === undefined) return undefined;
    left.set(address, before - amount);
    if (before - amount >= reserve) return undefined;
    return { address, balance, needed: balance - before + amount + reserve, lost };
  };
  const give = (address: string, amount: bigint): void => {
    const before = left.get(address);
    if (before !== undefined) left.set(address, before + amount);
  };
  const refused = take(sourceAddress, feeLimit, 0n);
  if (refused) return refused;
  // When exactly a contract pays is not told; whoever waits for that is given the benefit of the doubt.
  for (const { payCoin } of triggered.flatMap((one) => one.operations))
    if (payCoin) give(payCoin.destAddress, payCoin.amount);
  for (const operation of operations) {
    const { payCoin, createAccount } = operation;
    const amount = payCoin?.amount ?? createAccount?.initBalance;
    if (amount === undefined) continue;
    const short = take(operation.sourceAddress || sourceAddress, amount, feeLimit);
    if (short) return short;
    give(payCoin?.destAddress ?? '', amount);
  }
  return undefined;
}
