/**
 * From an executed block and its state root to the header: consensus value, hashes, counters (docs/ledger.md,
 * "Headers"). The header's hash covers the header without its hash and every transaction of the block.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import type { Sha256 } from '../../basics/bytes.ts';
import {
  type ConsensusValue,
  ConsensusValueSchema,
  type ConsensusValueValidation,
  ConsensusValueValidationSchema,
  FeeConfigSchema,
  type LedgerHeader,
  LedgerHeaderSchema,
  LedgerSchema,
  type TransactionEnv,
  type ValidatorSet,
  ValidatorSetSchema,
} from '../../proto/ledger_pb.ts';
import type { ChainParameters, LedgerRules } from '../terms/chain-parameters.ts';
import { codes, type LedgerRefusal } from '../terms/codes.ts';
import { newAccount, type StateChanges, stateKeys } from '../terms/state.ts';
import type { ExecutedBlock } from './execute-block.ts';

export interface ClosedBlock {
  readonly header: LedgerHeader;
  readonly consensusValue: ConsensusValue;
}

export function closeBlock(
  block: ExecutedBlock,
  stateRoot: Uint8Array,
  {
    previous,
    previousProof,
    rules,
  }: { previous: LedgerHeader; previousProof: Uint8Array; rules: LedgerRules },
): ClosedBlock {
  const { context, transactions } = block;
  const envelopes = block.records.flatMap(({ transactionEnv }) => transactionEnv ?? []);
  const signed = envelopes.filter(({ trigger }) => !trigger);
  const consensusValue = create(ConsensusValueSchema, {
    txset: { txs: signed },
    closeTime: context.closeTime,
    previousProof,
    ledgerSeq: context.seq,
    previousLedgerHash: previous.hash,
    validation: validationOf(block),
  });
  const header = create(LedgerHeaderSchema, {
    ...chainFields(rules, context.validators),
    seq: context.seq,
    previousHash: previous.hash,
    accountTreeHash: stateRoot,
    closeTime: context.closeTime,
    consensusValueHash: consensusValueHash(consensusValue, rules.sha256),
    txCount: previous.txCount + BigInt(transactions.length),
  });
  return { header: withHash(header, envelopes, rules.sha256), consensusValue };
}

/** Which transactions of the block failed, and which of these by running out of what a run may use. */
function validationOf({ transactions }: ExecutedBlock): ConsensusValueValidation | undefined {
  const failures = transactions.flatMap(({ outcome: { failure } }, index) =>
    failure ? [{ index, failure }] : [],
  );
  if (failures.length === 0) return undefined;
  const isExpired = ({ failure }: { failure: LedgerRefusal }): boolean =>
    failure.code === codes.contractExpired;
  return create(ConsensusValueValidationSchema, {
    expireTxIds: failures.filter(isExpired).map(({ index }) => index),
    errorTxIds: failures.filter((it) => !isExpired(it)).map(({ index }) => index),
  });
}

/** The state a chain starts from: one account that holds everything. */
export function genesisChanges({ genesisAddress, genesisBalance }: ChainParameters): StateChanges {
  return new Map([[stateKeys.account(genesisAddress), newAccount(genesisAddress, genesisBalance)]]);
}

export function closeGenesis(stateRoot: Uint8Array, { parameters, sha256 }: LedgerRules): ClosedBlock {
  const consensusValue = create(ConsensusValueSchema, {
    ledgerUpgrade: { newLedgerVersion: parameters.ledgerVersion },
  });
  const header = create(LedgerHeaderSchema, {
    ...chainFields({ parameters, sha256 }, parameters.validators),
    seq: 1n,
    accountTreeHash: stateRoot,
    consensusValueHash: consensusValueHash(consensusValue, sha256),
    reserve: parameters.slogan,
  });
  return { header: withHash(header, [], sha256), consensusValue };
}

export const consensusValueHash = (value: ConsensusValue, sha256: Sha256): Uint8Array =>
  sha256(toBinary(ConsensusValueSchema, value));

/** The header with the hash that names the block. */
export function withHash(header: LedgerHeader, envelopes: TransactionEnv[], sha256: Sha256): LedgerHeader {
  const bare = { ...header, hash: new Uint8Array(0) };
  const ledger = create(LedgerSchema, { header: bare, transactionEnvs: envelopes });
  return { ...header, hash: sha256(toBinary(LedgerSchema, ledger)) };
}

/**
 * What CometBFT is told of a block, and what its next header carries: the hash of the whole header, so that who trusts
 * that one needs no transactions to trust ours.
 */
export const appHashOf = (header: LedgerHeader, sha256: Sha256): Uint8Array =>
  sha256(toBinary(LedgerHeaderSchema, header));

function chainFields(
  { parameters, sha256 }: Pick<LedgerRules, 'parameters' | 'sha256'>,
  validators: ValidatorSet,
) {
  return {
    version: parameters.ledgerVersion,
    validatorsHash: sha256(toBinary(ValidatorSetSchema, validators)),
    feesHash: sha256(toBinary(FeeConfigSchema, parameters.fees)),
    chainId: parameters.chainId,
  };
}
