/**
 * Who stands behind the block before one, in the family's shape: of a chain of one node what the block itself carries;
 * of a network what CometBFT's validators signed, which stands beside that block and in no hash.
 */
import { create, fromBinary } from '@bufbuild/protobuf';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import type { LightBlock } from '@symbolon/core/light/light-block';
import { type ConsensusValue, type PbftProof, PbftProofSchema } from '@symbolon/core/proto/ledger_pb';
import { parseJsonOrNothing } from '@symbolon/wire/json/json';
import { readLightBlock } from '@symbolon/wire/ledger/light-block-json';
import type { Chain } from '../chain/chain.ts';

/** Undefined of the first two blocks, and where what was signed is not here. */
export function previousProofOf(
  chain: Pick<Chain, 'readCommit' | 'rules'>,
  { ledgerSeq, previousProof }: ConsensusValue,
): PbftProof | undefined {
  if (previousProof.length > 0) return fromBinary(PbftProofSchema, previousProof);
  const { parameters, keys } = chain.rules;
  const kept = parameters.network && chain.readCommit(ledgerSeq - 1n);
  const reading = kept && readLightBlock(parseJsonOrNothing(Buffer.from(kept).toString('utf8')));
  return reading?.success ? proofOfVotes(reading.block, keys) : undefined;
}

/** In CometBFT as in the family the second of two votes: the one that commits. */
const commitVote = 2;

/** Those who voted for the block: there is one vote for each validator, in the order of these. */
const proofOfVotes = ({ commit, validators }: LightBlock, keys: KeyFormat): PbftProof =>
  create(PbftProofSchema, {
    commits: commit.votes.flatMap((vote, at) => {
      const key = validators[at]?.publicKey;
      if (vote.kind !== 'block' || !key) return [];
      const pbft = {
        roundNumber: BigInt(commit.round),
        type: commitVote,
        commit: { sequence: commit.height, valueDigest: commit.blockId.hash },
      };
      return [{ pbft, signature: { publicKey: keys.encodePublicKey(key), signData: vote.signature } }];
    }),
  });
