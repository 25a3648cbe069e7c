/**
 * From a block that is believed to a later one: block by block as a proof brings them along, or by halving the way to
 * what a node is asked for. What is not to be believed is thrown as `LightBlockRefused`.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { LightBlock } from '@symbolon/core/light/light-block';
import {
  type LightTerms,
  type LightTools,
  type LightVerdict,
  type TrustedHash,
  verifyLightBlock,
  verifyTrustedBlock,
} from '@symbolon/core/light/light-verification';
import { lightLimits } from '@symbolon/core/limits/light';
import type { JsonValue } from '@symbolon/wire/json/json';
import { readLightBlock } from '@symbolon/wire/ledger/light-block-json';
import { wrongMembers } from '../arguments/member-paths.ts';
import { SdkError, unexpectedReply } from '../errors/errors.ts';
import { verifyWithWebCrypto } from '../keys/signer.ts';
import { LightBlockRefused } from './light-errors.ts';

const tools: LightTools = { sha256, verifyVote: verifyWithWebCrypto };

/** A block as it was sent, and what it says. */
export interface ShownBlock {
  readonly json: JsonValue;
  readonly block: LightBlock;
}

/** A block that is believed. */
export interface VerifiedBlock extends ShownBlock {
  /** Of its header. */
  readonly hash: Uint8Array;
}

/** Whoever tells blocks; throws where it has none. */
export type BlockSource = (height: bigint) => Promise<ShownBlock>;

/** Throws `unexpectedReply` for what no node tells. */
export function shownBlockOf(json: JsonValue): ShownBlock {
  const reading = readLightBlock(json);
  if (reading.success) return { json, block: reading.block };
  throw unexpectedReply('getLightBlock', wrongMembers({ success: false, error: reading.error }, 'result'));
}

function believed(shown: ShownBlock, verdict: LightVerdict): VerifiedBlock {
  if (!verdict.verified) throw new LightBlockRefused(verdict.refusal);
  return { ...shown, hash: verdict.hash };
}

/** The block that is known by its hash. */
export const believeAnchor = async (
  known: TrustedHash,
  shown: ShownBlock,
  terms: LightTerms,
): Promise<VerifiedBlock> => believed(shown, await verifyTrustedBlock(known, shown.block, terms, tools));

/**
 * Every block that is believed on the way from one to a later one, which is the last of them. Where the two have too
 * little power in common, the block halfway is asked for, so `blocksMax` bounds how many a node can make us ask.
 */
export async function followTo(
  from: VerifiedBlock,
  target: ShownBlock,
  { source, terms, blocksMax }: { source: BlockSource; terms: LightTerms; blocksMax: number },
): Promise<readonly VerifiedBlock[]> {
  const way: VerifiedBlock[] = [];
  const ahead = [target];
  let trusted = from;
  let asked = 0;
  while (ahead.length > 0) {
    const next = ahead.at(-1) as ShownBlock;
    const verdict = await verifyLightBlock(trusted.block, next.block, terms, tools);
    if (verdict.verified || verdict.refusal.name !== 'tooLittleTrustedPower') {
      trusted = believed(next, verdict);
      way.push(trusted);
      ahead.pop();
      continue;
    }
    asked += 1;
    if (asked > blocksMax) throw tooLong(blocksMax);
    const half = (trusted.block.header.height + next.block.header.height) / 2n;
    ahead.push(await source(half));
  }
  return way;
}

/**
 * Blocks by their height, believed from an anchor on that is one of them: those before it are passed over. They stand in
 * the order of their heights.
 */
export async function believeChain(
  known: TrustedHash,
  chain: readonly JsonValue[],
  terms: LightTerms,
): Promise<ReadonlyMap<bigint, VerifiedBlock>> {
  if (chain.length > lightLimits.chainBlocksMax) throw tooLong(lightLimits.chainBlocksMax);
  const shown = chain.map(shownBlockOf);
  const start = shown.findIndex(({ block }) => block.header.height === known.height);
  const first = shown[start];
  if (!first) {
    const hint = 'Take a proof that begins at the anchor, or the anchor that the proof begins at.';
    throw new SdkError('proofInvalid', `the proof does not hold block ${known.height}, the anchor`, { hint });
  }
  let trusted = await believeAnchor(known, first, terms);
  const verified = new Map([[known.height, trusted]]);
  for (const next of shown.slice(start + 1)) {
    trusted = believed(next, await verifyLightBlock(trusted.block, next.block, terms, tools));
    verified.set(trusted.block.header.height, trusted);
  }
  return verified;
}

function tooLong(blocksMax: number): SdkError {
  const hint = 'Take a newer anchor; or allow more, if the network really changes so much.';
  return new SdkError('proofInvalid', `more than ${blocksMax} blocks would have to be verified`, { hint });
}
