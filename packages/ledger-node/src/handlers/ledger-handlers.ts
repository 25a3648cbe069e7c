/** Blocks, and the node's word about itself (`docs/ledger.md`, "Node routes"). */
import { isJsonObject, parseJson } from '@symbolon/wire/json/json';
import {
  consensusInfoReply,
  contractTransactionsReply,
  helloReply,
  modulesStatusReply,
  peerAddressesReply,
  statusReply,
} from '@symbolon/wire/ledger/node-replies';
import {
  type ConsensusValueView,
  ledgerMissing,
  ledgerReply,
  ledgerValidatorsReply,
  lightBlockMissing,
  lightBlockReply,
} from '@symbolon/wire/ledger/replies';
import type { LedgerHandlers } from '@symbolon/wire/ledger/routes';
import type { Chain } from '../chain/chain.ts';
import {
  blockFrameOf,
  blockMissing,
  ChainDamaged,
  findBlock,
  readFees,
  readRecords,
  readValidators,
  type StoredBlock,
  storedTransaction,
} from '../chain/chain-reader.ts';
import { cometLimits } from '../limits/node-limits.ts';
import type { LedgerNode } from '../node/node.ts';
import { previousProofOf } from './previous-proof.ts';

/** What the node's own replies say that the ledger does not know. */
export interface NodeFacts {
  readonly version: string;
  socketPort(): number;
  socketClients(): number;
}

export function createLedgerHandlers(node: LedgerNode, facts: NodeFacts) {
  const { chain } = node;
  const { rows } = chain;
  const { parameters, keys } = chain.rules;
  const blockOf = (seq: bigint | undefined) => findBlock(rows, seq ?? chain.head.seq);
  const missing = (seq: bigint | undefined) => blockMissing(rows, seq ?? chain.head.seq) ?? ledgerMissing;
  const counts = () => ({ transactionCount: chain.head.txCount, accountCount: chain.accountCount });
  const now = () => new Date(node.clock.nowMs());

  return {
    getLedger: async ({ seq, withValidators, withConsensusValue, withFees, withBlockReward }) => {
      const block = blockOf(seq);
      if (!block) return missing(seq);
      const { header } = block;
      const consensusValue = withConsensusValue ? await describeConsensusValue(node, block) : undefined;
      return ledgerReply({
        header,
        validators: withValidators ? readValidators(rows, header) : undefined,
        fees: withFees ? readFees(rows, header) : undefined,
        consensusValue,
        reward: withBlockReward ? rewardOf(node, block) : undefined,
      });
    },

    getLedgerValidators: ({ seq }) => {
      const block = blockOf(seq);
      const validators = block && readValidators(rows, block.header);
      return validators ? ledgerValidatorsReply(validators) : missing(seq);
    },

    getLightBlock: ({ seq }) => {
      const known = seq === undefined ? newestLightBlock(chain) : chain.readCommit(seq);
      const lightBlock = known && parseJson(Buffer.from(known).toString('utf8'));
      return isJsonObject(lightBlock) ? lightBlockReply(lightBlock) : lightBlockMissing;
    },

    hello: () =>
      helloReply({
        networkName: keys.profile.name,
        networkId: keys.profile.networkId,
        nodeVersion: facts.version,
        ledgerVersion: String(parameters.ledgerVersion),
        overlayVersion: facts.version,
        currentTime: now(),
        socketPort: facts.socketPort(),
      }),

    getStatus: () => statusReply(counts()),

    getModulesStatus: () =>
      modulesStatusReply({
        ...counts(),
        ledgerSequence: chain.head.seq,
        newestLedgerSequence: newestKnown(node),
        validationAddress: node.driver.validationAddress,
        waitingTransactions: node.queue.size,
        currentTime: now(),
        uptimeSeconds: Math.floor((node.clock.nowMs() - node.startedAtMs) / 1_000),
        peers: node.cometDriver?.network.peers ?? 0,
        consensusType: node.driver.consensus.type,
        socketPort: facts.socketPort(),
        socketClients: facts.socketClients(),
      }),

    getConsensusInfo: () =>
      consensusInfoReply({
        ...node.driver.consensus,
        validators: chain.validators.validators.map(({ address }) => address),
        lastLedgerSeq: chain.head.seq,
      }),

    getPeerAddresses: () => peerAddressesReply(),

    getContractTx: () => contractTransactionsReply(),
  } satisfies Partial<LedgerHandlers>;
}

/** What validators sign of a block is known with the next one, and fetched a moment later. */
function newestLightBlock(chain: Chain): Uint8Array | undefined {
  for (let age = 0n; age <= BigInt(cometLimits.lightBlockAgeMax); age++) {
    const known = chain.readCommit(chain.head.seq - age);
    if (known) return known;
  }
  return undefined;
}

/** CometBFT may know of a block that is not executed yet. */
const newestKnown = ({ chain: { head }, cometDriver }: LedgerNode): bigint => {
  const height = cometDriver?.network.height ?? 0n;
  return height > head.seq ? height : head.seq;
};

async function describeConsensusValue(
  { chain }: LedgerNode,
  block: StoredBlock,
): Promise<ConsensusValueView> {
  const { seq } = block.header;
  if (!block.consensusValue) throw new ChainDamaged(`block ${seq} is stored without its consensus value`);
  const records = await readRecords(chain.rows, seq, { limit: block.rowCount });
  return {
    value: block.consensusValue,
    transactions: records.flatMap((record) =>
      record.transactionEnv && !record.transactionEnv.trigger
        ? [{ envelope: record.transactionEnv, transaction: storedTransaction(record) }]
        : [],
    ),
    previousProof: previousProofOf(chain, block.consensusValue),
  };
}

/** The reward is the same for every block; validators share it equally, in a network its proposer has it. */
function rewardOf({ chain }: LedgerNode, { consensusValue }: StoredBlock) {
  const { fees, network } = chain.rules.parameters;
  const { validators } = chain.validators;
  const { proposer } = blockFrameOf(consensusValue);
  const paid = network ? [proposer ?? []].flat() : validators.map(({ address }) => address);
  const share = fees.blockReward / BigInt(paid.length || 1);
  return {
    block: fees.blockReward,
    byValidator: Object.fromEntries(paid.map((address) => [address, share])),
  };
}
