/**
 * A block that CometBFT has decided: executed in memory (FinalizeBlock), then written with one synced write (Commit). The
 * same transactions, time and proposer lead every node to the same header, so CometBFT may ask for a block again that it
 * lost the answer to. What the rules of the block did not admit has no trace in it, and its sender is told.
 */
import { create } from '@bufbuild/protobuf';
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { findValidator } from '@symbolon/core/ledger/terms/validators';
import { MisbehaviorSchema } from '@symbolon/core/proto/ledger_pb';
import {
  ExecTxResult,
  type RequestFinalizeBlock,
  type ResponseFinalizeBlock,
} from 'cosmjs-types/tendermint/abci/types';
import { AbciRefusal } from '../../abci/abci-server.ts';
import type { Chain, CommittedBlock, PreparedBlock } from '../../chain/chain.ts';
import type { QueuedTransaction } from '../../queue/admission.ts';
import type { WaitingQueue } from '../../queue/waiting-queue.ts';
import type { VerifySignature } from '../../signatures/signers.ts';
import { giveBack } from '../give-back.ts';
import { openBlock } from './block-transactions.ts';
import { closeTimeAfter } from './close-time.ts';
import { networkBytes } from './network-bytes.ts';

export interface BlockMakerParts {
  readonly chain: Chain;
  readonly queue: WaitingQueue<QueuedTransaction>;
  readonly verify: VerifySignature;
  onDropped(transaction: QueuedTransaction, refusal: LedgerRefusal): void;
}

interface Decided {
  readonly prepared: PreparedBlock;
  /** Each with the bytes in which it stood in the block. */
  readonly given: ReadonlyMap<VerifiedTransaction, Uint8Array>;
}

/** The block had no room left for its contracts: whoever has it in a queue offers it again. */
const noRoom = refuse('queueFull', 'the block had no room for it: it waits on');
const unreadable = refuse('invalidParameter', 'these bytes are not a transaction of this ledger');

const executed: ExecTxResult = ExecTxResult.fromPartial({});

const resultOf = (refusal: LedgerRefusal | undefined): ExecTxResult =>
  refusal
    ? ExecTxResult.fromPartial({ code: refusal.code, log: refusal.description, codespace: 'symbolon' })
    : executed;

export class BlockMaker {
  readonly #parts: BlockMakerParts;
  #decided: Decided | undefined;

  constructor(parts: BlockMakerParts) {
    this.#parts = parts;
  }

  async finalize(request: RequestFinalizeBlock): Promise<ResponseFinalizeBlock> {
    const { chain, queue, verify } = this.#parts;
    const { keys, sha256 } = chain.rules;
    this.#decided = undefined;
    assertNext(chain, request.height);
    const proposer = findValidator(chain.validators, request.proposerAddress, sha256);
    if (!proposer) throw new AbciRefusal(`block ${request.height} is proposed by nobody who may propose it`);
    const accountOf = (address: string) => chain.state.account(address);
    const opened = await openBlock(request.txs, { queue, keys, verify, accountOf });
    const given = new Map(
      opened.flatMap((verified, index): [VerifiedTransaction, Uint8Array][] =>
        verified ? [[verified, request.txs[index] as Uint8Array]] : [],
      ),
    );
    const prepared = await chain.prepare(given.keys(), closeTimeAfter(chain.head.closeTime, request.time), {
      proposer: proposer.address,
      misbehavior: request.misbehavior.map(({ validator, type, height }) =>
        create(MisbehaviorSchema, { address: validator.address, type, height }),
      ),
    });
    this.#decided = { prepared, given };
    const refusals = refusalsOf(prepared);
    return {
      events: [],
      consensusParamUpdates: undefined,
      appHash: appHashOf(prepared.closed.header, sha256),
      txResults: opened.map((verified) => resultOf(verified ? refusals.get(verified) : unreadable)),
      validatorUpdates: prepared.validatorUpdates.map(({ publicKey, power }) => ({
        pubKey: { ed25519: publicKey },
        power,
      })),
    };
  }

  /** What was not executed waits on, or has left the queue, when this is over. */
  async commit(): Promise<CommittedBlock> {
    const { chain, queue, onDropped } = this.#parts;
    if (!this.#decided) throw new AbciRefusal('there is no block to commit');
    const { prepared, given } = this.#decided;
    this.#decided = undefined;
    const block = await chain.commit(prepared);
    const { transactions, dropped, postponed } = block.executed;
    queue.settle(
      transactions.map(({ verified: { signed } }) => ({
        source: signed.transaction.sourceAddress,
        nonce: signed.transaction.nonce,
      })),
    );
    // With other signatures it is another matter: the one that waits here was not refused.
    const waiting = (verified: VerifiedTransaction): QueuedTransaction | undefined => {
      const queued = queue.get(encodeHex(verified.signed.hash));
      const bytes = given.get(verified);
      return queued && bytes && equalBytes(networkBytes(queued), bytes) ? queued : undefined;
    };
    giveBack({
      queue,
      postponed: postponed.flatMap((verified) => waiting(verified) ?? []),
      dropped: dropped.flatMap(({ verified, refusal }) => {
        const transaction = waiting(verified);
        return transaction ? [{ transaction, refusal }] : [];
      }),
      onDropped,
    });
    return block;
  }
}

/** Blocks come in order; any other means that CometBFT has another past than this node. */
export function assertNext({ head }: Pick<Chain, 'head'>, height: bigint): void {
  if (height !== head.seq + 1n)
    throw new AbciRefusal(`CometBFT is at height ${height}, this node's next block is ${head.seq + 1n}`);
}

function refusalsOf({ executed }: PreparedBlock): ReadonlyMap<VerifiedTransaction, LedgerRefusal> {
  const refusals = new Map<VerifiedTransaction, LedgerRefusal>();
  for (const { verified, outcome } of executed.transactions)
    if (outcome.failure) refusals.set(verified, outcome.failure);
  for (const { verified, refusal } of executed.dropped) refusals.set(verified, refusal);
  for (const verified of executed.postponed) refusals.set(verified, noRoom);
  return refusals;
}
