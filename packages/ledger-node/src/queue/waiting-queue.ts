/**
 * The waiting queue: verified transactions between submit and block, per source account in nonce order. It answers
 * `getTransactionCache` (`docs/ledger.md`, "Queue"), with codes 3 (known), 114 (full) and 160 (refused). What left
 * without being executed is remembered with the reason, so that whoever asks for it is told: code 5 for what has
 * expired, 160 for what had to make room, else why a block did not take it.
 *
 * A plain data structure: no clock, no timer, no check of its own of signatures, balance or fee. The state's nonces
 * come from `accountNonce`; the queue looks again when a transaction of that account is added, released or settled.
 *
 * Two heaps hold the accounts: by the transaction each could give to a block now, and by the one each would lose first.
 * An account's order never depends on another's, so both ends cost the logarithm of the accounts.
 */
import { assert } from '@symbolon/core/basics/assert';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { queueLimits } from '../limits/node-limits.ts';
import { IndexedHeap } from './indexed-heap.ts';

export interface Waiting {
  readonly hash: string;
  readonly source: string;
  readonly nonce: bigint;
  readonly gasPrice: bigint;
  readonly bytes: number;
  /** By the monotonic clock: only how long it has waited counts. */
  readonly arrivedAtMs: number;
}

export interface MempoolOptions<T> {
  readonly transactionsMax: number;
  readonly transactionsPerAccountMax: number;
  /** Of all transactions together; `queueLimits.bytesMax` when left out. */
  readonly bytesMax?: number;
  readonly lifetimeMs: number;
  /** How many that left are remembered, the oldest forgotten first. */
  readonly departedHashesMax: number;
  /** The nonce of the account in the last durable state; 0 when there is no such account. */
  accountNonce(address: string): bigint;
  /** Whether no block can hold the transaction any more; it has expired then, even if it has just arrived. */
  isPast?(transaction: T): boolean;
  /** Told of each transaction that had to leave for a newcomer, once the newcomer is in. */
  onEvicted?(transaction: T, refusal: LedgerRefusal): void;
}

/** Why a transaction left that was in the queue and is in no block. */
const leavingReasons = {
  late: refuse('timeout'),
  past: refuse('timeout', 'its ceil_ledger_seq has passed: it expired, and no block will hold it'),
  replaced: refuse('queueRefused', 'dropped: replaced by one of the same nonce with a higher gas price'),
  gapFilled: refuse('queueRefused', "dropped: an earlier nonce took the last of the account's places"),
  pushedOut: refuse('queueRefused', 'dropped: pushed out of the full queue by a better one'),
} as const;

export interface TakeLimits {
  readonly transactionsMax: number;
  readonly bytesMax: number;
}

/** One transaction in the queue. */
interface Entry<T extends Waiting> {
  readonly transaction: T;
  readonly account: Account<T>;
  /** Counts up with every addition: of two equals the earlier one comes first. */
  readonly arrival: number;
  taken: boolean;
}

/** One source account with transactions in the queue. */
interface Account<T extends Waiting> {
  readonly address: string;
  /** The account's nonce in the last durable state. */
  nonce: bigint;
  /** The smallest nonce above the account's that is not in a block being built. */
  next: bigint;
  /** Not taken, by rising nonce. */
  readonly waiting: Entry<T>[];
  readonly taken: Map<bigint, Entry<T>>;
}

