/**
 * Blocks of a node that is alone: it decides by itself when a block closes and signs it with its validator key. A block
 * closes when there is something to do: as soon as nothing has come for a tenth of `blockIntervalMs`, at most that long
 * after the first waiting transaction, at once when a block is full or the one before it took that long. Empty heartbeat
 * blocks are optional. If the clock is behind the last block, the driver waits for it, except when the gap is at most
 * `aheadMsMax`.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import { blockLimits } from '@symbolon/core/limits/consensus';
import { PbftProofSchema, PbftSchema } from '@symbolon/core/proto/ledger_pb';
import { ledgerTimeLimits } from '@symbolon/host/limits/server-limits';
import type { Clock } from '@symbolon/host/work/clock';
import type { Chain, CommittedBlock, PreparedBlock } from '../chain/chain.ts';
import type { QueuedTransaction } from '../queue/admission.ts';
import type { WaitingQueue } from '../queue/waiting-queue.ts';
import { contractRoom } from './contract-room.ts';
import type { Driver } from './driver.ts';
import { giveBack } from './give-back.ts';

/** The vote this driver gives its own blocks. */
const commitVote = 2;

/** Into so many turns the interval is divided: a turn in which nothing came is its last. */
const turnsMax = 10;

export interface Validator {
  readonly address: string;
  /** The encoded public key, as signatures carry it. */
  readonly publicKey: string;
  sign(message: Uint8Array): Uint8Array;
}

export interface SoloDriverOptions {
  readonly chain: Chain;
  readonly queue: WaitingQueue<QueuedTransaction>;
  readonly validator: Validator;
  readonly clock: Clock;
  readonly blockIntervalMs: number;
  /** 0 makes no empty blocks. */
  readonly heartbeatMs: number;
  /** How far ahead of the clock a block may close. */
  readonly aheadMsMax: number;
  /** How much contracts may do in a block, asked for each; `contractRoom` unless told. */
  readonly roomForContracts?: () => (contractGas: bigint) => boolean;
  onBlock(block: CommittedBlock): void;
  /** A transaction the block's rules did not admit after all. */
  onDropped(transaction: QueuedTransaction, refusal: LedgerRefusal): void;
  /** The chain cannot go on: a write failed or an invariant broke. */
  onFailure(error: unknown): void;
}

export class SoloDriver implements Driver {
  readonly #options: SoloDriverOptions;
  /** Runs from the first transaction that waits for the next block, also while one is being made; turn by turn. */
  #timer: NodeJS.Timeout | undefined;
  #turns = 0;
  /** Something came in this turn. */
  #isBusy = false;
  /** The timer ran out while a block was being made. */
  #isDue = false;
  #heartbeat: NodeJS.Timeout | undefined;
  #making: Promise<void> | undefined;
  #stopped = false;
  /** Since when something waits and no block was made. */
  #waitingSinceMs: number | undefined;

  constructor(options: SoloDriverOptions) {
    this.#options = options;
    this.#restartHeartbeat();
  }

  /** A single validator decides alone: nobody else's fault is tolerated, nobody else's vote is needed. */
  get consensus() {
    const { address: leader } = this.#options.validator;
    return {
      type: 'solo',
      isLeader: true,
      leader,
      replicaId: 0,
      viewNumber: 0,
      quorumSize: 1,
      faultNumber: 0,
    };
  }

  get validationAddress(): string {
    return this.#options.validator.address;
  }

