/** What a verifier knows of a network from elsewhere than from the nodes that it asks, and for how long it goes by it. */
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import type { LightTerms, TrustedHash } from '@symbolon/core/light/light-verification';
import { assertMembers, notUnderstood } from '../arguments/exact-arguments.ts';

/** A block of a network of validators, from a source that the verifier trusts. */
export interface TrustAnchor {
  /** Of CometBFT: the `chain_id` in the headers of the network. */
  readonly chainId: string;
  /** The number of the block. */
  readonly seq: bigint;
  /** Of its CometBFT header, in hex. */
  readonly hash: string;
}

/** A trust anchor, and how long a block is believed that was verified from it. */
export interface LightTrust {
  readonly anchor: TrustAnchor;
  /**
   * Validators who have left can sign what they like after a time, so no block is built upon that is older: shorter than
   * it takes until one could no longer be held to account.
   */
  readonly trustingPeriodMs: number;
  /** How far the clocks of validators may be ahead of this one; ten seconds, if left out. */
  readonly clockDriftMs?: number;
}

const hashBytes = 32;
const isDuration = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** Throws `invalidArgument` for an anchor that anchors nothing. */
export function trustedHashOf(anchor: TrustAnchor): TrustedHash {
  assertMembers(anchor, { chainId: true, seq: true, hash: true }, 'the anchor');
  const { chainId, seq, hash: text } = anchor;
  const hash = typeof text === 'string' ? parseHex(text) : undefined;
  if (typeof chainId !== 'string' || chainId === '')
    throw notUnderstood('the anchor', 'chainId must be a text');
  if (typeof seq !== 'bigint' || seq < 1n)
    throw notUnderstood('the anchor', 'seq must be a bigint from 1 on');
  if (hash?.length !== hashBytes) throw notUnderstood('the anchor', `hash must be ${hashBytes} bytes in hex`);
  return { chainId, height: seq, hash };
}

/** Throws `invalidArgument` for periods that are none. */
export function lightTermsOf(
  { trustingPeriodMs, clockDriftMs }: Omit<LightTrust, 'anchor'>,
  nowMs: number,
): LightTerms {
  if (!isDuration(trustingPeriodMs) || trustingPeriodMs === 0)
    throw notUnderstood('the trust', 'trustingPeriodMs must be a whole number above 0');
  if (clockDriftMs !== undefined && !isDuration(clockDriftMs))
    throw notUnderstood('the trust', 'clockDriftMs must be a whole number from 0 on');
  if (!isDuration(nowMs)) throw notUnderstood('the trust', 'the time must be as Date.now() says it');
  return { nowMs, trustingPeriodMs, ...(clockDriftMs !== undefined && { clockDriftMs }) };
}

/** The anchor that a block is. */
export const anchorAt = ({ chainId, height, hash }: TrustedHash): TrustAnchor => ({
  chainId,
  seq: height,
  hash: encodeHex(hash),
});
