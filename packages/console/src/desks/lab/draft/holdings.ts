/**
 * What accounts have of assets and tokens, as far as a transaction hands it over or lets others take it. A token is a
 * contract that is told `transfer` or `approve`; what else contracts do is not seen here. Pure.
 */
import type { Operation, Transaction } from '@symbolon/core/proto/ledger_pb';
import { callOf } from '@symbolon/sdk/sentences/contract-call';

export type Holding =
  | { readonly kind: 'asset'; readonly issuer: string; readonly code: string }
  | { readonly kind: 'token'; readonly contract: string };

/** Amounts by address. */
type Shares = ReadonlyMap<string, bigint | undefined>;

/** One account's part of a holding, and what the transaction takes of it. */
export interface TakenHolding {
  readonly address: string;
  readonly holding: Holding;
  /** What each is handed at once; undefined where the call does not say how much. */
  readonly paid: Shares;
  /** What each may take afterwards. */
  readonly allowed: Shares;
  /** Made by the transaction itself. */
  readonly issued: bigint;
}

export const keyOfHolding = (address: string, holding: Holding): string => JSON.stringify([address, holding]);

type Taking =
  | { readonly act: 'issue'; readonly amount: bigint }
  | { readonly act: 'pay' | 'allow'; readonly other: string; readonly amount: bigint | undefined };

/** Each account and holding once. What goes to oneself, or is nothing, takes nothing. */
export function takenHoldings({ sourceAddress, operations }: Transaction): readonly TakenHolding[] {
  const taken = new Map<string, TakenHolding>();
  for (const operation of operations) {
    const address = operation.sourceAddress || sourceAddress;
    for (const [holding, taking] of takingsOf(address, operation)) {
      const key = keyOfHolding(address, holding);
      const before = taken.get(key) ?? { address, holding, paid: new Map(), allowed: new Map(), issued: 0n };
      taken.set(key, withTaking(before, taking));
    }
  }
  return [...taken.values()].filter(({ paid, allowed }) => paid.size > 0 || allowed.size > 0);
}

function withTaking(before: TakenHolding, taking: Taking): TakenHolding {
  if (taking.act === 'issue') return { ...before, issued: before.issued + taking.amount };
  const { act, other, amount } = taking;
  if (act === 'pay') {
    const paid = before.paid.has(other) ? before.paid.get(other) : 0n;
    const sum = amount === undefined || paid === undefined ? undefined : paid + amount;
    return sum === 0n ? before : { ...before, paid: new Map(before.paid).set(other, sum) };
  }
  // What is allowed last counts, and nothing takes it back.
  const allowed = new Map(before.allowed);
  if (amount === 0n) allowed.delete(other);
  else allowed.set(other, amount);
  return { ...before, allowed };
}

function takingsOf(
  address: string,
  { payAsset, payCoin, issueAsset }: Operation,
): readonly (readonly [Holding, Taking])[] {
  const takings: (readonly [Holding, Taking])[] = [];
  if (issueAsset)
    takings.push([
      { kind: 'asset', issuer: address, code: issueAsset.code },
      { act: 'issue', amount: issueAsset.amount },
    ]);
  const { key, amount = 0n } = payAsset?.asset ?? {};
  if (payAsset && key && payAsset.destAddress !== address)
    takings.push([
      { kind: 'asset', issuer: key.issuer, code: key.code },
      { act: 'pay', other: payAsset.destAddress, amount },
    ]);
  const payment = payCoin ?? payAsset;
  const call = payment?.input ? callOf(payment.input) : undefined;
  const taking = call && tokenTaking(address, call);
  if (payment && taking) takings.push([{ kind: 'token', contract: payment.destAddress }, taking]);
  return takings;
}

function tokenTaking(
  address: string,
  { method, params = {} }: NonNullable<ReturnType<typeof callOf>>,
): Taking | undefined {
  const amount = /^\d{1,40}$/.test(String(params.value)) ? BigInt(String(params.value)) : undefined;
  const of = (act: 'pay' | 'allow', other: unknown): Taking | undefined =>
    other === address ? undefined : { act, other: String(other), amount };
  if (method === 'transfer') return of('pay', params.to);
  return method === 'approve' ? of('allow', params.spender) : undefined;
}
