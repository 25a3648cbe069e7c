/**
 * A light client of a network of validators: what it says of the ledger's state rests on the signatures of more than
 * two thirds of the validators' power, followed from a block that the caller knows, and on no node's word. The first
 * node is asked; the others are compared with it, and two believed blocks of one height are reported.
 */
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { type StateEntry, stateKeys } from '@symbolon/core/ledger/terms/state';
import { msOfTime } from '@symbolon/core/light/light-block';
import { lightLimits } from '@symbolon/core/limits/light';
import type { Account, AssetStore, MetadataEntry } from '@symbolon/core/proto/ledger_pb';
import type { JsonValue } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf, notUnderstood } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import { createLedgerClient, type LedgerReply } from '../ledger/ledger-client.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { Transport } from '../transport/transport.ts';
import { blocksOf, type WaitTerms } from './block-nodes.ts';
import { keptText, type LightStorage, readKeptBlock } from './kept-block.ts';
import { type BlockSource, believeAnchor, followTo, type VerifiedBlock } from './light-chain.ts';
import { LightBlockRefused, NetworkForked } from './light-errors.ts';
import { provenEntry, seqOfProof } from './proven-state.ts';
import { type LightTrust, lightTermsOf, type TrustAnchor, trustedHashOf } from './trust-anchor.ts';

/** Which nodes are asked, what is believed without them, and how much a question may cost. */
export interface LightClientOptions extends LightTrust, Partial<WaitTerms> {
  /** The first is asked; what the others show is compared with it. */
  readonly nodes: readonly Transport[];
  readonly storage?: LightStorage;
  /** How many blocks one question may ask a node for. */
  readonly lightBlocksMax?: number;
  /** Milliseconds since 1970; this machine's clock, if left out. */
  readonly now?: () => number;
}

const optionMembers: MembersOf<LightClientOptions> = {
  anchor: true,
  trustingPeriodMs: true,
  clockDriftMs: true,
  nodes: true,
  storage: true,
  lightBlocksMax: true,
  now: true,
  waitMs: true,
  pollIntervalMs: true,
};

/** A block of the network that is believed. */
export interface BelievedHeader {
  readonly anchor: TrustAnchor;
  /** When it was made, by the clocks of the validators. */
  readonly timeMs: number;
  /** How many of the other nodes show the same block; what the rest show is not believed, or they did not answer. */
  readonly agreeing: number;
}

/** An entry of the state, or that there is none, with the block that proves it. */
export interface Proven<Entry extends StateEntry> {
  readonly entry: Entry | undefined;
  /** The block of the ledger after which the state was so. */
  readonly seq: bigint;
  readonly header: BelievedHeader;
  /** The node's answer, which proves it to others as well. */
  readonly reply: LedgerReply<'getStateProof'>;
}

/** Questions about the ledger, answered with what the validators have signed. */
export interface LightClient {
  /** The newest block that is believed by now. */
  newest(): Promise<BelievedHeader>;
  /** The block with this number, which must not be older than the newest that is believed. */
  header(seq: bigint): Promise<BelievedHeader>;
  account(address: string): Promise<Proven<Account>>;
  asset(
    address: string,
    key: { readonly issuer: string; readonly code: string },
  ): Promise<Proven<AssetStore>>;
  metadata(address: string, key: string): Promise<Proven<MetadataEntry>>;
  /** Blocks that were believed since this client began, the first of them where it began: what proves them to others. */
  chain(): Promise<readonly JsonValue[]>;
}

/** Throws `invalidArgument` for options that are not understood; nothing is asked before the first question. */
export function createLightClient(options: LightClientOptions): LightClient {
  assertMembers(options, optionMembers, 'options of a light client');
  trustedHashOf(options.anchor);
  const [first] = options.nodes;
  if (!first) throw notUnderstood('options of a light client', 'nodes must name at least one');
  const headers = new BelievedBlocks(options);
  const ledger = createLedgerClient(first);
  const prove = async <Entry extends StateEntry>(
    stateKey: string,
    query: Parameters<typeof ledger.getStateProof>[0],
  ): Promise<Proven<Entry>> => {
    const reply = await ledger.getStateProof(query);
    const seq = seqOfProof(reply);
    const { verified, header } = await headers.at(seq + 1n);
    return { entry: provenEntry(reply, stateKey, verified) as Entry | undefined, seq, header, reply };
  };
  return {
    newest: async () => (await headers.newest()).header,
    header: async (seq) => (await headers.at(seq)).header,
    account: (address) => prove(stateKeys.account(address), { address }),
    asset: (address, { issuer, code }) =>
      prove(stateKeys.asset(address, { issuer, code }), { address, issuer, code }),
    metadata: (address, key) => prove(stateKeys.metadata(address, key), { address, key }),
    chain: () => headers.chain(),
  };
}

interface Believed {
  readonly verified: VerifiedBlock;
  readonly header: BelievedHeader;
}

