/**
 * The ledger node, wired: store → chain → queue → admission → driver. The interfaces (HTTP, WebSocket, command
 * line) stand on this and keep nothing of the ledger themselves.
 */
import { availableParallelism } from 'node:os';
import { assert } from '@symbolon/core/basics/assert';
import { isPastCeiling } from '@symbolon/core/ledger/checks/check-transaction';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { treeLimits } from '@symbolon/core/limits/tree';
import type { Account, Signature } from '@symbolon/core/proto/ledger_pb';
import { ledgerTimeLimits } from '@symbolon/host/limits/server-limits';
import { freeBytes } from '@symbolon/host/telemetry/disk-room';
import { type Clock, systemClock } from '@symbolon/host/work/clock';
import { Chain, type CommittedBlock } from '../chain/chain.ts';
import { checkExecutionHost } from '../chain/execution-host.ts';
import { hashPairs } from '../chain/hash-pairs.ts';
import type { CometDriver, CometSettings } from '../drivers/comet/comet-driver.ts';
import type { SnapshotFolder } from '../drivers/comet/snapshot-folder.ts';
import type { Driver } from '../drivers/driver.ts';
import { SoloDriver, type SoloDriverOptions, type Validator } from '../drivers/solo-driver.ts';
import { queueLimits, signatureLimits, snapshotLimits } from '../limits/node-limits.ts';
import { type Admitted, QueueAdmission, type QueuedTransaction } from '../queue/admission.ts';
import { type MempoolOptions, WaitingQueue } from '../queue/waiting-queue.ts';
import { SandboxQueue } from '../sandbox/sandbox-queue.ts';
import { SignaturePool } from '../signatures/signature-pool.ts';
import type { VerifySignature } from '../signatures/signers.ts';
import type { Store } from '../store/store.ts';
import { nodeVersion } from './node-version.ts';

/** What an operator may change without changing the chain. */
export interface NodeSettings {
  readonly blockIntervalMs: number;
  readonly heartbeatMs: number;
  /** How far ahead of the clock a block may close. */
  readonly aheadMsMax: number;
  readonly queue: Pick<
    MempoolOptions<QueuedTransaction>,
    'transactionsMax' | 'transactionsPerAccountMax' | 'lifetimeMs'
  >;
  readonly signatureWorkers: number;
  readonly stateCacheEntriesMax: number;
  readonly treeCacheBytesMax: number;
  /** Of a network: where its CometBFT is. */
  readonly cometbft: CometSettings;
}

export const defaultNodeSettings: NodeSettings = {
  blockIntervalMs: 200,
  heartbeatMs: 0,
  aheadMsMax: ledgerTimeLimits.aheadMsMax,
  queue: {
    transactionsMax: queueLimits.transactionsMax,
    transactionsPerAccountMax: queueLimits.transactionsPerAccountMax,
    lifetimeMs: queueLimits.lifetimeMs,
  },
  // Beside the event loop, which takes a processor for itself and feeds no more than a few threads.
  signatureWorkers: Math.max(1, Math.min(availableParallelism() - 1, signatureLimits.workersUsualMax)),
  stateCacheEntriesMax: 100_000,
  treeCacheBytesMax: treeLimits.cacheBytesMax,
  cometbft: {
    abci: 'tcp://127.0.0.1:26658',
    rpc: 'http://127.0.0.1:26657',
    snapshotEvery: 1_000,
    snapshotBytesMax: snapshotLimits.bytesMaxUsual,
  },
};

export interface LedgerNodeOptions {
  readonly store: Store;
  readonly rules: LedgerRules;
  /** Who signs the blocks of a chain of one node; a network needs none here. */
  readonly validator?: Validator | undefined;
  readonly settings?: Partial<NodeSettings>;
  /** Of a network: a folder for snapshots of its state; none are taken without. */
  readonly snapshotsPath?: string | undefined;
  /** Of a network: the chain goes on from the snapshot of this block. */
  readonly onSnapshotBegun?: ((seq: bigint) => Promise<void>) | undefined;
  /** Of a network: where the plan of an upgrade stands. */
  readonly upgradePath?: string | undefined;
  readonly clock?: Clock;
  /** The chain cannot go on; the process should end. */
  readonly onFailure: (error: unknown) => void;
  /** What an operator wants to know of the node and its CometBFT. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

/** What only a node of a network has. */
interface NetworkParts {
  readonly snapshots: SnapshotFolder | undefined;
  freeBytes(): Promise<number>;
  makeDriver(...order: ConstructorParameters<typeof CometDriver>): CometDriver;
}

/** What happens on a node, for whoever watches it. Watchers are told after the fact and cannot object. */
export interface NodeWatcher {
  block?(block: CommittedBlock): void;
  submitted?(admitted: Admitted): void;
  dropped?(transaction: QueuedTransaction, refusal: LedgerRefusal): void;
}

export class LedgerNode {
  readonly chain: Chain;
  readonly queue: WaitingQueue<QueuedTransaction>;
  /** Where everything that runs contracts outside of blocks takes its turn. */
  readonly sandbox = new SandboxQueue();
  readonly clock: Clock;
  readonly startedAtMs: number;
  readonly aheadMsMax: number;
  readonly #admission: QueueAdmission;
  readonly driver: Driver;
  /** The same one, where it is a network's. */
  readonly cometDriver: CometDriver | undefined;
  readonly #signatures: SignaturePool;
  readonly #sweep: NodeJS.Timeout;
  readonly #watchers = new Set<NodeWatcher>();

