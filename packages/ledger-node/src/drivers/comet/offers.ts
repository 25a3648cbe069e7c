/**
 * Hands what was submitted here to the CometBFT of this node, so that every validator hears of it: over its RPC, a few
 * requests at a time, each transaction in exactly the bytes that stand in the queue. While CometBFT is away everything
 * waits; what has left the queue meanwhile is not offered any more.
 */
import { cometLimits } from '../../limits/node-limits.ts';
import type { QueuedTransaction } from '../../queue/admission.ts';
import { CometAway, type CometRpc, type RpcAnswer } from './comet-rpc.ts';
import { networkBytes } from './network-bytes.ts';

export interface OffersParts {
  readonly rpc: Pick<CometRpc, 'callAll'>;
  /** Whether it still waits to be executed. */
  isWaiting(hash: string): boolean;
  onFailure(error: unknown): void;
}

/** CometBFT has no room at the moment, by its own words. */
const isFull = (answer: RpcAnswer): boolean =>
  'refused' in answer && answer.refused.includes('mempool is full');

export class Offers {
  readonly #parts: OffersParts;
  readonly #waiting = new Map<string, QueuedTransaction>();
  #underWay = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: OffersParts) {
    this.#parts = parts;
  }

  /** How many have not been handed over. */
  get size(): number {
    return this.#waiting.size;
  }

  add(transactions: Iterable<QueuedTransaction>): void {
    for (const transaction of transactions) this.#waiting.set(transaction.hash, transaction);
    this.#send();
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
    this.#waiting.clear();
  }

  #send(): void {
    while (!this.#closed && !this.#retry && this.#underWay < cometLimits.offersAtOnceMax) {
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      this.#underWay++;
      this.#offer(batch)
        .catch((error) => this.#parts.onFailure(error))
        .finally(() => {
          this.#underWay--;
          this.#send();
        });
    }
  }

  #nextBatch(): QueuedTransaction[] {
    const batch: QueuedTransaction[] = [];
    let bytes = 0;
    for (const [hash, transaction] of this.#waiting) {
      if (batch.length === cometLimits.offersPerRequestMax) break;
      if (batch.length > 0 && bytes + transaction.bytes > cometLimits.offersBytesMax) break;
      this.#waiting.delete(hash);
      if (!this.#parts.isWaiting(hash)) continue;
      bytes += transaction.bytes;
      batch.push(transaction);
    }
    return batch;
  }

  async #offer(batch: readonly QueuedTransaction[]): Promise<void> {
    const calls = batch.map((transaction) => ({
      method: 'broadcast_tx_async',
      params: { tx: Buffer.from(networkBytes(transaction)).toString('base64') },
    }));
    let again: readonly QueuedTransaction[];
    try {
      const answers = await this.#parts.rpc.callAll(calls);
      // Whatever else it says, it has it already, or will never take it: then this node proposes it itself.
      again = batch.filter((_, index) => isFull(answers[index] as RpcAnswer));
    } catch (error) {
      if (!(error instanceof CometAway)) throw error;
      again = batch;
    }
    if (again.length === 0 || this.#closed) return;
    for (const transaction of again) this.#waiting.set(transaction.hash, transaction);
    this.#retry ??= setTimeout(() => this.wake(), cometLimits.retryMs);
  }
}