  wake(): void {
    if (this.#stopped || this.#isDue) return;
    this.#waitingSinceMs ??= performance.now();
    const isFull = this.#options.queue.readyAccounts >= blockLimits.transactionsMax;
    if (isFull && !this.#making) this.#make();
    else if (this.#timer) this.#isBusy = true;
    else this.#beginTurn();
  }

  get waitingMs(): number {
    return this.#waitingSinceMs === undefined ? 0 : performance.now() - this.#waitingSinceMs;
  }

  async closeBlock(): Promise<void> {
    while (this.#making) await this.#making;
    this.#make(true);
    await this.#making;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#heartbeat);
    await this.#making;
  }

  #beginTurn(): void {
    this.#isBusy = false;
    this.#timer = setTimeout(() => this.#endTurn(), this.#options.blockIntervalMs / turnsMax);
  }

  #endTurn(): void {
    this.#turns++;
    if (this.#isBusy && this.#turns < turnsMax) this.#beginTurn();
    else this.#whenDue();
  }

  #whenDue(): void {
    this.#isDue = true;
    this.#make();
  }

  #make(isHeartbeat = false): void {
    if (this.#stopped || this.#making) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#turns = 0;
    this.#isDue = false;
    const { clock, blockIntervalMs } = this.#options;
    const startedAtMs = clock.nowMs();
    this.#making = this.#makeBlock(isHeartbeat)
      .then((next) => {
        this.#making = undefined;
        this.#restartHeartbeat();
        if (next === 'clockBehind') {
          this.#timer ??= setTimeout(() => this.#whenDue(), ledgerTimeLimits.waitMs);
          return;
        }
        if (next === 'idle') this.#waitingSinceMs = undefined;
        else this.#waitingSinceMs ??= performance.now();
        // What arrived while this block was made has waited long enough: waiting for more would only waste time.
        const isLate = clock.nowMs() - startedAtMs >= blockIntervalMs;
        if (next === 'now' || this.#isDue || (next === 'later' && isLate)) this.#make();
        else if (next === 'later') this.wake();
      })
      .catch((error) => {
        this.#stopped = true;
        this.#options.onFailure(error);
      });
  }

  /** One block, if there is reason for it; answers when the next is due: `idle` if nothing waits. */
  async #makeBlock(isHeartbeat: boolean): Promise<'now' | 'later' | 'idle' | 'clockBehind'> {
    const { chain, clock, queue, aheadMsMax, roomForContracts = contractRoom } = this.#options;
    const now = clock.nowMicros();
    const closeTime = now > chain.head.closeTime ? now : chain.head.closeTime + 1n;
    if (closeTime - now > BigInt(aheadMsMax) * 1_000n) return 'clockBehind';
    const taken = queue.take(blockLimits);
    if (taken.length === 0 && !isHeartbeat) return 'idle';
    const prepared = await chain.prepare(
      taken.map(({ verified }) => verified),
      closeTime,
      { hasRoom: roomForContracts() },
    );
    this.#giveBack(taken, prepared);
    if (prepared.executed.transactions.length === 0 && !isHeartbeat) return queue.size > 0 ? 'later' : 'idle';
    const block = await chain.commit(prepared, this.#proofOf(prepared));
    this.#waitingSinceMs = undefined;
    queue.settle(
      block.executed.transactions.map(({ verified: { signed } }) => ({
        source: signed.transaction.sourceAddress,
        nonce: signed.transaction.nonce,
      })),
    );
    this.#options.onBlock(block);
    if (prepared.executed.postponed.length > 0) return 'now';
    return queue.size > 0 ? 'later' : 'idle';
  }

  /** What the block had no room for waits on; what does not belong in any is forgotten. */
  #giveBack(taken: readonly QueuedTransaction[], { executed }: PreparedBlock): void {
    if (executed.dropped.length + executed.postponed.length === 0) return;
    const { queue, onDropped } = this.#options;
    const queued = new Map<VerifiedTransaction, QueuedTransaction>(
      taken.map((transaction) => [transaction.verified, transaction]),
    );
    giveBack({
      queue,
      postponed: executed.postponed.flatMap((verified) => queued.get(verified) ?? []),
      dropped: executed.dropped.flatMap(({ verified, refusal }) => {
        const transaction = queued.get(verified);
        return transaction ? [{ transaction, refusal }] : [];
      }),
      onDropped,
    });
  }

  /** What the only validator says of a block: a signed commit of its consensus value. */
  #proofOf({ closed }: PreparedBlock): Uint8Array {
    const { validator } = this.#options;
    const { seq, chainId, consensusValueHash } = closed.header;
    const pbft = create(PbftSchema, {
      roundNumber: 1n,
      type: commitVote,
      commit: { sequence: seq, valueDigest: consensusValueHash },
      chainId,
    });
    const signature = {
      publicKey: validator.publicKey,
      signData: validator.sign(toBinary(PbftSchema, pbft)),
    };
    return toBinary(PbftProofSchema, create(PbftProofSchema, { commits: [{ pbft, signature }] }));
  }

  #restartHeartbeat(): void {
    const { heartbeatMs } = this.#options;
    clearTimeout(this.#heartbeat);
    if (heartbeatMs > 0 && !this.#stopped) this.#heartbeat = setTimeout(() => this.#make(true), heartbeatMs);
  }
}
