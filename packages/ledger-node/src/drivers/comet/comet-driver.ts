/**
 * Blocks of a network: CometBFT, a process beside this one, agrees on them with the other validators and asks over ABCI
 * what to propose, what to vote for and what a decided block leads to. What concerns blocks is done one after the other,
 * whatever connection it comes from; transactions are checked beside it.
 */

import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { OperatorError } from '@symbolon/core/faults/operator-errors';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { consensusAddress, validatorsInState } from '@symbolon/core/ledger/terms/validators';
import {
  ResponseVerifyVoteExtension_VerifyStatus as ExtensionStatus,
  ResponseProcessProposal_ProposalStatus as ProposalStatus,
  type RequestFinalizeBlock,
  type RequestInitChain,
  ResponseCommit,
  ResponseExtendVote,
  ResponseInfo,
  ResponseInitChain,
  ResponsePrepareProposal,
  ResponseProcessProposal,
  ResponseVerifyVoteExtension,
} from 'cosmjs-types/tendermint/abci/types';
import { parseAbciAddress } from '../../abci/abci-address.ts';
import { type AbciHandlers, AbciRefusal, AbciServer } from '../../abci/abci-server.ts';
import type { Chain, CommittedBlock } from '../../chain/chain.ts';
import { readBlock } from '../../chain/chain-reader.ts';
import { cometLimits } from '../../limits/node-limits.ts';
import type { Admitted, QueuedTransaction } from '../../queue/admission.ts';
import type { WaitingQueue } from '../../queue/waiting-queue.ts';
import type { VerifySignature } from '../../signatures/signers.ts';
import type { Driver } from '../driver.ts';
import { assertNext, BlockMaker } from './block-maker.ts';
import { CometRpc } from './comet-rpc.ts';
import { CometWatch } from './comet-watch.ts';
import { consensusOf } from './consensus-view.ts';
import { ExpectedGas } from './expected-gas.ts';
import { Gossip } from './gossip.ts';
import { genesisProblem } from './handshake.ts';
import { LightBlocks } from './light-blocks.ts';
import { Offers } from './offers.ts';
import { Proposals, proposalProblem } from './proposals.ts';
import type { SnapshotFolder } from './snapshot-folder.ts';
import { SnapshotMaker } from './snapshot-maker.ts';
import { answerStateQuery } from './state-query.ts';
import { StateSync } from './state-sync.ts';
import { assertOwnBlock, type OwnProgram } from './upgrade-plan.ts';

/** Where CometBFT asks this node, and where this node asks CometBFT. */
export interface CometSettings {
  readonly abci: string;
  readonly rpc: string;
  /** After so many blocks a snapshot of the state is taken, for nodes that join; 0 for never. */
  readonly snapshotEvery: number;
  /** The largest snapshot of others that the node begins with. */
  readonly snapshotBytesMax: number;
}

export interface CometDriverOptions {
  readonly chain: Chain;
  readonly queue: WaitingQueue<QueuedTransaction>;
  readonly settings: CometSettings;
  /** Where snapshots are kept; none are taken without. */
  readonly snapshots?: SnapshotFolder | undefined;
  /** What is free on the disk of the store. */
  freeBytes(): Promise<number>;
  /** What this program may make blocks up to. */
  readonly program: OwnProgram;
  readonly verify: VerifySignature;
  /** The checks of a submission, and its place in the queue. */
  admit(signed: SignedTransaction): Promise<Admitted>;
  onBlock(block: CommittedBlock): void;
  onDropped(transaction: QueuedTransaction, refusal: LedgerRefusal): void;
  /** Something between this node and its CometBFT that an operator wants to know. */
  onNotice(text: string): void;
  /** The chain goes on from the snapshot of this block. */
  onSnapshotBegun(seq: bigint): Promise<void>;
  onFailure(error: unknown): void;
}

/** The network makes no blocks. */
export class NoBlock extends OperatorError {
  override name = 'NoBlock';
}

/** How long the last block took here, in seconds. */
interface BlockSeconds {
  execute: number;
  write: number;
}

