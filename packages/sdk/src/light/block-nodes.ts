/** Light blocks asked of nodes: waited for until they are known, and held against what other nodes show. */
import { codes } from '@symbolon/core/ledger/terms/codes';
import { isJsonObject } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';
import type { Transport } from '../transport/transport.ts';
import { pause } from '../transport/waiting.ts';
import { type BlockSource, type ShownBlock, shownBlockOf } from './light-chain.ts';

export interface WaitTerms {
  /** How long a block is waited for that is not known yet. */
  readonly waitMs: number;
  readonly pollIntervalMs: number;
}

/** Undefined where the node does not know the block yet, or is of no network of validators. */
async function askBlock(node: Transport, height: bigint): Promise<ShownBlock | undefined> {
  const reply = await node('GET', `/getLightBlock?seq=${height}`);
  if (!isJsonObject(reply)) return shownBlockOf(null);
  if (reply.error_code === codes.notFound) return undefined;
  const shown = shownBlockOf(reply.result ?? null);
  // Another block than was asked for is no answer.
  return shown.block.header.height === height ? shown : shownBlockOf(null);
}

/** The blocks that a node shows. */
export function blocksOf(node: Transport, { waitMs, pollIntervalMs }: WaitTerms): BlockSource {
  return async (height) => {
    let shown = await askBlock(node, height);
    for (let waited = 0; !shown && waited < waitMs; waited += pollIntervalMs) {
      await pause(pollIntervalMs);
      shown = await askBlock(node, height);
    }
    if (shown) return shown;
    const hint =
      'Ask again when there is another block. A node that runs alone has no network to prove anything.';
    throw new SdkError('notYetProven', `the node does not know block ${height} with its signatures`, {
      hint,
    });
  };
}
