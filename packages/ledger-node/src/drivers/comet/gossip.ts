/**
 * CheckTx: what this node's CometBFT asks about each message that reaches it, from a peer or from this node itself: one
 * transaction, or a bundle of several. New ones go through the same checks into the same queue as a submission. CometBFT
 * keeps a transaction that the queue keeps, in exactly these bytes, and a bundle of which everything was new here, so that
 * nobody can have transactions that wait sent around again in other company; asked again after a block, it is told whether
 * anything of it still waits.
 */
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { Turns } from '@symbolon/host/work/turns';
import { CheckTxType, type RequestCheckTx, type ResponseCheckTx } from 'cosmjs-types/tendermint/abci/types';
import { cometLimits } from '../../limits/node-limits.ts';
import type { Admitted, QueuedTransaction } from '../../queue/admission.ts';
import type { WaitingQueue } from '../../queue/waiting-queue.ts';
import { openBundle } from './bundles.ts';
import { findQueued, networkBytes, noteNetworkBytes, openNetworkBytes, queueName } from './network-bytes.ts';

export interface GossipParts {
  readonly queue: Pick<WaitingQueue<QueuedTransaction>, 'get' | 'isInReach'>;
  admit(signed: SignedTransaction): Promise<Admitted>;
  /** Whether this node has made the bundle. */
  isOwnBundle(bytes: Uint8Array): boolean;
  /** New here, and in no message that CometBFT keeps. */
  offer(transactions: readonly QueuedTransaction[]): void;
}

const unreadable = refuse('invalidParameter', 'these bytes are not a transaction of this ledger');
const otherBytes = refuse('alreadyExists', 'the transaction waits with other signatures');
const noLongerWaiting = refuse('timeout', 'the transaction waits no longer');
const behindGap = refuse('timeout', 'the transaction waits for an earlier one of its account');
const tooMany = refuse('queueFull', 'more bundles came than can be verified at the moment');
const notAllNew = refuse('alreadyExists', 'not everything in the bundle is new here');

interface Arriving {
  readonly hash: string;
  readonly signed: SignedTransaction;
  readonly bytes: Uint8Array;
}

const answerOf = (refusal: LedgerRefusal | undefined): ResponseCheckTx => ({
  code: refusal?.code ?? 0,
  data: new Uint8Array(0),
  log: refusal?.description ?? '',
  info: '',
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
  codespace: '',
});

export class Gossip {
  readonly #parts: GossipParts;
  /** By hash, what is being checked: CometBFT has these bytes and needs no offer. */
  readonly #underWay = new Map<string, Arriving>();
  readonly #bundleTurns = new Turns(cometLimits.bundlesCheckedAtOnce);

  constructor(parts: GossipParts) {
    this.#parts = parts;
  }

  /** Whether it came from CometBFT, in these very bytes. */
  isArriving(transaction: QueuedTransaction): boolean {
    const arriving = this.#underWay.get(transaction.hash);
    if (!arriving) return false;
    const { signatures } = transaction.verified.signed;
    const given = arriving.signed.signatures;
    const isSame =
      given.length === signatures.length &&
      given.every((signature, index) => signature === signatures[index]);
    if (isSame) noteNetworkBytes(transaction, arriving.bytes);
    return isSame || equalBytes(arriving.bytes, networkBytes(transaction));
  }

  async check({ tx, type }: RequestCheckTx): Promise<ResponseCheckTx> {
    const bundle = openBundle(tx);
    if (type === CheckTxType.RECHECK)
      return answerOf(bundle ? this.#recheckBundle(bundle) : this.#recheck(tx));
    if (!bundle) return answerOf(await this.#admit(tx));
    // Whoever sends more than can be verified must not hold up what comes after it, blocks among it.
    if (this.#bundleTurns.waiting >= cometLimits.bundlesWaitingMax) return answerOf(tooMany);
    return answerOf(await this.#bundleTurns.run(() => this.#admitBundle(tx, bundle)));
  }

  #recheck(tx: Uint8Array): LedgerRefusal | undefined {
    const waiting = findQueued(tx, this.#parts.queue);
    if (waiting) return this.#isWorthItsPlace(waiting) ? undefined : behindGap;
    const hash = queueName(tx);
    return hash !== undefined && this.#parts.queue.get(hash) ? otherBytes : noLongerWaiting;
  }

  #recheckBundle(bundle: readonly Uint8Array[]): LedgerRefusal | undefined {
    const waiting = bundle.flatMap((bytes) => findQueued(bytes, this.#parts.queue) ?? []);
    if (waiting.some((one) => this.#isWorthItsPlace(one))) return undefined;
    return waiting.length > 0 ? behindGap : noLongerWaiting;
  }

  /** CometBFT's list is short, and what waits for an earlier one of its account costs its sender nothing there. */
  #isWorthItsPlace({ hash, arrivedAtMs }: QueuedTransaction): boolean {
    return performance.now() - arrivedAtMs <= cometLimits.gapMs || this.#parts.queue.isInReach(hash);
  }

  async #admit(tx: Uint8Array): Promise<LedgerRefusal | undefined> {
    const hash = queueName(tx);
    if (hash === undefined) return unreadable;
    if (this.#parts.queue.get(hash)) return this.#recheck(tx);
    const signed = openNetworkBytes(tx);
    if (!signed) return unreadable;
    const refusal = await this.#admitOne({ hash, signed, bytes: tx });
    // In the queue without some signatures: others are offered the bytes that this node keeps.
    return refusal ?? this.#recheck(tx);
  }

  async #admitOne(arriving: Arriving): Promise<LedgerRefusal | undefined> {
    const { hash, signed } = arriving;
    this.#underWay.set(hash, arriving);
    try {
      return (await this.#parts.admit(signed)).refusal;
    } finally {
      this.#underWay.delete(hash);
    }
  }

  /** Everything that is new in it is taken, whatever becomes of the bundle. */
  async #admitBundle(tx: Uint8Array, bundle: readonly Uint8Array[]): Promise<LedgerRefusal | undefined> {
    const { queue, isOwnBundle, offer } = this.#parts;
    if (isOwnBundle(tx)) return this.#recheckBundle(bundle);
    const names = bundle.map(queueName);
    if (new Set(names).size < bundle.length) return unreadable;
    const opened: Arriving[] = [];
    for (const [index, bytes] of bundle.entries()) {
      if (findQueued(bytes, queue, names[index])) continue;
      const signed = openNetworkBytes(bytes);
      if (!signed) return unreadable;
      opened.push({ hash: encodeHex(signed.hash), signed, bytes });
    }
    const refusals = await Promise.all(opened.map((arriving) => this.#admitOne(arriving)));
    const taken = opened.flatMap(({ hash, bytes }, index) =>
      refusals[index] ? [] : (findQueued(bytes, queue, hash) ?? []),
    );
    if (taken.length === bundle.length) return undefined;
    offer(taken);
    return notAllNew;
  }
}
