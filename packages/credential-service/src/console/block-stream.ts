/**
 * The stream of blocks for one reader: where it stands, then every block behind that, in order, each once. A reader who is
 * slower than the ledger is told that blocks are left out; nothing is kept for it. Silence is broken by heartbeats, and
 * the stream ends with its reader or when it has lasted long enough.
 */
import { ledgerStreamLimits as limits } from '@symbolon/core/limits/console';
import { renderLedgerBlock, renderLedgerNews, renderLedgerOpening } from '@symbolon/wire/console/replies';
import { heartbeat } from '@symbolon/wire/sessions/replies';
import type { BlockFeed } from './block-feed.ts';

interface BlockStreamOrder {
  /** The block before the first that is told; without it, what comes. */
  readonly after: bigint | undefined;
  readonly signal: AbortSignal | undefined;
  /** Gives the stream's place back. */
  readonly leave: () => void;
}

export async function* blockStream(
  feed: BlockFeed,
  { after, signal, leave }: BlockStreamOrder,
): AsyncGenerator<string, void, undefined> {
  const endsAt = performance.now() + limits.streamMsMax;
  const reader: ReaderState = { last: after, isOpen: false, isLost: false, changes: feed.changes };
  let spokenAt = performance.now();
  try {
    while (signal?.aborted !== true && performance.now() < endsAt) {
      const mark = feed.mark();
      const news = newsFor(feed, reader);
      if (news !== '' || performance.now() - spokenAt >= limits.heartbeatMs) {
        yield news === '' ? heartbeat : news;
        spokenAt = performance.now();
      }
      const ms = Math.max(limits.heartbeatMs - (performance.now() - spokenAt), 1);
      await feed.wait(mark, ms, signal);
    }
  } finally {
    leave();
  }
}

/** What a reader was told. */
interface ReaderState {
  /** The last block. */
  last: bigint | undefined;
  isOpen: boolean;
  isLost: boolean;
  changes: number;
}

/** What there is to tell, and notes that it was. */
function newsFor(feed: BlockFeed, reader: ReaderState): string {
  const told: string[] = [];
  if (feed.isLost !== reader.isLost) {
    told.push(renderLedgerNews({ event: feed.isLost ? 'lost' : 'back' }));
    reader.isLost = feed.isLost;
  }
  const { blocks } = feed;
  const [first] = blocks;
  const newest = blocks.at(-1);
  if (!first || !newest) return told.join('');
  if (!reader.isOpen) {
    // Whoever is ahead of the ledger has seen another one.
    const isAhead = reader.last !== undefined && reader.last > BigInt(newest.seq);
    if (isAhead) reader.changes = -1;
    reader.last ??= BigInt(newest.seq);
    told.push(renderLedgerOpening(newest.seq, isAhead ? undefined : reader.last));
    reader.isOpen = true;
  }
  const last = reader.last ?? 0n;
  const isLeftOut = last + 1n < BigInt(first.seq) || reader.changes !== feed.changes;
  if (isLeftOut) told.push(renderLedgerNews({ event: 'gap', seq: first.seq }));
  const behind = reader.changes === feed.changes ? last : 0n;
  reader.changes = feed.changes;
  for (const block of blocks) {
    if (BigInt(block.seq) > behind) told.push(renderLedgerBlock(block));
  }
  reader.last = BigInt(newest.seq);
  return told.join('');
}