export class WaitingQueue<T extends Waiting> {
  readonly #options: MempoolOptions<T>;
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #accounts = new Map<string, Account<T>>();
  readonly #ready = new IndexedHeap<Account<T>>((left, right) =>
    isBefore(waitingEnd(left, 0), waitingEnd(right, 0)),
  );
  readonly #losing = new IndexedHeap<Account<T>>((left, right) =>
    isBefore(waitingEnd(right, -1), waitingEnd(left, -1)),
  );
  readonly #departed = new Map<string, LedgerRefusal>();
  #bytes = 0;
  #arrivals = 0;

  constructor(options: MempoolOptions<T>) {
    this.#options = options;
    this.#bytesMax = options.bytesMax ?? queueLimits.bytesMax;
  }

  /** Everything known here, what is in a block being built included. */
  get size(): number {
    return this.#entries.size;
  }

  /** How many accounts could give a transaction to a block now. */
  get readyAccounts(): number {
    return this.#ready.size;
  }

  has(hash: string): boolean {
    return this.#entries.has(hash);
  }

  get(hash: string): T | undefined {
    return this.#entries.get(hash)?.transaction;
  }

  /** Whether everything that its account must have executed before it waits here, too, or is in a block being built. */
  isInReach(hash: string): boolean {
    const entry = this.#entries.get(hash);
    if (!entry) return false;
    const { taken, account, transaction } = entry;
    const before = BigInt(indexOf(account, transaction.nonce));
    return taken || transaction.nonce === account.next + before;
  }

  /** What an account has here, what is in a block being built included. */
  of(source: string): T[] {
    const account = this.#accounts.get(source);
    return [...(account?.taken.values() ?? []), ...(account?.waiting ?? [])].map((it) => it.transaction);
  }

  /** In queue order, what is in a block being built included. Looks at everything, but sorts only `limit`. */
  list(limit: number): T[] {
    const chosen = new IndexedHeap<Entry<T>>((left, right) => isBefore(right, left));
    for (const entry of this.#entries.values()) {
      const last = chosen.first();
      if (chosen.size >= limit && (last === undefined || isBefore(last, entry))) continue;
      chosen.place(entry);
      if (chosen.size > limit) chosen.takeFirst();
    }
    const listed: T[] = [];
    for (let entry = chosen.takeFirst(); entry !== undefined; entry = chosen.takeFirst()) {
      listed.push(entry.transaction);
    }
    return listed.reverse();
  }

  /** Code 3, 99, 114 or 160, or the transaction is in, and perhaps others had to leave for it. */
  add(transaction: T): LedgerRefusal | undefined {
    const { hash, source, nonce } = transaction;
    if (this.#entries.has(hash)) return refuse('alreadyExists', 'Transaction is already waiting');
    const account = this.#accountOf(source);
    if (nonce <= account.nonce) return refuse('badNonce', `Nonce must be above ${account.nonce}`);
    const rival = account.taken.get(nonce) ?? waitingAt(account, nonce);
    const refusal =
      rival === undefined ? this.#accountLimit(account, nonce) : replacementPrice(rival, transaction);
    if (refusal !== undefined) return refusal;
    const newcomer = { transaction, account, arrival: this.#arrivals, taken: false };
    const displaced = rival ?? (this.#isFull(account) ? account.waiting.at(-1) : undefined);
    const victims = this.#makeRoom(newcomer, displaced);
    if (victims === undefined) return refuse('queueFull');
    this.#arrivals += 1;
    this.#departed.delete(hash);
    this.#insert(newcomer);
    for (const victim of victims) {
      const { replaced, gapFilled, pushedOut } = leavingReasons;
      const reason = victim === rival ? replaced : victim === displaced ? gapFilled : pushedOut;
      this.#remember(victim.transaction.hash, reason);
      this.#options.onEvicted?.(victim.transaction, reason);
    }
    return undefined;
  }

  /** The next block's transactions in queue order; they stay known here until settled, released or removed. */
  take(limits: TakeLimits): T[] {
    const block: T[] = [];
    const tooBig: Account<T>[] = [];
    let bytesLeft = limits.bytesMax;
    while (block.length < limits.transactionsMax) {
      const account = this.#ready.first();
      if (account === undefined) break;
      const entry = waitingEnd(account, 0);
      if (entry.transaction.bytes > limits.bytesMax) {
        // It fits into no block; the others must not wait behind it.
        this.#ready.delete(account);
        tooBig.push(account);
        continue;
      }
      if (entry.transaction.bytes > bytesLeft) break;
      bytesLeft -= entry.transaction.bytes;
      block.push(entry.transaction);
      account.waiting.shift();
      account.taken.set(entry.transaction.nonce, entry);
      entry.taken = true;
      this.#refresh(account);
    }
    for (const account of tooBig) this.#ready.place(account);
    return block;
  }

  /** After a block is durable and `accountNonce` answers with its state. */
  settle(executed: Iterable<{ readonly source: string; readonly nonce: bigint }>): void {
    for (const { source, nonce } of executed) {
      if (!this.#accounts.has(source)) continue;
      const account = this.#accountOf(source);
      const entry = account.taken.get(nonce) ?? waitingAt(account, nonce);
      if (entry !== undefined) this.#forget(entry);
    }
  }

  /** Taken transactions that did not get into the block and may try again. */
  release(taken: Iterable<T>): void {
    for (const { hash, source } of taken) {
      const entry = this.#entries.get(hash);
      if (!entry?.taken) continue;
      this.#accountOf(source);
      // Gone if the state has meanwhile passed its nonce.
      if (!this.#entries.has(hash)) continue;
      this.#forget(entry);
      entry.taken = false;
      this.#insert(entry);
    }
  }

  /** For what the checks before execution have dropped, and why. */
  remove(hash: string, refusal: LedgerRefusal): void {
    const entry = this.#entries.get(hash);
    if (entry === undefined) return;
    this.#forget(entry);
    this.#remember(hash, this.#isPast(entry) ? leavingReasons.past : refusal);
  }

  /** Removes, remembers and returns what has waited longer than its lifetime or its ceiling; never what is taken. */
  expire(nowMs: number): T[] {
    const { lifetimeMs } = this.#options;
    const late: T[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.taken) continue;
      const isPast = this.#isPast(entry);
      if (!isPast && nowMs - entry.transaction.arrivedAtMs <= lifetimeMs) continue;
      this.#forget(entry);
      late.push(entry.transaction);
      this.#remember(entry.transaction.hash, isPast ? leavingReasons.past : leavingReasons.late);
    }
    return late;
  }

  /** Why this one left without being executed, as far back as the bounded memory goes. */
  departed(hash: string): LedgerRefusal | undefined {
    const entry = this.#entries.get(hash);
    if (entry && !entry.taken && this.#isPast(entry)) this.remove(hash, leavingReasons.past);
    return this.#departed.get(hash);
  }

  #isPast({ transaction }: Entry<T>): boolean {
    return this.#options.isPast?.(transaction) ?? false;
  }

  #remember(hash: string, refusal: LedgerRefusal): void {
    this.#departed.set(hash, refusal);
    for (const oldest of this.#departed.keys()) {
      if (this.#departed.size <= this.#options.departedHashesMax) break;
      this.#departed.delete(oldest);
    }
  }

  /** The account as the state has it now, rid of what its nonce has passed. */
  #accountOf(address: string): Account<T> {
    const nonce = this.#options.accountNonce(address);
    const account = this.#accounts.get(address);
    if (account === undefined) return { address, nonce, next: nonce + 1n, waiting: [], taken: new Map() };
    if (account.nonce === nonce) return account;
    account.nonce = nonce;
    account.next = nonce + 1n;
    this.#refresh(account);
    for (const entry of [...account.taken.values(), ...account.waiting]) {
      if (entry.transaction.nonce <= nonce) this.#forget(entry);
    }
    return account;
  }

  #isFull({ waiting, taken }: Account<T>): boolean {
    return waiting.length + taken.size >= this.#options.transactionsPerAccountMax;
  }

  /** A nonce before the last waiting one takes its place: the others may have to wait for it. */
  #accountLimit(account: Account<T>, nonce: bigint): LedgerRefusal | undefined {
    const last = account.waiting.at(-1);
    if (!this.#isFull(account) || (last && nonce < last.transaction.nonce)) return undefined;
    const { transactionsPerAccountMax } = this.#options;
    return refuse('queueRefused', `The account has ${transactionsPerAccountMax} transactions waiting`);
  }

  /**
   * Takes out the one whose place it takes and, while there is no room, the worst; or nothing if the newcomer is the
   * worst.
   */
  #makeRoom(newcomer: Entry<T>, displaced: Entry<T> | undefined): Entry<T>[] | undefined {
    const victims: Entry<T>[] = [];
    let victim = displaced;
    for (;;) {
      if (victim !== undefined) {
        this.#forget(victim);
        victims.push(victim);
      }
      const isFull = this.#entries.size >= this.#options.transactionsMax;
      if (!isFull && this.#bytes + newcomer.transaction.bytes <= this.#bytesMax) return victims;
      const worst = this.#losing.first();
      victim = worst && waitingEnd(worst, -1);
      if (victim === undefined || isBefore(victim, newcomer)) {
        for (const entry of victims) this.#insert(entry);
        return undefined;
      }
    }
  }

  #insert(entry: Entry<T>): void {
    const { account, transaction } = entry;
    this.#entries.set(transaction.hash, entry);
    this.#bytes += transaction.bytes;
    account.waiting.splice(indexOf(account, transaction.nonce), 0, entry);
    this.#refresh(account);
  }

  #forget(entry: Entry<T>): void {
    const { account, transaction } = entry;
    this.#entries.delete(transaction.hash);
    this.#bytes -= transaction.bytes;
    if (entry.taken) {
      account.taken.delete(transaction.nonce);
      if (transaction.nonce > account.nonce && transaction.nonce < account.next)
        account.next = transaction.nonce;
    } else {
      account.waiting.splice(indexOf(account, transaction.nonce), 1);
    }
    this.#refresh(account);
  }

  /** Puts the account where its changed transactions belong: the one place that touches the heaps. */
  #refresh(account: Account<T>): void {
    while (account.taken.has(account.next)) account.next += 1n;
    if (account.waiting.length > 0) this.#losing.place(account);
    else this.#losing.delete(account);
    if (account.waiting[0]?.transaction.nonce === account.next) this.#ready.place(account);
    else this.#ready.delete(account);
    if (account.waiting.length + account.taken.size > 0) this.#accounts.set(account.address, account);
    else this.#accounts.delete(account.address);
  }
}