/** What is believed so far. Questions wait for each other, so that each builds on what the one before has learnt. */
class BelievedBlocks {
  readonly #options: LightClientOptions;
  readonly #sources: readonly BlockSource[];
  /** By height, in their order; the newest last. */
  readonly #believed = new Map<bigint, Believed>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LightClientOptions) {
    this.#options = options;
    const { waitMs = clientLimits.timeoutMs, pollIntervalMs = clientLimits.pollIntervalMs } = options;
    this.#sources = options.nodes.map((node) => blocksOf(node, { waitMs, pollIntervalMs }));
  }

  newest(): Promise<Believed> {
    return this.#inTurn(async () => this.#unlessOld(await this.#start()));
  }

  at(height: bigint): Promise<Believed> {
    return this.#inTurn(async () => {
      const start = await this.#start();
      const known = this.#believed.get(height);
      return known ? this.#unlessOld(known) : this.#reach(start, height);
    });
  }

  chain(): Promise<readonly JsonValue[]> {
    return this.#inTurn(async () => {
      await this.#start();
      return [...this.#believed.values()].map(({ verified }) => verified.json);
    });
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #terms() {
    const { now = Date.now, trustingPeriodMs, clockDriftMs } = this.#options;
    const periods = { trustingPeriodMs, ...(clockDriftMs !== undefined && { clockDriftMs }) };
    return lightTermsOf(periods, now());
  }

  /** A node could show the same old state for ever. */
  #unlessOld(believed: Believed): Believed {
    const { nowMs, trustingPeriodMs } = this.#terms();
    if (believed.header.timeMs + trustingPeriodMs > nowMs) return believed;
    const detail = `block ${believed.header.anchor.seq} is older than ${trustingPeriodMs} milliseconds`;
    throw new LightBlockRefused({ name: 'trustExpired', detail });
  }

  /** The newest block that is believed: by now, by what was kept, or by the anchor. */
  async #start(): Promise<Believed> {
    const newest = [...this.#believed.values()].at(-1);
    if (newest) return newest;
    const { anchor, storage } = this.#options;
    const known = trustedHashOf(anchor);
    const text = await storage?.load();
    const kept = text === undefined ? undefined : readKeptBlock(text);
    const source = this.#sources[0] as BlockSource;
    // An anchor that is newer was given since, because what was kept is too old, or to begin anew.
    const isKeptNewer = kept?.known.chainId === known.chainId && kept.known.height > known.height;
    const verified =
      kept && isKeptNewer
        ? await believeAnchor(kept.known, kept.shown, this.#terms())
        : await believeAnchor(known, await source(known.height), this.#terms());
    return this.#keep(verified, 0);
  }

  async #reach(start: Believed, height: bigint): Promise<Believed> {
    const newest = start.verified.block.header.height;
    if (height < newest) {
      const hint = 'The node is behind what was seen before. Ask it later, or another one.';
      throw new SdkError('otherRoot', `block ${height} is older than block ${newest}, which is believed`, {
        hint,
      });
    }
    const { lightBlocksMax: blocksMax = lightLimits.lightBlocksMax } = this.#options;
    const [source, ...others] = this.#sources as [BlockSource, ...BlockSource[]];
    const order = { source, terms: this.#terms(), blocksMax };
    const way = await followTo(start.verified, await source(height), order);
    const target = way.at(-1) as VerifiedBlock;
    const compared = await Promise.all(
      others.map((other) => isSameBlock(start.verified, target, { ...order, source: other })),
    );
    for (const verified of way.slice(0, -1)) this.#keep(verified, 0);
    const believed = this.#keep(target, compared.filter((isSame) => isSame).length);
    await this.#options.storage?.save(keptText(target));
    return believed;
  }

  #keep(verified: VerifiedBlock, agreeing: number): Believed {
    const { chainId, height, time } = verified.block.header;
    const anchor = { chainId, seq: height, hash: encodeHex(verified.hash) };
    const believed = { verified, header: { anchor, timeMs: msOfTime(time), agreeing } };
    this.#believed.set(height, believed);
    // The oldest go: the others are still proven one from the other.
    const [oldest] = this.#believed.keys();
    if (this.#believed.size > lightLimits.chainBlocksMax) this.#believed.delete(oldest as bigint);
    return believed;
  }
}

/** Whether another node shows the same block. Throws `NetworkForked` where it shows another one that is to be believed. */
async function isSameBlock(
  from: VerifiedBlock,
  target: VerifiedBlock,
  order: Parameters<typeof followTo>[2],
): Promise<boolean> {
  const { height } = target.block.header;
  try {
    const shown = await order.source(height);
    const way = await followTo(from, shown, order);
    const other = way.at(-1) as VerifiedBlock;
    if (equalBytes(other.hash, target.hash)) return true;
    throw new NetworkForked(height, [target.json, other.json]);
  } catch (error) {
    if (error instanceof NetworkForked) throw error;
    // A node that lies alone, or is away, however it says so, changes nothing of what more than two thirds have signed.
    return false;
  }
}
