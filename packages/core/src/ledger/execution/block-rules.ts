/**
 * What holds of a block as a whole: rules that no proposer may bend, and what proves that a validator stands behind it.
 */
import { toBinary } from '@bufbuild/protobuf';
import { equalBytes } from '../../basics/bytes.ts';
import type { KeyFormat } from '../../keys/keys.ts';
import { blockLimits } from '../../limits/consensus.ts';
import { type PbftEnv, PbftSchema, type ValidatorSet } from '../../proto/ledger_pb.ts';
import type { BlockFrame, ChainParameters } from '../terms/chain-parameters.ts';
import { consensusAddressBytes } from '../terms/validators.ts';
import type { VerifiedTransaction } from './apply-transaction.ts';

export interface BlockOutline {
  readonly closeTime: bigint;
  /** The close time of the block before. */
  readonly previousCloseTime: bigint;
  /** The signed ones: what they trigger is theirs. */
  readonly transactions: readonly VerifiedTransaction[];
}

/** Why a chain cannot have such a block; nothing when it can. */
export function blockProblem({
  closeTime,
  previousCloseTime,
  transactions,
}: BlockOutline): string | undefined {
  const { transactionsMax, bytesMax } = blockLimits;
  if (closeTime <= previousCloseTime)
    return `it closed at ${closeTime}, not after the block before it, which closed at ${previousCloseTime}`;
  if (transactions.length > transactionsMax)
    return `it has ${transactions.length} transactions, at most ${transactionsMax} are allowed`;
  const bytes = transactions.reduce((sum, { signed }) => sum + signed.envelopeBytes, 0);
  return bytes > bytesMax
    ? `its transactions have ${bytes} bytes, at most ${bytesMax} are allowed`
    : undefined;
}

/** Why a block cannot say this of who proposed it and who misbehaved; nothing when it can. */
export function frameProblem(
  { proposer, misbehavior = [] }: BlockFrame,
  { validators }: ValidatorSet,
  { network }: ChainParameters,
): string | undefined {
  if (!network)
    return !proposer && misbehavior.length === 0
      ? undefined
      : 'it names a proposer or misbehaviour, which the blocks of one node do not';
  if (!validators.some(({ address }) => address === proposer))
    return 'it pays a proposer who is none of its validators';
  return misbehavior.every(({ address }) => address.length === consensusAddressBytes)
    ? undefined
    : 'it tells misbehaviour of somebody who cannot be a validator';
}

/**
 * The commits of a proof that are to this block, each with its signature, which the caller verifies, and who claims to
 * have signed.
 */
export function* commitsTo(
  { seq, digest }: { seq: bigint; digest: Uint8Array },
  commits: readonly PbftEnv[],
  keys: KeyFormat,
) {
  for (const { pbft, signature } of commits) {
    const publicKey = keys.parsePublicKey(signature?.publicKey ?? '');
    const { sequence, valueDigest } = pbft?.commit ?? {};
    if (!pbft || !signature || !publicKey || sequence !== seq) continue;
    if (!valueDigest || !equalBytes(valueDigest, digest)) continue;
    yield {
      address: keys.addressOf(publicKey),
      chainId: pbft.chainId,
      publicKey,
      signature: signature.signData,
      message: toBinary(PbftSchema, pbft),
    };
  }
}
