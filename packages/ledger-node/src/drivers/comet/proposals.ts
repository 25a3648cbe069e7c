/**
 * Which transactions this node proposes, and whether it votes for what others propose. Transactions wait in one place,
 * the queue, so that is where a proposal comes from: each sender's in the order of their nonces, nothing that has
 * expired. Voting looks at what every node sees alike, the bytes; what the rules say of them is executing's business.
 */
import { contractsHaveRoom } from '@symbolon/core/ledger/execution/block-frame';
import { countTransactionFields } from '@symbolon/core/ledger/terms/transaction';
import { blockLimits } from '@symbolon/core/limits/consensus';
import type { QueuedTransaction } from '../../queue/admission.ts';
import type { WaitingQueue } from '../../queue/waiting-queue.ts';
import type { ExpectedGas } from './expected-gas.ts';
import { findQueued, framedBytes, networkBytes, openNetworkBytes } from './network-bytes.ts';

type Queue = Pick<WaitingQueue<QueuedTransaction>, 'take' | 'release' | 'expire'>;

export class Proposals {
  readonly #queue: Queue;
  readonly #gas: Pick<ExpectedGas, 'of'>;
  /** Taken out of the queue for a block that is not decided. */
  #taken: readonly QueuedTransaction[] = [];

  constructor(queue: Queue, gas: Pick<ExpectedGas, 'of'>) {
    this.#queue = queue;
    this.#gas = gas;
  }

  prepare(maxTxBytes: bigint): Uint8Array[] {
    this.giveBack();
    this.#queue.expire(performance.now());
    const bytesMax = Math.min(blockLimits.bytesMax, Number(maxTxBytes));
    const taken = this.#queue.take({ transactionsMax: blockLimits.transactionsMax, bytesMax });
    let bytes = 0;
    let fields = 0;
    const fitting = this.#withinGas(taken).filter((transaction) => {
      bytes += framedBytes(networkBytes(transaction).length);
      fields += countTransactionFields(transaction.verified.signed);
      return bytes <= bytesMax && fields <= blockLimits.fieldsMax;
    });
    this.#taken = fitting;
    const proposed = new Set(fitting);
    this.#queue.release(taken.filter((transaction) => !proposed.has(transaction)));
    return this.#taken.map(networkBytes);
  }

  /** Without the calls of contracts that executing would postpone, and what their senders have sent after them. */
  #withinGas(taken: readonly QueuedTransaction[]): readonly QueuedTransaction[] {
    const heldBack = new Set<string>();
    let expected = 0n;
    return taken.filter(({ source, verified }) => {
      const gas = this.#gas.of(verified.signed);
      if (heldBack.has(source) || (gas !== undefined && !contractsHaveRoom(expected))) {
        heldBack.add(source);
        return false;
      }
      expected += gas ?? 0n;
      return true;
    });
  }

  /** What was proposed waits again, as far as no block has taken it. */
  giveBack(): void {
    this.#queue.release(this.#taken);
    this.#taken = [];
  }
}

/** Why nobody should vote for a block of these transactions. What waits here in these very bytes was read before. */
export function proposalProblem(
  transactions: readonly Uint8Array[],
  queue: Pick<WaitingQueue<QueuedTransaction>, 'get'>,
): string | undefined {
  const { transactionsMax, bytesMax, fieldsMax } = blockLimits;
  if (transactions.length > transactionsMax) return `more than ${transactionsMax} transactions`;
  let bytes = 0;
  for (const transaction of transactions) bytes += transaction.length;
  if (bytes > bytesMax) return `transactions of more than ${bytesMax} bytes`;
  let fields = 0;
  for (const [index, bytes] of transactions.entries()) {
    const signed = findQueued(bytes, queue)?.verified.signed ?? openNetworkBytes(bytes);
    if (!signed) return `transaction ${index} cannot be read`;
    fields += countTransactionFields(signed);
    if (fields > fieldsMax) return `transactions of more than ${fieldsMax} fields`;
  }
  return undefined;
}
