/**
 * Who makes blocks. A driver takes transactions from the queue, and calls `prepare` and `commit` of the chain; nothing
 * else of a node knows when a block closes, or who agreed to it. The solo driver is the first.
 *
 * What the validators say of a block is its proof. The header does not hold it: the next block carries it, so it may be
 * made when the block is known already.
 */
import type { ConsensusView } from '@symbolon/wire/ledger/node-replies';
import type { QueuedTransaction } from '../queue/admission.ts';

export interface Driver {
  /** How it comes to its blocks, as the node tells its clients. */
  readonly consensus: Omit<ConsensusView, 'validators' | 'lastLedgerSeq'>;
  /** How long something has waited without any block being made. */
  readonly waitingMs: number;
  /** Whom its own key stands for; empty if it stands for nobody. */
  readonly validationAddress: string;
  /** Why no blocks come, where the driver knows it. */
  readonly problem?: string | undefined;
  /** Begins, if it does not by itself. */
  start?(): Promise<void>;
  /** A transaction entered the queue. */
  wake(transaction: QueuedTransaction): void;
  /** Makes a block now, an empty one if nothing waits: where a clock was moved on. */
  closeBlock(): Promise<void>;
  /** Finishes the block under way and makes no further one. */
  stop(): Promise<void>;
}