export class CometDriver implements Driver {
  readonly #options: CometDriverOptions;
  readonly #rpc: CometRpc;
  readonly #watch: CometWatch;
  readonly #offers: Offers;
  readonly #gossip: Gossip;
  readonly #gas: ExpectedGas;
  readonly #proposals: Proposals;
  readonly #blocks: BlockMaker;
  readonly #lightBlocks: LightBlocks;
  readonly #snapshotMaker: SnapshotMaker | undefined;
  readonly #stateSync: StateSync;
  readonly seconds: BlockSeconds = { execute: 0, write: 0 };
  /** For the metrics: told how long each question of CometBFT took. */
  onAnswered: (kind: string, seconds: number) => void = () => {};
  #server: AbciServer | undefined;
  #again: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waitingSinceMs: number | undefined;
  /** Why the CometBFT that connected last does not belong here. */
  #stranger: string | undefined;
  #missed = 0;
  #nextBlock = Promise.withResolvers<'made' | 'ended'>();

  constructor(options: CometDriverOptions) {
    const { chain, queue, settings, snapshots: folder, onNotice, onFailure } = options;
    this.#options = options;
    this.#rpc = new CometRpc(settings.rpc);
    this.#watch = new CometWatch(this.#rpc, onFailure);
    this.#offers = new Offers({ rpc: this.#rpc, isWaiting: (hash) => queue.has(hash), onFailure });
    this.#gossip = new Gossip({
      ...options,
      isOwnBundle: (bytes) => this.#offers.isOwnBundle(bytes),
      offer: (transactions) => this.#offers.add(transactions),
    });
    this.#gas = new ExpectedGas(chain.state);
    this.#proposals = new Proposals(queue, this.#gas);
    this.#blocks = new BlockMaker(options);
    this.#lightBlocks = new LightBlocks({ ...options, chain, rpc: this.#rpc });
    const { snapshotEvery: everyBlocks } = settings;
    this.#snapshotMaker = folder && new SnapshotMaker({ chain, folder, everyBlocks, onNotice });
    this.#stateSync = new StateSync({
      chain,
      folder,
      room: { bytesMax: settings.snapshotBytesMax, freeBytes: options.freeBytes },
      onNotice,
      onBegun: async () => {
        await options.onSnapshotBegun(chain.head.seq);
        await this.#lightBlocks.beginAgain();
      },
    });
  }

  async start(): Promise<void> {
    const { settings, onFailure, onNotice } = this.#options;
    const { chain, program } = this.#options;
    // Said at the start, and not only when CometBFT asks.
    await assertOwnBlock(program, chain.head.seq + 1n);
    const address = parseAbciAddress(settings.abci);
    if (!address) throw new TypeError(`${settings.abci} is no address for ABCI`);
    this.#server = await AbciServer.listen({
      address,
      handlers: this.#handlers(),
      onRefused: (reason) => onNotice(`refused to CometBFT: ${reason}`),
      onAnswered: (kind, seconds) => this.onAnswered(kind, seconds),
      onGone: () => onNotice('CometBFT has gone: no blocks are made until it is back'),
      onFailure,
    });
    this.#watch.start();
    this.#again = setInterval(() => this.#offerAgain(), cometLimits.offerAgainMs).unref();
  }

  /** Where CometBFT finds this node. */
  get url(): string | undefined {
    return this.#server?.url;
  }

  get consensus() {
    return consensusOf(this.#options.chain, this.#watch.facts);
  }

  get validationAddress(): string {
    return this.#self?.address ?? '';
  }

  get waitingMs(): number {
    return this.#waitingSinceMs === undefined ? 0 : performance.now() - this.#waitingSinceMs;
  }

  /** Why no blocks come, if that is known. */
  get problem(): string | undefined {
    if (this.#stranger !== undefined) return `CometBFT runs another chain: ${this.#stranger}`;
    if (!this.#server || this.#server.connections === 0) return 'CometBFT is not connected';
    if (this.#stateSync.problem !== undefined) return this.#stateSync.problem;
    const { facts } = this.#watch;
    if (!facts) return "CometBFT's RPC does not answer";
    return facts.isCatchingUp ? `CometBFT is catching up: it is at block ${facts.height}` : undefined;
  }

  /** For the metrics. */
  get network() {
    const { facts } = this.#watch;
    return {
      isConnected: (this.#server?.connections ?? 0) > 0,
      isCatchingUp: facts?.isCatchingUp ?? false,
      height: facts?.height,
      behind: facts ? Number(facts.height - this.#options.chain.head.seq) : 0,
      power: Number(this.#self?.pledgeCoinAmount ?? 0n),
      isJailed: this.#isJailed,
      peers: facts?.peers ?? 0,
      waiting: facts?.waiting ?? 0,
      toOffer: this.#offers.size,
      missedBlocks: this.#missed,
    };
  }

  wake(transaction: QueuedTransaction): void {
    this.#waitingSinceMs ??= performance.now();
    if (!this.#gossip.isArriving(transaction)) this.#offers.add([transaction]);
  }

  /** Blocks are the network's: the next one is waited for, so long. */
  async closeBlock(): Promise<void> {
    const { closeBlockMs } = cometLimits;
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => resolve('late'), closeBlockMs);
    const outcome = await Promise.race([this.#nextBlock.promise, late]);
    clearTimeout(timer);
    if (outcome === 'made') return;
    if (outcome === 'ended') throw new NoBlock('the node was ended before the network made a block');
    const reason = this.problem ?? 'its validators do not agree on one';
    throw new NoBlock(`the network made no block in ${closeBlockMs / 1_000} s: ${reason}`);
  }

  async stop(): Promise<void> {
    clearInterval(this.#again);
    this.#watch.close();
    this.#offers.close();
    this.#rpc.close();
    await this.#server?.close();
    await this.#turn;
    this.#stateSync.close();
    await this.#snapshotMaker?.close();
    await this.#lightBlocks.close();
    this.#nextBlock.resolve('ended');
  }

  /** Whether the council's entry says of its key that it was proved to have signed twice. */
  get #isJailed(): boolean {
    const { chain } = this.#options;
    const council = chain.rules.parameters.network?.council;
    const key = this.#watch.facts?.publicKey;
    // Half of a snapshot has no entry.
    if (!key || council === undefined || this.#stateSync.problem !== undefined) return false;
    const own = encodeHex(key);
    const { entries } = validatorsInState(chain.state, council, chain.rules);
    return entries.some(({ publicKey, jailed }) => publicKey === own && jailed !== undefined);
  }

  /** Its own validator, if it is one. */
  get #self() {
    const { chain } = this.#options;
    const key = this.#watch.facts?.publicKey;
    return key && chain.validators.validators.find(({ publicKey }) => equalBytes(publicKey, key));
  }

  #handlers(): AbciHandlers {
    return {
      info: () => this.#inTurn(() => this.#info()),
      initChain: (request) => this.#inTurn(() => this.#initChain(request)),
      query: (request) => answerStateQuery(request, this.#options.chain),
      checkTx: (request) => this.#gossip.check(request),
      prepareProposal: ({ height, maxTxBytes }) =>
        this.#inTurn(async () => {
          this.#stateSync.assertWhole();
          await assertOwnBlock(this.#options.program, height);
          assertNext(this.#options.chain, height);
          return ResponsePrepareProposal.fromPartial({ txs: this.#proposals.prepare(maxTxBytes) });
        }),
      processProposal: ({ txs, height }) => this.#vote(txs, height),
      finalizeBlock: (request) => this.#inTurn(() => this.#finalize(request)),
      commit: () => this.#inTurn(() => this.#commit()),
      extendVote: () => ResponseExtendVote.fromPartial({}),
      verifyVoteExtension: ({ voteExtension }) =>
        ResponseVerifyVoteExtension.fromPartial({
          status: voteExtension.length === 0 ? ExtensionStatus.ACCEPT : ExtensionStatus.REJECT,
        }),
      listSnapshots: () => this.#stateSync.list(),
      loadSnapshotChunk: (request) => this.#stateSync.load(request),
      offerSnapshot: (request) => this.#inTurn(() => this.#stateSync.offer(request)),
      applySnapshotChunk: (request) => this.#inTurn(() => this.#stateSync.apply(request)),
    };
  }

  /** On the word of an operator, whose nodes want to join now. */
  takeSnapshot(): void {
    this.#snapshotMaker?.take();
  }

  /** Also when CometBFT starts again while what its last process asked for is under way. */
  #inTurn<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** The first question of every CometBFT that starts: what it had of waiting transactions is gone. */
  #info(): ResponseInfo {
    const { chain } = this.#options;
    const { head, rules } = chain;
    this.#stranger = undefined;
    this.#proposals.giveBack();
    this.#offers.add(this.#inReach());
    this.#lightBlocks.wake();
    const isEmpty = head.seq === 1n;
    return ResponseInfo.fromPartial({
      data: 'symbolon',
      version: String(rules.parameters.ledgerVersion),
      appVersion: rules.parameters.ledgerVersion,
      // Our first block is made without CometBFT: to CometBFT, a chain that has no other is empty.
      lastBlockHeight: isEmpty ? 0n : head.seq,
      lastBlockAppHash: isEmpty ? new Uint8Array(0) : appHashOf(head, rules.sha256),
    });
  }

  #initChain(request: RequestInitChain): ResponseInitChain {
    this.#stateSync.assertWhole();
    const { chain } = this.#options;
    const { parameters, sha256 } = chain.rules;
    const genesis = readBlock(chain.rows, 1n).header;
    const problem =
      chain.head.seq > 1n
        ? 'it begins anew, and this node has blocks already'
        : genesisProblem(request, { genesis, validators: parameters.validators });
    if (problem !== undefined) {
      this.#stranger = problem;
      throw new AbciRefusal(`the genesis of CometBFT is not ours: ${problem}`);
    }
    return ResponseInitChain.fromPartial({ appHash: appHashOf(genesis, sha256) });
  }

  #vote(transactions: readonly Uint8Array[], height: bigint): ResponseProcessProposal {
    const problem = proposalProblem(transactions, this.#options.queue);
    if (problem !== undefined)
      this.#options.onNotice(`a proposal for block ${height} is refused: ${problem}`);
    return ResponseProcessProposal.fromPartial({
      status: problem === undefined ? ProposalStatus.ACCEPT : ProposalStatus.REJECT,
    });
  }

  async #finalize(request: RequestFinalizeBlock) {
    const startedAt = performance.now();
    this.#stateSync.assertWhole();
    await assertOwnBlock(this.#options.program, request.height);
    this.#countMissed(request);
    const answer = await this.#blocks.finalize(request);
    this.seconds.execute = (performance.now() - startedAt) / 1_000;
    return answer;
  }

  async #commit(): Promise<ResponseCommit> {
    const { queue, onBlock } = this.#options;
    const startedAt = performance.now();
    const block = await this.#blocks.commit();
    this.#gas.note(block.executed);
    this.#proposals.giveBack();
    this.seconds.write = (performance.now() - startedAt) / 1_000;
    this.#waitingSinceMs = queue.size > 0 ? performance.now() : undefined;
    onBlock(block);
    this.#lightBlocks.wake();
    this.#snapshotMaker?.wake();
    this.#endIfDue();
    this.#nextBlock.resolve('made');
    this.#nextBlock = Promise.withResolvers();
    return ResponseCommit.fromPartial({});
  }

  /** Also one that would never be asked for the next block, because too few go on: it stays no longer than others need it. */
  #endIfDue(): void {
    const { chain, program, onFailure } = this.#options;
    assertOwnBlock(program, chain.head.seq + 1n).catch((error) => {
      setTimeout(() => onFailure(error), cometLimits.upgradeGraceMs).unref();
    });
  }

  /** Whether the commit of the block before is without this validator's vote. */
  #countMissed({ decidedLastCommit }: RequestFinalizeBlock): void {
    const key = this.#watch.facts?.publicKey;
    if (!key) return;
    const address = consensusAddress(key, this.#options.chain.rules.sha256);
    const vote = decidedLastCommit?.votes.find(({ validator }) => equalBytes(validator.address, address));
    // 1: absent.
    if (vote?.blockIdFlag === 1) this.#missed++;
  }

  /** What waits here and for nothing that is missing. */
  #inReach(): readonly QueuedTransaction[] {
    const { queue } = this.#options;
    return queue.list(cometLimits.offerAgainMax).filter(({ hash }) => queue.isInReach(hash));
  }

  /** What CometBFT lost, or had no room for, must not wait until this node proposes. */
  #offerAgain(): void {
    const now = performance.now();
    const old = this.#inReach().filter(({ arrivedAtMs }) => now - arrivedAtMs > cometLimits.offerAgainMs);
    // Alone: CometBFT knows the very bytes again, which others than the first time would bundle otherwise.
    this.#offers.add(old, { alone: true });
    this.#lightBlocks.wake();
  }
}
