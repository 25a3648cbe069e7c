/**
 * Hands what was submitted here to the CometBFT of this node, so that every validator hears of it: over its RPC, each
 * transaction in exactly the bytes that stand in the queue, several in a bundle. The first goes at once; what comes in the
 * moment after goes together. While CometBFT is away everything waits; what has left the queue meanwhile is not offered
 * any more.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { sha256 } from '@symbolon/host/work/sha256';
import { cometLimits } from '../../limits/node-limits.ts';
import type { QueuedTransaction } from '../../queue/admission.ts';
import { encodeBundle } from './bundles.ts';
import { CometAway, type CometRpc, type RpcAnswer } from './comet-rpc.ts';
import { framedBytes, networkBytes } from './network-bytes.ts';

export interface OffersParts {
  readonly rpc: Pick<CometRpc, 'callAll'>;
  /** Whether it still waits to be executed. */
  isWaiting(hash: string): boolean;
  onFailure(error: unknown): void;
}

/** CometBFT has no room at the moment, by its own words. */
const isFull = (answer: RpcAnswer): boolean =>
  'refused' in answer && answer.refused.includes('mempool is full');

/** What goes in one message. */
type Parcel = readonly QueuedTransaction[];

const bundleName = (bytes: Uint8Array): string => encodeHex(sha256(bytes));

export class Offers {
  readonly #parts: OffersParts;
  readonly #waiting = new Map<string, QueuedTransaction>();
  /** Those that share no message with others. */
  readonly #alone = new WeakSet<QueuedTransaction>();
  /** Bundles made here. */
  readonly #made = new RecentMap<string, true>(cometLimits.bundlesRememberedMax);
  #underWay = 0;
  #pause: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: OffersParts) {
    this.#parts = parts;
  }

  /** How many have not been handed over. */
  get size(): number {
    return this.#waiting.size;
  }

  add(transactions: Iterable<QueuedTransaction>, { alone = false } = {}): void {
    for (const transaction of transactions) {
      this.#waiting.set(transaction.hash, transaction);
      if (alone) this.#alone.add(transaction);
    }
    this.#send();
  }

  /** Whether this is a bundle that was made here, lately. */
  isOwnBundle(bytes: Uint8Array): boolean {
    return this.#made.has(bundleName(bytes));
  }

  /** CometBFT is there, or there again. */
  wake(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#send();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#pause);
    this.#waiting.clear();
  }

  #send(): void {
    if (this.#closed || this.#retry || this.#pause || this.#underWay >= cometLimits.offersAtOnceMax) return;
    const request = this.#nextRequest();
    if (request.length === 0) return;
    this.#underWay++;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#send();
    }, cometLimits.offersPauseMs);
    this.#offer(request)
      .catch((error) => this.#parts.onFailure(error))
      .finally(() => {
        this.#underWay--;
        this.#send();
      });
  }

  #nextRequest(): Parcel[] {
    const { offersPerRequestMax, offersBytesMax } = cometLimits;
    const request: Parcel[] = [];
    let bytesLeft = offersBytesMax;
    while (request.length < offersPerRequestMax) {
      const parcel = this.#nextParcel(request.length === 0 ? Number.POSITIVE_INFINITY : bytesLeft);
      if (parcel.length === 0) break;
      request.push(parcel);
      for (const { bytes } of parcel) bytesLeft -= bytes;
    }
    return request;
  }

  /** The first that waits, and as many after it as fit into a bundle. */
  #nextParcel(bytesMax: number): Parcel {
    const { bundleTransactionsMax, bundleBytesMax } = cometLimits;
    const parcel: QueuedTransaction[] = [];
    let bytes = 0;
    for (const [hash, transaction] of this.#waiting) {
      if (parcel.length === bundleTransactionsMax) break;
      if (this.#parts.isWaiting(hash)) {
        bytes += framedBytes(transaction.bytes);
        if (bytes > bytesMax || (parcel.length > 0 && bytes > bundleBytesMax)) break;
        if (parcel.length > 0 && this.#alone.has(transaction)) break;
        parcel.push(transaction);
        if (this.#alone.has(transaction)) bytes = Number.POSITIVE_INFINITY;
      }
      this.#waiting.delete(hash);
    }
    return parcel;
  }

  async #offer(request: readonly Parcel[]): Promise<void> {
    const calls = request.map((parcel) => ({
      method: 'broadcast_tx_async',
      params: { tx: Buffer.from(this.#bytesOf(parcel)).toString('base64') },
    }));
    let again: readonly Parcel[];
    try {
      const answers = await this.#parts.rpc.callAll(calls);
      // Whatever else it says, it has it already, or will never take it: then this node proposes it itself.
      again = request.filter((_, index) => isFull(answers[index] as RpcAnswer));
    } catch (error) {
      if (!(error instanceof CometAway)) throw error;
      again = request;
    }
    if (again.length === 0 || this.#closed) return;
    for (const transaction of again.flat()) this.#waiting.set(transaction.hash, transaction);
    this.#retry ??= setTimeout(() => this.wake(), cometLimits.retryMs);
  }

  /** A transaction alone is no bundle. */
  #bytesOf([first, ...others]: Parcel): Uint8Array {
    const parcel = [first as QueuedTransaction, ...others].map(networkBytes);
    if (others.length === 0) return parcel[0] as Uint8Array;
    const bundle = encodeBundle(parcel);
    this.#made.set(bundleName(bundle), true);
    return bundle;
  }
}
