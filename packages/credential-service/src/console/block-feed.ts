/**
 * The newest blocks of the ledger, looked for by one watcher for all readers, and only while there are readers. It keeps
 * a bounded number of blocks for whoever comes back, and says when the node gives no answer.
 */
import { ledgerStreamLimits as limits } from '@symbolon/core/limits/console';
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/index';
import type { LedgerBlockEvent } from '@symbolon/wire/console/replies';
import { createStreamPlaces, whenGone } from '../sessions/stream-places.ts';

export interface BlockFeed {
  /** A place for one stream of an address, until it is given back or the signal says so; throws `tooManyRequests`. */
  enter(address: string, signal: AbortSignal | undefined): () => void;
  /** Blocks that are known, oldest first, without a hole; grows at its end and loses its beginning. */
  readonly blocks: readonly LedgerBlockEvent[];
  /** Whether the node gave no answer when it was last asked. */
  readonly isLost: boolean;
  /** How often the chain was another one than before. */
  readonly changes: number;
  /** Resolves when something has changed since this mark, when the time is over, or when the signal says so. */
  wait(mark: number, ms: number, signal: AbortSignal | undefined): Promise<void>;
  mark(): number;
}

type Reader = Pick<LedgerClient, 'getLedger' | 'getTransactionHistory'>;

export function createBlockFeed({
  client,
  onFailure,
}: {
  readonly client: Reader;
  /** Told when the node stops answering. */
  readonly onFailure: (error: unknown) => void;
}): BlockFeed {
  const places = createStreamPlaces({
    streamsMax: limits.streamsMax,
    streamsPerKeyMax: limits.streamsPerAddressMax,
  });
  const waiting = new Set<() => void>();
  let blocks: LedgerBlockEvent[] = [];
  let readers = 0;
  let isLost = false;
  let marks = 0;
  let changes = 0;
  let isWatching = false;

  const tell = (): void => {
    marks += 1;
    for (const wake of [...waiting]) wake();
  };
  const look = async (): Promise<void> => {
    const found = await newBlocks(client, blocks);
    if (found.isAnotherChain) changes += 1;
    if (found.isAnotherChain || found.isBehind) blocks = [];
    blocks = [...blocks, ...found.blocks].slice(-limits.keptBlocksMax);
    if (found.blocks.length > 0 || isLost) {
      isLost = false;
      tell();
    }
  };
  const watch = async (): Promise<void> => {
    isWatching = true;
    try {
      await look();
    } catch (error) {
      if (!isLost) {
        isLost = true;
        onFailure(error);
        tell();
      }
    }
    isWatching = readers > 0;
    if (isWatching) setTimeout(watch, limits.watchMs).unref();
  };

  return {
    get blocks() {
      return blocks;
    },
    get isLost() {
      return isLost;
    },
    get changes() {
      return changes;
    },
    mark: () => marks,
    enter(address, signal) {
      const leavePlace = places.enter(address);
      readers += 1;
      if (!isWatching) void watch();
      let isOver = false;
      const leave = (): void => {
        if (!isOver) readers -= 1;
        isOver = true;
        leavePlace();
      };
      whenGone(signal, leave);
      return leave;
    },
    wait(mark, ms, signal) {
      if (mark !== marks || signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          waiting.delete(done);
          clearTimeout(late);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const late = setTimeout(done, ms);
        waiting.add(done);
        signal?.addEventListener('abort', done, { once: true });
      });
    },
  };
}

interface Found {
  readonly blocks: readonly LedgerBlockEvent[];
  readonly isAnotherChain: boolean;
  /** More is lacking than is looked up: what is known does not join. */
  readonly isBehind: boolean;
}

/** Blocks behind the last that is known. */
async function newBlocks(client: Reader, known: readonly LedgerBlockEvent[]): Promise<Found> {
  const head = (await client.getLedger({})).result?.header;
  const seq = BigInt(head?.seq ?? 0);
  const last = known.at(-1);
  if (last && seq === BigInt(last.seq) && head?.hash === last.hash)
    return { blocks: [], isAnotherChain: false, isBehind: false };
  const isAnotherChain = last !== undefined && (await hashOf(client, last.seq)) !== last.hash;
  const joins = last !== undefined && !isAnotherChain;
  const earliest = seq - BigInt(limits.lookedUpMax) + 1n;
  const next = joins ? BigInt(last.seq) + 1n : earliest;
  const from = next < earliest ? earliest : next;
  const blocks: LedgerBlockEvent[] = [];
  for (let at = from < 1n ? 1n : from; at <= seq; at++) blocks.push(await readBlock(client, at));
  return { blocks, isAnotherChain, isBehind: joins && from !== next };
}

/** Undefined where the ledger has no such block. */
async function hashOf(client: Reader, seq: string): Promise<string | undefined> {
  const found = await unlessNotFound(client.getLedger({ seq }));
  return found?.result?.header.hash;
}

async function readBlock(client: Reader, seq: bigint): Promise<LedgerBlockEvent> {
  const limit = limits.listedTransactionsMax;
  const [{ result }, history] = await Promise.all([
    client.getLedger({ seq }),
    unlessNotFound(client.getTransactionHistory({ ledger_seq: seq, limit })),
  ]);
  const transactions = history?.result?.transactions ?? [];
  const header = result?.header;
  return {
    seq: String(seq),
    hash: header?.hash ?? '',
    closeTime: new Date(Number(BigInt(header?.close_time ?? 0) / 1_000n)).toISOString(),
    transactionCount: Number(history?.result?.total_count ?? 0),
    transactions: transactions.map((one) => ({
      hash: one.hash ?? '',
      source: one.transaction?.source_address ?? '',
      code: Number(one.error_code ?? 0),
      operations: one.transaction?.operations?.length ?? 0,
    })),
  };
}
