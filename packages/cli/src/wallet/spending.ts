/**
 * How much a wallet may still spend. A payment is counted before it is signed, and stays counted until it is proven
 * that it can never be executed: whoever has a signed transaction can hand it in whenever they like, and say that they
 * did not. Of several payments with the same nonce a chain executes one at most, so the dearest of them is counted.
 * Fees are Gas and are counted as Gas.
 */
import type { DatabaseSync } from 'node:sqlite';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { coinText } from '@symbolon/sdk/transactions/transaction-sentence';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { inTransaction, walletDay } from './wallet-database.ts';

/** In the smallest unit. */
export interface Cap {
  readonly perPayment: bigint;
  readonly perDay: bigint;
  /** The option with which the owner raises it, where it is another than that of a wallet for agents. */
  readonly raisedBy?: string;
}

/** By asset: the code of the native one, or the address of a token. What is not in it cannot be spent. */
export type Caps = ReadonlyMap<string, Cap>;

export const nativeAsset = zetrixProfile.nativeAsset.code;

/** `open`: signed, and it is not known what became of it. `void`: it can never be executed. */
export type SpendingState = 'open' | 'spent' | 'failed' | 'void';

export interface SpendingEntry {
  /** Of the transaction. */
  readonly hash: string;
  /** The id of the chain that it is for. */
  readonly chain: string;
  readonly nonce: bigint;
  readonly asset: string;
  readonly amount: bigint;
  /** The most that the transaction may cost. */
  readonly fee: bigint;
  readonly payee: string;
}

export interface CountedPayment extends SpendingEntry {
  readonly day: string;
  readonly state: SpendingState;
}

type Row = Record<
  'hash' | 'day' | 'chain' | 'nonce' | 'asset' | 'amount' | 'fee' | 'payee' | 'state',
  string
>;

const readRow = ({ nonce, amount, fee, state, ...rest }: Row): CountedPayment => ({
  ...rest,
  nonce: BigInt(nonce),
  amount: BigInt(amount),
  fee: BigInt(fee),
  state: state as SpendingState,
});

/** In the order in which they were counted. */
const paymentsWhere = (database: DatabaseSync, condition: string, ...values: string[]) =>
  (
    database
      .prepare(`select * from payment where ${condition} order by rowid`)
      .all(...values) as unknown as Row[]
  ).map(readRow);

export const paymentsOf = (database: DatabaseSync, day: string): readonly CountedPayment[] =>
  paymentsWhere(database, 'day = ?', day);

/** What a payment takes of an asset, whatever is not known taken for the worst. */
function costOf({ asset, amount, fee, state }: Omit<CountedPayment, 'day'>, of: string): bigint {
  if (state === 'void') return 0n;
  const moved = asset === of && state !== 'failed' ? amount : 0n;
  return of === nativeAsset ? moved + fee : moved;
}

/** What is counted of an asset. */
export function countedOf(payments: readonly Omit<CountedPayment, 'day'>[], asset: string): bigint {
  const byNonce = new Map<string, bigint>();
  for (const payment of payments) {
    const slot = `${payment.chain}/${payment.nonce}`;
    const cost = costOf(payment, asset);
    if (cost > (byNonce.get(slot) ?? 0n)) byNonce.set(slot, cost);
  }
  return [...byNonce.values()].reduce((sum, cost) => sum + cost, 0n);
}

/**
 * Counts a payment, or throws why it must not be made. To be called before anything is signed. False if the very same
 * transaction is counted already: somebody may have it.
 */
