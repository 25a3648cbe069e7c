/** A light block as nodes send it, in the JSON of CometBFT's RPC: for tests, and to see how long it is. */
import { encodeBase64, encodeHex } from '@symbolon/core/basics/bytes';
import type { BlockId, ConsensusTime, LightBlock } from '@symbolon/core/light/light-block';
import type { JsonObject } from '@symbolon/wire/json/json';

const hex = (bytes: Uint8Array): string => encodeHex(bytes).toUpperCase();

function timeText({ seconds, nanos }: ConsensusTime): string {
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, 19);
  return `${whole}.${String(nanos).padStart(9, '0')}Z`;
}

const blockIdJson = ({ hash, partsTotal, partsHash }: BlockId): JsonObject => ({
  hash: hex(hash),
  parts: { total: partsTotal, hash: hex(partsHash) },
});

export function lightBlockJson({ header, commit, validators }: LightBlock): JsonObject {
  return {
    signed_header: {
      header: {
        version: { block: String(header.version.block), app: String(header.version.app) },
        chain_id: header.chainId,
        height: String(header.height),
        time: timeText(header.time),
        last_block_id: blockIdJson(header.lastBlockId),
        last_commit_hash: hex(header.lastCommitHash),
        data_hash: hex(header.dataHash),
        validators_hash: hex(header.validatorsHash),
        next_validators_hash: hex(header.nextValidatorsHash),
        consensus_hash: hex(header.consensusHash),
        app_hash: hex(header.appHash),
        last_results_hash: hex(header.lastResultsHash),
        evidence_hash: hex(header.evidenceHash),
        proposer_address: hex(header.proposerAddress),
      },
      commit: {
        height: String(commit.height),
        round: commit.round,
        block_id: blockIdJson(commit.blockId),
        signatures: commit.votes.map((vote) =>
          vote.kind === 'absent'
            ? { block_id_flag: 1, validator_address: '', timestamp: '0001-01-01T00:00:00Z', signature: null }
            : {
                block_id_flag: vote.kind === 'block' ? 2 : 3,
                validator_address: hex(vote.address),
                timestamp: timeText(vote.time),
                signature: encodeBase64(vote.signature),
              },
        ),
      },
    },
    validators: validators.map(({ address, publicKey, power }) => ({
      address: hex(address),
      pub_key: { type: 'tendermint/PubKeyEd25519', value: encodeBase64(publicKey) },
      voting_power: String(power),
      proposer_priority: '0',
    })),
  };
}
