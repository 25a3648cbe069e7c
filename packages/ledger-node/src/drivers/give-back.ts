/** What becomes of queued transactions that a block did not take after all: the same under every driver. */
import { codes, type LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import type { QueuedTransaction } from '../queue/admission.ts';
import type { WaitingQueue } from '../queue/waiting-queue.ts';

export interface GiveBackOrder {
  readonly queue: Pick<WaitingQueue<QueuedTransaction>, 'release' | 'remove'>;
  /** The block had no room for them: they wait on. */
  readonly postponed: readonly QueuedTransaction[];
  /** The block's rules did not admit them. */
  readonly dropped: readonly { readonly transaction: QueuedTransaction; readonly refusal: LedgerRefusal }[];
  onDropped(transaction: QueuedTransaction, refusal: LedgerRefusal): void;
}

export function giveBack({ queue, postponed, dropped, onDropped }: GiveBackOrder): void {
  queue.release(postponed);
  for (const { transaction, refusal } of dropped) {
    // A queued nonce can only be too early: its predecessor was dropped, and the sender may fill the gap.
    if (refusal.code === codes.badNonce) {
      queue.release([transaction]);
    } else {
      queue.remove(transaction.hash, refusal);
      onDropped(transaction, refusal);
    }
  }
}