export function reservePayment(
  database: DatabaseSync,
  payment: SpendingEntry,
  { caps, nowMs }: { readonly caps: Caps; readonly nowMs: number },
): boolean {
  return inTransaction(database, () => {
    const day = walletDay(database, nowMs);
    const known = database.prepare('select state from payment where hash = ?').get(payment.hash);
    const others = paymentsOf(database, day).filter(({ hash }) => hash !== payment.hash);
    if (others.length >= walletLimits.paymentsPerDayMax)
      throw refusal(`it has made ${others.length} payments today.`, 'Wait until tomorrow (UTC).');
    const counted = [...others, { ...payment, state: 'open' as const }];
    for (const asset of new Set([payment.asset, nativeAsset])) {
      const own = costOf({ ...payment, state: 'open' }, asset);
      assertWithinCap(
        asset,
        { own, today: countedOf(counted, asset), others: countedOf(others, asset) },
        caps,
      );
    }
    const { hash, chain, nonce, asset, amount, fee, payee } = payment;
    database
      .prepare(`insert or replace into payment (hash, day, chain, nonce, asset, amount, fee, payee, state)
        values (?, ?, ?, ?, ?, ?, ?, ?, 'open')`)
      .run(hash, day, chain, String(nonce), asset, String(amount), String(fee), payee);
    forgetOldPayments(database, day);
    return known === undefined || known.state === 'void';
  });
}

/** Whether so much could be paid at all, before the ledger is asked for a fee and a nonce; `reservePayment` decides. */
export function assertAffordable(
  database: DatabaseSync,
  { asset, amount }: Pick<SpendingEntry, 'asset' | 'amount'>,
  { caps, nowMs }: { readonly caps: Caps; readonly nowMs: number },
): void {
  const others = countedOf(paymentsOf(database, walletDay(database, nowMs)), asset);
  assertWithinCap(asset, { own: amount, today: amount, others }, caps);
}

interface Counted {
  readonly own: bigint;
  /** With this payment, and without it. */
  readonly today: bigint;
  readonly others: bigint;
}

const noCap: Cap = { perPayment: 0n, perDay: 0n };

function assertWithinCap(asset: string, { own, today, others }: Counted, caps: Caps): void {
  if (own === 0n) return;
  const text = (amount: bigint) => amountText(asset, amount);
  const { perPayment, perDay, raisedBy: words = optionsOf(asset) } = caps.get(asset) ?? noCap;
  if (perPayment === 0n || perDay === 0n)
    throw refusal(
      `its owner has not allowed it to spend any ${asset === nativeAsset ? 'Gas' : asset}, and without that nothing can be spent.`,
      `The owner starts the wallet with ${words}.`,
    );
  if (own > perPayment)
    throw refusal(
      `${text(own)} with its fee is more than the ${text(perPayment)} that one payment may cost.`,
      `The owner can raise the cap: ${words}.`,
    );
  if (today > perDay)
    throw refusal(
      `${text(others)} of the ${text(perDay)} of today (UTC) are used up, and ${text(own)} would be too much.`,
      `Wait until tomorrow, or the owner raises the cap: ${words}.`,
    );
}

const amountText = (asset: string, amount: bigint): string =>
  asset === nativeAsset ? coinText(amount) : `${amount} ${asset}`;

const optionsOf = (asset: string): string =>
  asset === nativeAsset
    ? '--spend-per-payment <amount> --spend-per-day <amount>'
    : `--token ${asset}=<number>`;

const refusal = (why: string, advice: string): CommandFailure =>
  new CommandFailure(`The wallet did not pay.\nThe reason: ${why}\n${advice}`);

/** What became of it. `failed` and `void` free what was counted, so nothing but a proof may set them. */
export function setPaymentState(database: DatabaseSync, hash: string, state: SpendingState): void {
  database.prepare('update payment set state = ? where hash = ?').run(state, hash);
}

export const unfinishedPayments = (database: DatabaseSync): readonly CountedPayment[] =>
  paymentsWhere(database, "state = 'open'");

/** Other payments that take the same nonce of the same chain. */
export const rivalsOf = (
  database: DatabaseSync,
  { hash, chain, nonce }: SpendingEntry,
): readonly CountedPayment[] =>
  paymentsWhere(database, 'chain = ? and nonce = ? and hash <> ?', chain, String(nonce), hash);

function forgetOldPayments(database: DatabaseSync, day: string): void {
  const kept = Date.parse(day) - walletLimits.paymentsKeptDays * 86_400_000;
  database.prepare('delete from payment where day < ?').run(new Date(kept).toISOString().slice(0, 10));
}