/** Queue order: the smaller distance to the account's nonce, then the higher price, then the earlier arrival. */
function isBefore<T extends Waiting>(left: Entry<T>, right: Entry<T>): boolean {
  const leftDistance = left.transaction.nonce - left.account.nonce;
  const rightDistance = right.transaction.nonce - right.account.nonce;
  if (leftDistance !== rightDistance) return leftDistance < rightDistance;
  if (left.transaction.gasPrice !== right.transaction.gasPrice) {
    return left.transaction.gasPrice > right.transaction.gasPrice;
  }
  return left.arrival < right.arrival;
}

function replacementPrice<T extends Waiting>(rival: Entry<T>, newcomer: T): LedgerRefusal | undefined {
  if (rival.taken) return refuse('queueRefused', 'A transaction with this nonce is being executed');
  const { gasPrice } = rival.transaction;
  // A price of 0 has no 10 %: equal is never enough.
  const isEnough = newcomer.gasPrice * 100n >= gasPrice * queueLimits.replacementPricePercent;
  if (isEnough && newcomer.gasPrice > gasPrice) return undefined;
  return refuse(
    'queueRefused',
    `A transaction with this nonce waits; to replace it, pay ${queueLimits.replacementPricePercent} % of its gas price ${gasPrice}`,
  );
}

/** The first or the last that an account in a heap has waiting. */
function waitingEnd<T extends Waiting>(account: Account<T>, end: 0 | -1): Entry<T> {
  const entry = account.waiting.at(end);
  assert(entry !== undefined, 'an account in a heap has a waiting transaction');
  return entry;
}

function waitingAt<T extends Waiting>(account: Account<T>, nonce: bigint): Entry<T> | undefined {
  const entry = account.waiting[indexOf(account, nonce)];
  return entry?.transaction.nonce === nonce ? entry : undefined;
}

/** Where the nonce stands, or would stand, among the waiting ones. */
function indexOf<T extends Waiting>({ waiting }: Account<T>, nonce: bigint): number {
  let low = 0;
  let high = waiting.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = waiting[middle];
    if (entry !== undefined && entry.transaction.nonce < nonce) low = middle + 1;
    else high = middle;
  }
  return low;
}