  private constructor(
    chain: Chain,
    options: LedgerNodeOptions,
    { settings, network }: { settings: NodeSettings; network: NetworkParts | undefined },
  ) {
    this.chain = chain;
    this.clock = options.clock ?? systemClock;
    this.startedAtMs = this.clock.nowMs();
    this.aheadMsMax = settings.aheadMsMax;
    this.#signatures = new SignaturePool({ workers: settings.signatureWorkers });
    this.queue = new WaitingQueue({
      ...settings.queue,
      departedHashesMax: queueLimits.departedHashesMax,
      accountNonce: (address) => this.account(address)?.nonce ?? 0n,
      isPast: ({ verified }) => isPastCeiling(verified.signed.transaction, chain.head.seq + 1n),
      onEvicted: (transaction, refusal) => this.#tell((watcher) => watcher.dropped?.(transaction, refusal)),
    });
    this.#admission = new QueueAdmission({
      chain,
      queue: this.queue,
      verify: this.#verify,
      sandbox: this.sandbox,
      clock: this.clock,
      onQueued: (transaction) => this.driver.wake(transaction),
    });
    const parts = {
      chain,
      queue: this.queue,
      onBlock: (block: CommittedBlock) => this.#tell((watcher) => watcher.block?.(block)),
      onDropped: (transaction: QueuedTransaction, refusal: LedgerRefusal) =>
        this.#tell((watcher) => watcher.dropped?.(transaction, refusal)),
      onFailure: options.onFailure,
    };
    this.cometDriver = network?.makeDriver({
      ...parts,
      snapshots: network.snapshots,
      freeBytes: network.freeBytes,
      program: { planFile: options.upgradePath, version: nodeVersion },
      settings: settings.cometbft,
      verify: this.#verify,
      admit: (signed) => this.#admitGossip(signed),
      onNotice: options.onNotice ?? (() => {}),
      onSnapshotBegun: options.onSnapshotBegun ?? (async () => {}),
    });
    this.driver = this.cometDriver ?? soloDriver({ ...settings, ...parts, clock: this.clock }, options);
    this.#sweep = setInterval(() => this.queue.expire(performance.now()), queueLimits.sweepIntervalMs);
    this.#sweep.unref();
  }

  static async open(options: LedgerNodeOptions): Promise<LedgerNode> {
    checkExecutionHost();
    const settings = { ...defaultNodeSettings, ...options.settings };
    const { store, rules } = options;
    const network = rules.parameters.network && (await loadNetworkParts(options));
    const chain = await Chain.open({ ...settings, store, rules, hashPairs });
    const node = new LedgerNode(chain, options, { settings, network });
    await node.driver.start?.().catch(async (error) => {
      await node.close();
      throw error;
    });
    return node;
  }

  /** How far the last block closed ahead of the clock of this machine; less than 0 usually. */
  get aheadMs(): number {
    return Number(this.chain.head.closeTime / 1_000n) - this.clock.nowMs();
  }

  account(address: string): Account | undefined {
    return this.chain.state.account(address);
  }

  async submit(blob: Uint8Array, signatures: readonly Signature[]): Promise<Admitted> {
    const admitted = await this.#admission.submit(blob, signatures);
    this.#tell((watcher) => watcher.submitted?.(admitted));
    return admitted;
  }

  /** One that other validators sent: heard of here as if it had been submitted here, but only if it waits now. */
  async #admitGossip(signed: SignedTransaction): Promise<Admitted> {
    const admitted = await this.#admission.submitOpened(signed);
    if (!admitted.refusal) this.#tell((watcher) => watcher.submitted?.(admitted));
    return admitted;
  }

  readonly #verify: VerifySignature = (publicKey, signature, message) =>
    this.#signatures.verify(publicKey, signature, message);

  /** Starts watching; the function returned ends it. */
  watch(watcher: NodeWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Finishes the block under way, then lets go of everything. Waiting transactions are their senders' to repeat. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await this.driver.stop();
    await this.#signatures.close();
    await this.chain.close();
  }

  #tell(event: (watcher: NodeWatcher) => void): void {
    for (const watcher of this.#watchers) event(watcher);
  }
}

/** Loaded where there is a network: what speaks with CometBFT is no business of a node that is alone. */
async function loadNetworkParts({ snapshotsPath }: LedgerNodeOptions): Promise<NetworkParts> {
  const { CometDriver } = await import('../drivers/comet/comet-driver.ts');
  const { SnapshotFolder } = await import('../drivers/comet/snapshot-folder.ts');
  return {
    snapshots: snapshotsPath === undefined ? undefined : await SnapshotFolder.open(snapshotsPath),
    // The store is beside them; without a folder nothing is on a disk.
    freeBytes: async () =>
      snapshotsPath === undefined ? Number.POSITIVE_INFINITY : await freeBytes(snapshotsPath),
    makeDriver: (options) => new CometDriver(options),
  };
}

function soloDriver(
  parts: Omit<SoloDriverOptions, 'validator'>,
  { validator }: Pick<LedgerNodeOptions, 'validator'>,
): SoloDriver {
  assert(validator, 'a node that makes its blocks alone has a key to sign them');
  return new SoloDriver({ ...parts, validator });
}
