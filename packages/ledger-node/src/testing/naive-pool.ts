/** For tests only: the rules of the waiting queue a second time, without a heap or an index, to hold the first against. */
import { codes } from '@symbolon/core/ledger/terms/codes';
import type { TakeLimits, Waiting } from '../queue/waiting-queue.ts';

export interface NaiveEntry {
  readonly tx: Waiting;
  readonly arrival: number;
  taken: boolean;
}

/** The rules once more, as slowly and plainly as possible. */
export class NaivePool {
  entries: NaiveEntry[] = [];
  arrivals = 0;
  readonly nonces: Map<string, bigint>;
  readonly limits: { all: number; account: number; bytes: number };

  constructor(nonces: Map<string, bigint>, limits: NaivePool['limits']) {
    this.nonces = nonces;
    this.limits = limits;
  }

  nonceOf(source: string): bigint {
    return this.nonces.get(source) ?? 0n;
  }

  sorted(): NaiveEntry[] {
    const distance = ({ tx }: NaiveEntry): number => Number(tx.nonce - this.nonceOf(tx.source));
    return [...this.entries].sort((left, right) => {
      const price = Number(right.tx.gasPrice - left.tx.gasPrice);
      return distance(left) - distance(right) || price || left.arrival - right.arrival;
    });
  }

  isOver(): boolean {
    const bytes = this.entries.reduce((sum, { tx }) => sum + tx.bytes, 0);
    return this.entries.length > this.limits.all || bytes > this.limits.bytes;
  }

  add(tx: Waiting): number {
    const own = this.entries.filter((entry) => entry.tx.source === tx.source);
    if (this.entries.some((entry) => entry.tx.hash === tx.hash)) return codes.alreadyExists;
    if (tx.nonce <= this.nonceOf(tx.source)) return codes.badNonce;
    const rival = own.find((entry) => entry.tx.nonce === tx.nonce);
    const isDearer = rival && !rival.taken && 100n * tx.gasPrice >= 110n * rival.tx.gasPrice;
    const last = own.filter((entry) => !entry.taken).sort((a, b) => Number(b.tx.nonce - a.tx.nonce))[0];
    const isFull = own.length >= this.limits.account;
    const hasNoPlace = isFull && !(last && tx.nonce < last.tx.nonce);
    if (rival ? !isDearer : hasNoPlace) return codes.queueRefused;
    const unchanged = this.entries;
    const newcomer = { tx, arrival: this.arrivals++, taken: false };
    const leaving = rival ?? (isFull ? last : undefined);
    this.entries = [...unchanged.filter((entry) => entry !== leaving), newcomer];
    while (this.isOver()) {
      const worst = this.sorted().findLast((entry) => !entry.taken);
      this.entries = worst === newcomer ? unchanged : this.entries.filter((entry) => entry !== worst);
      if (worst === newcomer) return codes.queueFull;
    }
    return 0;
  }

  take(limits: TakeLimits): Waiting[] {
    const block: Waiting[] = [];
    let bytes = 0;
    const next = new Map<string, bigint>();
    for (const entry of this.sorted()) {
      const { source, nonce } = entry.tx;
      if (nonce !== (next.get(source) ?? this.nonceOf(source) + 1n)) continue;
      if (!entry.taken) {
        if (entry.tx.bytes > limits.bytesMax) continue;
        if (block.length >= limits.transactionsMax || bytes + entry.tx.bytes > limits.bytesMax) break;
        bytes += entry.tx.bytes;
        block.push(entry.tx);
        entry.taken = true;
      }
      next.set(source, nonce + 1n);
    }
    return block;
  }

  keep(wanted: (entry: NaiveEntry) => boolean): void {
    this.entries = this.entries.filter(wanted);
  }
}
