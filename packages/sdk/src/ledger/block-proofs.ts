/**
 * What a block says was executed, by the signature of a validator that the caller has pinned (docs/ledger.md,
 * "Headers"). A validator signs the hash of a block's consensus value, which holds every transaction of the block and
 * which of them failed; the block after it carries that signature. So a block is proven as soon as it has a successor.
 */
import { create, fromBinary } from '@bufbuild/protobuf';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { commitsTo } from '@symbolon/core/ledger/execution/block-rules';
import { consensusValueHash, withHash } from '@symbolon/core/ledger/execution/close-block';
import { decodeTransaction, encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import {
  type ConsensusValue,
  ConsensusValueSchema,
  LedgerHeaderSchema,
  type PbftEnv,
  PbftProofSchema,
  type TransactionEnv,
  TransactionEnvSchema,
} from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { isReadError, messageFromJson } from '@symbolon/wire/json/message-json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import { unlessNotFound } from '../errors/errors.ts';
import { verifyWithWebCrypto } from '../keys/signer.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { LedgerClient } from './ledger-client.ts';
import { assertPins, type Pins } from './pins.ts';

/** A transaction that a validator says was executed; it has used its nonce, whether it failed or not. */
export interface ProvenTransaction {
  readonly hash: string;
  readonly sourceAddress: string;
  readonly nonce: bigint;
  readonly hasFailed: boolean;
}

/**
 * The transactions of a block; undefined where nothing proves them: no validator is pinned, the block has no successor
 * yet, the node's answers do not add up to what was signed, or a transaction of the block is in an encoding that cannot
 * be made again from its JSON.
 */
export async function provenTransactions(
  client: LedgerClient,
  seq: bigint,
  pins: Pick<Pins, 'validators' | 'chainId'>,
  profile: NetworkProfile = zetrixProfile,
): Promise<readonly ProvenTransaction[] | undefined> {
  const signed = await signedBlock(client, seq, pins, profile);
  return signed && signedTransactions(signed.value);
}

/** What a block holds by the signature of a validator, and whose that is. */
export interface SignedBlock {
  readonly value: ConsensusValue;
  /** Address of the validator. */
  readonly signer: string;
}

/** Undefined where nothing proves it, as with `provenTransactions`. */
export async function signedBlock(
  client: LedgerClient,
  seq: bigint,
  pins: Pick<Pins, 'validators' | 'chainId'>,
  profile: NetworkProfile = zetrixProfile,
): Promise<SignedBlock | undefined> {
  assertPins(pins);
  const { validators = [], chainId } = pins;
  if (validators.length === 0) return undefined;
  const [value, successor] = [await readValue(client, seq), await readValue(client, seq + 1n)];
  if (!value || !successor || value.ledgerSeq !== seq) return undefined;
  const keys = createKeyFormat(profile, sha256);
  const digest = consensusValueHash(value, sha256);
  for (const commit of commitsTo({ seq, digest }, commitsOf(successor), keys)) {
    if (!validators.includes(commit.address)) continue;
    if (chainId !== undefined && commit.chainId !== chainId) continue;
    if (await verifyWithWebCrypto(commit)) return { value, signer: commit.address };
  }
  return undefined;
}

/**
 * The hash that names a block, made anew from its header and from the transactions that the node shows of it; undefined
 * where these cannot be read. A header with this hash is the one that the block after it was built on.
 */
export async function blockHashAnew(
  client: Pick<LedgerClient, 'getTransactionHistory'>,
  header: JsonObject,
): Promise<string | undefined> {
  const message = messageFromJson(LedgerHeaderSchema, header);
  if (isReadError(message)) return undefined;
  const shown: JsonValue[] = [];
  // A node that never comes to an end shows no block.
  for (let page = 0; page < clientLimits.pagesMax; page += 1) {
    const query = { ledger_seq: message.seq, start: shown.length, limit: recordsPerPage };
    const reply = await unlessNotFound(client.getTransactionHistory(query));
    const records = (reply?.result?.transactions ?? []) as JsonObject[];
    shown.push(...records);
    if (records.length < recordsPerPage) break;
  }
  const envelopes = envelopesOf({ txs: shown });
  return envelopes && encodeHex(withHash(message, envelopes, sha256).hash);
}

/** As many as a node shows at once. */
const recordsPerPage = 1_000;

function commitsOf({ previousProof }: ConsensusValue): readonly PbftEnv[] {
  try {
    return fromBinary(PbftProofSchema, previousProof).commits;
  } catch {
    // Anybody's bytes.
    return [];
  }
}

async function readValue(client: LedgerClient, seq: bigint): Promise<ConsensusValue | undefined> {
  const query = { seq: String(seq), with_consvalue: 'true' };
  const reply = await unlessNotFound(client.getLedger(query));
  const shown = reply?.result?.consensus_value as JsonObject | undefined;
  if (!shown) return undefined;
  const { txset, previous_proof_plain: _, ...rest } = shown;
  const value = messageFromJson(ConsensusValueSchema, rest);
  const txs = envelopesOf(txset);
  if (isReadError(value) || !txs) return undefined;
  return { ...value, txset: create(ConsensusValueSchema, { txset: { txs } }).txset };
}

/** The envelopes that these are the JSON of, in our own encoding; undefined for what is none. */
function envelopesOf(txset: JsonValue | undefined): TransactionEnv[] | undefined {
  const shown = isJsonObject(txset) ? txset.txs : [];
  if (!Array.isArray(shown)) return undefined;
  const envelopes = shown.map((item) => {
    if (!isJsonObject(item)) return undefined;
    const { transaction: json, ...rest } = item;
    const transaction = transactionFromRecord(json);
    const envelope = messageFromJson(TransactionEnvSchema, rest);
    if (isReadError(transaction) || isReadError(envelope)) return undefined;
    return { ...envelope, transaction: encodeTransaction(transaction) };
  });
  return envelopes.every((envelope) => envelope !== undefined) ? envelopes : undefined;
}

/** The transactions of what was signed; undefined where one of them cannot be read. */
export function signedTransactions({
  txset,
  validation,
}: ConsensusValue): readonly ProvenTransaction[] | undefined {
  const failed = new Set([...(validation?.errorTxIds ?? []), ...(validation?.expireTxIds ?? [])]);
  const proven = (txset?.txs ?? []).map(({ transaction: blob }, index) => {
    const transaction = decodeTransaction(blob);
    if (!transaction) return undefined;
    const { sourceAddress, nonce } = transaction;
    return { hash: encodeHex(sha256(blob)), sourceAddress, nonce, hasFailed: failed.has(index) };
  });
  return proven.every((transaction) => transaction !== undefined) ? proven : undefined;
}
