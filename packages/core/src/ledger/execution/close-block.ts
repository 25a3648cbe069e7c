/**
 * From an executed block and its state root to the header: consensus value, hashes, counters (docs/ledger.md,
 * "Headers"). The header's hash covers the header without its hash and every transaction of the block.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { concatBytes, encodeHex, encodeUtf8, type Sha256 } from '../../basics/bytes.ts';
import {
  type ConsensusValue,
  ConsensusValueSchema,
  type ConsensusValueValidation,
  ConsensusValueValidationSchema,
  FeeConfigSchema,
  type LedgerHeader,
  LedgerHeaderSchema,
  LedgerSchema,
  MetadataEntrySchema,
  type TransactionEnv,
  type ValidatorSet,
  ValidatorSetSchema,
} from '../../proto/ledger_pb.ts';
import type { ChainParameters, LedgerRules } from '../terms/chain-parameters.ts';
import { codes, type LedgerRefusal } from '../terms/codes.ts';
import { newAccount, type StateChanges, StateLayer } from '../terms/state.ts';
import { encodeValidators, entriesOfSet, validatorsKey } from '../terms/validators.ts';
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
    proposer: context.proposer,
    misbehavior: [...(context.misbehavior ?? [])],
  });
  const header = create(LedgerHeaderSchema, {
    ...chainFields(rules, block.validators),
    seq: context.seq,
    previousHash: previous.hash,
    accountTreeHash: stateRoot,
    closeTime: context.closeTime,
    consensusValueHash: consensusValueHash(consensusValue, rules.sha256),
    txCount: previous.txCount + BigInt(transactions.length),
    reserve: rules.parameters.network ? historyHash(previous, rules.sha256) : '',
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

/**
 * The state a chain starts from: one account that holds everything; in a network the council's account too, with the
 * entry that says who validates.
 */
export function genesisChanges(parameters: ChainParameters): StateChanges {
  const { genesisAddress, genesisBalance, network, validators } = parameters;
  const state = new StateLayer({ read: () => undefined });
  state.putAccount(newAccount(genesisAddress, genesisBalance));
  if (!network) return state.changes;
  const { council } = network;
  if (council !== genesisAddress) state.putAccount(newAccount(council, 0n));
  const value = encodeValidators(entriesOfSet(validators));
  state.putMetadata(council, create(MetadataEntrySchema, { key: validatorsKey, value, version: 1n }));
  return state.changes;
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

/**
 * What the header of a network's block holds of all hashes before: one chained to the other, so that a node that begins
 * with a later block can check the hashes it is given of earlier ones.
 */
export const historyHash = (
  { reserve, hash }: Pick<LedgerHeader, 'reserve' | 'hash'>,
  sha256: Sha256,
): string => encodeHex(sha256(concatBytes(encodeUtf8(reserve), hash)));

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
