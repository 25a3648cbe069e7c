/**
 * CheckTx: what this node's CometBFT asks about each transaction that reaches it, from a peer or from this node itself.
 * A new one goes through the same checks into the same queue as a submission. CometBFT keeps what the queue keeps, in
 * exactly these bytes, and nothing else: asked again after a block, it is told whether that still waits.
 */
import { equalBytes } from '@symbolon/core/basics/bytes';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { CheckTxType, type RequestCheckTx, ResponseCheckTx } from 'cosmjs-types/tendermint/abci/types';
import type { Admitted, QueuedTransaction } from '../../queue/admission.ts';
import type { WaitingQueue } from '../../queue/waiting-queue.ts';
import { networkBytes, openNetworkBytes, queueName } from './network-bytes.ts';

export interface GossipParts {
  readonly queue: Pick<WaitingQueue<QueuedTransaction>, 'get'>;
  admit(signed: SignedTransaction): Promise<Admitted>;
}

const unreadable = refuse('invalidParameter', 'these bytes are not a transaction of this ledger');
const otherBytes = refuse('alreadyExists', 'the transaction waits with other signatures');
const noLongerWaiting = refuse('timeout', 'the transaction waits no longer');

export class Gossip {
  readonly #parts: GossipParts;
  /** Hashes of what is being checked, with the bytes: CometBFT has these and needs no offer. */
  readonly #underWay = new Map<string, Uint8Array>();

  constructor(parts: GossipParts) {
    this.#parts = parts;
  }

  /** Whether it came from CometBFT, in these very bytes. */
  isArriving(transaction: QueuedTransaction): boolean {
    const bytes = this.#underWay.get(transaction.hash);
    return bytes !== undefined && equalBytes(bytes, networkBytes(transaction));
  }

  async check({ tx, type }: RequestCheckTx): Promise<ResponseCheckTx> {
    const refusal = type === CheckTxType.RECHECK ? this.#recheck(tx) : await this.#admit(tx);
    return ResponseCheckTx.fromPartial(refusal ? { code: refusal.code, log: refusal.description } : {});
  }

  #recheck(tx: Uint8Array): LedgerRefusal | undefined {
    const hash = queueName(tx);
    const waiting = hash === undefined ? undefined : this.#parts.queue.get(hash);
    if (!waiting) return noLongerWaiting;
    return equalBytes(networkBytes(waiting), tx) ? undefined : otherBytes;
  }

  async #admit(tx: Uint8Array): Promise<LedgerRefusal | undefined> {
    const hash = queueName(tx);
    if (hash === undefined) return unreadable;
    if (this.#parts.queue.get(hash)) return this.#recheck(tx);
    const signed = openNetworkBytes(tx);
    if (!signed) return unreadable;
    this.#underWay.set(hash, tx);
    try {
      const { refusal } = await this.#parts.admit(signed);
      // In the queue without some signatures: others are offered the bytes that this node keeps.
      return refusal ?? this.#recheck(tx);
    } finally {
      this.#underWay.delete(hash);
    }
  }
}
