/**
 * Which transactions this node proposes, and whether it votes for what others propose. Transactions wait in one place,
 * the queue, so that is where a proposal comes from: each sender's in the order of their nonces, nothing that has
 * expired. Voting looks at what every node sees alike, the bytes; what the rules say of them is executing's business.
 */
import { contractsHaveRoom } from '@symbolon/core/ledger/execution/block-frame';
import { countTransactionFields, type SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
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
    const work = new ReadersWork();
    const fitting = this.#withinGas(taken).filter((transaction) => {
      bytes += framedBytes(networkBytes(transaction).length);
      work.add(transaction.verified.signed);
      return bytes <= bytesMax && work.problem === undefined;
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
  const { transactionsMax, bytesMax } = blockLimits;
  if (transactions.length > transactionsMax) return `more than ${transactionsMax} transactions`;
  let bytes = 0;
  for (const transaction of transactions) bytes += transaction.length;
  if (bytes > bytesMax) return `transactions of more than ${bytesMax} bytes`;
  const work = new ReadersWork();
  for (const [index, bytes] of transactions.entries()) {
    const signed = findQueued(bytes, queue)?.verified.signed ?? openNetworkBytes(bytes);
    if (!signed) return `transaction ${index} cannot be read`;
    work.add(signed);
    if (work.problem !== undefined) return work.problem;
  }
  return undefined;
}

/** What a block costs those who read it, counted alike by who proposes and who votes. */
class ReadersWork {
  #fields = 0;
  #signatures = 0;

  add(signed: SignedTransaction): void {
    this.#fields += countTransactionFields(signed);
    this.#signatures += signed.signatures.length;
  }

  get problem(): string | undefined {
    const { fieldsMax, signaturesMax } = blockLimits;
    if (this.#fields > fieldsMax) return `transactions of more than ${fieldsMax} fields`;
    return this.#signatures > signaturesMax
      ? `transactions with more than ${signaturesMax} signatures`
      : undefined;
  }
}
