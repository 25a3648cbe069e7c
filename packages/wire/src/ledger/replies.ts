/**
 * Accounts, ledgers and proofs as the interface shows them. Pure renderers from core's data; transactions are in
 * `transaction-replies.ts`, what a node says about itself in `node-replies.ts`.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import {
  type Account,
  AccountPrivilegeSchema,
  AccountSchema,
  AccountThresholdSchema,
  type AssetStore,
  AssetStoreSchema,
  type ConsensusValue,
  ConsensusValueSchema,
  type FeeConfig,
  FeeConfigSchema,
  type LedgerHeader,
  LedgerHeaderSchema,
  type MetadataEntry,
  MetadataEntrySchema,
  type PbftProof,
  PbftProofSchema,
  ValidatorSchema,
  type ValidatorSet,
} from '@symbolon/core/proto/ledger_pb';
import { successEnvelope } from '../http/envelope.ts';
import { type JsonObject, type JsonValue, jsonInteger } from '../json/json.ts';
import { createMessageWriter, messageToJson } from '../json/message-json.ts';
import { type EnvelopedTransaction, envelopeToJson } from './transaction-replies.ts';

export const accountMissing = refuse('notFound', 'account not exist');
export const ledgerMissing = refuse('notFound', 'ledger not exist');

export interface AccountView {
  readonly account: Account;
  readonly assets: readonly AssetStore[];
  readonly metadata: readonly MetadataEntry[];
}

/** Numbers that callers compute with are always there: an absent one is easily taken for an unknown one. */
const toJson = createMessageWriter({
  always: [
    ...['balance', 'nonce', 'priv'].map((name) => `${AccountSchema.typeName}.${name}`),
    ...['master_weight', 'thresholds'].map((name) => `${AccountPrivilegeSchema.typeName}.${name}`),
    `${AccountThresholdSchema.typeName}.tx_threshold`,
    `${MetadataEntrySchema.typeName}.value`,
    ...FeeConfigSchema.fields.map(({ name }) => `${FeeConfigSchema.typeName}.${name}`),
    ...['close_time', 'tx_count', 'chain_id'].map((name) => `${LedgerHeaderSchema.typeName}.${name}`),
  ],
});

const assetToJson = (asset: AssetStore): JsonObject => toJson(AssetStoreSchema, asset);
const metadataToJson = (entry: MetadataEntry): JsonObject => toJson(MetadataEntrySchema, entry);
const accountToJson = (account: Account): JsonObject => toJson(AccountSchema, account);

/**
 * The account as conditions and contracts read it, with defaults left out. What they read decides what a block holds,
 * so this form never changes, whatever else the interface shows.
 */
export const accountAsRead = (account: Account): JsonObject => messageToJson(AccountSchema, account);

/** getAccount and getGenesisAccount: a list of nothing shows as null. */
export function accountReply({ account, assets, metadata }: AccountView): JsonObject {
  return successEnvelope({
    ...accountToJson(account),
    assets: orNull(assets.map(assetToJson)),
    metadatas: orNull(metadata.map(metadataToJson)),
  });
}

export const accountBaseReply = (account: Account): JsonObject => successEnvelope(accountToJson(account));

export const accountAssetsReply = (assets: readonly AssetStore[]): JsonObject =>
  successEnvelope(orNull(assets.map(assetToJson)));

/** The answer when one asset was named: an object, not a list. */
export const accountAssetReply = (asset: AssetStore | undefined): JsonObject =>
  successEnvelope(asset ? { asset: assetToJson(asset) } : null);

/** An object keyed by metadata key. Keys are anybody's text, so the object must have no prototype to disturb. */
export function accountMetadataReply(entries: readonly MetadataEntry[]): JsonObject {
  if (entries.length === 0) return successEnvelope(null);
  const byKey: JsonObject = Object.create(null);
  for (const entry of entries) byKey[entry.key] = metadataToJson(entry);
  return successEnvelope(byKey);
}

const orNull = (list: JsonValue[]): JsonValue => (list.length === 0 ? null : list);

export const headerToJson = (header: LedgerHeader): JsonObject => toJson(LedgerHeaderSchema, header);

export interface ConsensusValueView {
  /** Its own transaction set is not looked at: the stored form leaves it out. */
  readonly value: ConsensusValue;
  readonly transactions: readonly EnvelopedTransaction[];
  /** The decoded `previous_proof`; undefined where that is empty. */
  readonly previousProof: PbftProof | undefined;
}

export function consensusValueToJson({ value, transactions, previousProof }: ConsensusValueView): JsonObject {
  const { txset: _, ...rest } = messageToJson(ConsensusValueSchema, value);
  return {
    ...rest,
    previous_proof_plain: previousProof ? messageToJson(PbftProofSchema, previousProof) : null,
    txset: transactions.length === 0 ? null : { txs: transactions.map(envelopeToJson) },
  };
}

/** A header and those of its companions that were asked for. */
export interface LedgerView {
  readonly header: LedgerHeader;
  readonly validators?: ValidatorSet;
  readonly fees?: FeeConfig;
  readonly consensusValue?: ConsensusValueView;
  readonly reward?: { readonly block: bigint; readonly byValidator: Readonly<Record<string, bigint>> };
}

export function ledgerReply({ header, validators, fees, consensusValue, reward }: LedgerView): JsonObject {
  const result: JsonObject = { header: headerToJson(header) };
  if (validators) result.validators = validators.validators.map(({ address }) => address);
  if (fees) result.fees = toJson(FeeConfigSchema, fees);
  if (consensusValue) result.consensus_value = consensusValueToJson(consensusValue);
  if (reward) {
    result.block_reward = jsonInteger(reward.block);
    result.validators_reward = Object.fromEntries(
      Object.entries(reward.byValidator).map(([address, amount]) => [address, jsonInteger(amount)]),
    );
  }
  return successEnvelope(result);
}

export const ledgerValidatorsReply = ({ validators }: ValidatorSet): JsonObject =>
  successEnvelope({ validators: validators.map((validator) => messageToJson(ValidatorSchema, validator)) });

/** Not known yet, or never: a chain of one node has none. */
export const lightBlockMissing = refuse(
  'notFound',
  'the validators of this block are not known to have signed it',
);

/** A light block as CometBFT spells it, kept as it came. */
export const lightBlockReply = (lightBlock: JsonObject): JsonObject => successEnvelope(lightBlock);

export interface StateProofView {
  readonly header: LedgerHeader;
  /** The name of the state entry, as it is hashed into the tree. */
  readonly stateKey: string;
  /** The stored bytes; undefined when the proof shows that there are none. */
  readonly value: Uint8Array | undefined;
  readonly proofBase64: string;
}

export function stateProofReply({ header, stateKey, value, proofBase64 }: StateProofView): JsonObject {
  return successEnvelope({
    header: headerToJson(header),
    ledger_seq: jsonInteger(header.seq),
    proof: proofBase64,
    root: encodeHex(header.accountTreeHash),
    state_key: stateKey,
    value: value ? encodeHex(value) : null,
  });
}
