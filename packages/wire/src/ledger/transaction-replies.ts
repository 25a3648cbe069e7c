/**
 * Transactions as the interface shows them: history and queue records, the merged reply of submitTransaction, and what
 * the sandbox routes answer. Pure renderers; an envelope holds its transaction as bytes, so the decoded transaction is
 * given beside it.
 */
import { toBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { TracedCall } from '@symbolon/core/ledger/contracts/call-tracer';
import { codes, type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import {
  SignatureSchema,
  type Transaction,
  type TransactionEnv,
  TransactionEnvSchema,
  type TransactionEnvStore,
  TriggerSchema,
} from '@symbolon/core/proto/ledger_pb';
import { refusalEnvelope, successEnvelope } from '../http/envelope.ts';
import { type JsonObject, type JsonValue, jsonInteger } from '../json/json.ts';
import { messageToJson } from '../json/message-json.ts';
import { traceMember } from './call-trace-json.ts';
import { transactionToJson } from './transaction-json.ts';

export interface EnvelopedTransaction {
  readonly envelope: TransactionEnv;
  readonly transaction: Transaction;
}

/** Signatures and trigger are left out where there are none. */
export function envelopeToJson({ envelope, transaction }: EnvelopedTransaction): JsonObject {
  const json: JsonObject = {};
  if (envelope.signatures.length > 0)
    json.signatures = envelope.signatures.map((signature) => messageToJson(SignatureSchema, signature));
  json.transaction = transactionToJson(transaction);
  if (envelope.trigger) json.trigger = messageToJson(TriggerSchema, envelope.trigger);
  return json;
}

/** One executed transaction. The execution fields are always there, whatever their value. */
export function historyRecord(store: TransactionEnvStore, transaction: Transaction): JsonObject {
  const envelope = store.transactionEnv;
  const triggered = store.contractTxHashes.map(encodeHex);
  return {
    actual_fee: jsonInteger(store.actualFee),
    close_time: jsonInteger(store.closeTime),
    ...(triggered.length > 0 ? { contract_tx_hashes: triggered } : {}),
    error_code: store.errorCode,
    error_desc: store.errorDesc,
    hash: encodeHex(store.hash),
    ledger_seq: jsonInteger(store.ledgerSeq),
    ...(envelope ? envelopeToJson({ envelope, transaction }) : {}),
    tx_size: envelope ? toBinary(TransactionEnvSchema, envelope).length : 0,
  };
}

const nothingFound = refuse('notFound', 'query result not exist');

/**
 * getTransactionHistory and getTransactionCache: the records of a page, and how many the question is about, whichever of
 * them it shows. Nothing found is a refusal with an empty list.
 */
export function transactionsReply(records: readonly JsonObject[], totalCount: number): JsonObject {
  if (records.length === 0) return transactionsRefused(nothingFound, totalCount);
  return successEnvelope({ total_count: totalCount, transactions: [...records] });
}

export const transactionsRefused = (refusal: LedgerRefusal, totalCount = 0): JsonObject =>
  refusalEnvelope(refusal, { total_count: totalCount, transactions: [] });

export interface QueuedView extends EnvelopedTransaction {
  readonly hash: Uint8Array;
  /** Microseconds since 1970. */
  readonly incomingTime: bigint;
}

/** One waiting transaction: nothing has gone wrong with it, and nothing about its execution is known yet. */
export function cacheRecord({ hash, incomingTime, ...enveloped }: QueuedView): JsonObject {
  return {
    error_code: codes.success,
    error_desc: '',
    hash: encodeHex(hash),
    incoming_time: jsonInteger(incomingTime),
    status: 'processing',
    ...envelopeToJson(enveloped),
  };
}

/** What became of one submitted item; the hash is known as soon as the blob could be read. */
export interface SubmitFacts {
  readonly refusal?: LedgerRefusal;
  readonly hash?: string;
}

/**
 * The interface document's envelope and the list the public clients read, in one object; with several items the
 * envelope repeats the first. Rendered by hand because it is the busiest reply of a node.
 */
export function submitReply(outcomes: readonly SubmitFacts[]): string {
  const [first] = outcomes;
  const result = first.hash === undefined ? 'null' : `{"hash":"${first.hash}"}`;
  const results = outcomes.map((outcome) => `{${verdict(outcome)}${hashMember(outcome)}}`).join(',');
  const accepted = outcomes.reduce((count, { refusal }) => (refusal ? count : count + 1), 0);
  return `{${verdict(first)},"result":${result},"results":[${results}],"success_count":${accepted}}`;
}

const verdict = ({ refusal }: SubmitFacts): string =>
  refusal
    ? `"error_code":${refusal.code},"error_desc":${JSON.stringify(refusal.description)}`
    : `"error_code":${codes.success},"error_desc":""`;

const hashMember = ({ hash }: SubmitFacts): string => (hash === undefined ? '' : `,"hash":"${hash}"`);

/** A submission refused as a whole. */
export const submitRefused = ({ code, description }: LedgerRefusal): JsonObject => ({
  error_code: code,
  error_desc: description,
  result: null,
  results: [{ error_code: code, error_desc: description }],
  success_count: 0,
});

export const transactionBlobReply = (hash: Uint8Array, blob: Uint8Array): JsonObject =>
  successEnvelope({ hash: encodeHex(hash), transaction_blob: encodeHex(blob) });

/** getTransactionFromBlob: like a history record of something never executed, not under `result`. */
export function decodedBlobReply({
  hash,
  ...enveloped
}: EnvelopedTransaction & { readonly hash: Uint8Array }): JsonObject {
  return {
    actual_fee: 0,
    close_time: 0,
    error_code: codes.success,
    error_desc: '',
    hash: encodeHex(hash),
    ledger_seq: 0,
    ...envelopeToJson(enveloped),
    tx_size: toBinary(TransactionEnvSchema, enveloped.envelope).length,
  };
}

/** What a sandbox run used; time in microseconds. */
export interface SandboxStatistics {
  readonly applyTime: number;
  readonly memoryUsage: number;
  readonly stackUsage: number;
  readonly step: number;
}

/** One transaction of a sandbox run. */
export interface SandboxTransaction extends EnvelopedTransaction {
  readonly refusal?: LedgerRefusal;
  readonly fee?: { readonly actualFee: bigint; readonly gas: bigint };
  readonly block?: { readonly ledgerSeq: bigint; readonly closeTime: bigint };
}

/** How one query ended: with a text or a truth value, or by throwing. */
export type QueryOutcome =
  | { readonly value: string | boolean }
  | { readonly exception: Readonly<Record<string, JsonValue>> };

export interface SandboxView {
  readonly hash?: Uint8Array;
  /** Why the run as a whole failed; what it has to tell is told all the same. */
  readonly failure?: LedgerRefusal;
  /** The contracts that had called each other when it failed, the outermost first. */
  readonly failedCalls?: readonly TracedCall[];
  /** What the contract that was called returned; a transaction that was executed leaves no trace of it. */
  readonly returned?: string | boolean | undefined;
  /** Lines each contract logged, by `<depth>-<address>`. */
  readonly logs: Readonly<Record<string, readonly string[]>>;
  readonly queries: readonly QueryOutcome[];
  readonly statistics: SandboxStatistics;
  readonly transactions: readonly SandboxTransaction[];
}

/**
 * testTransaction and callContract. Of a failed run the members of the result stand beside it as well: public clients
 * hand over the whole reply where its code is not 0, and their callers look for the members in what they are handed.
 */
export function sandboxReply(view: SandboxView): JsonObject {
  const result = sandboxToJson(view);
  const { failure, failedCalls = [] } = view;
  if (!failure) return successEnvelope(result);
  return { ...refusalEnvelope(failure, result), ...result, ...traceMember(failedCalls) };
}

function sandboxToJson({ hash, logs, queries, returned, statistics, transactions }: SandboxView): JsonObject {
  const logged = Object.entries(logs).map(
    ([name, lines]) => [name, lines.length === 0 ? null : [...lines]] as const,
  );
  const result: JsonObject = hash ? { hash: encodeHex(hash) } : {};
  return {
    ...result,
    logs: logged.length === 0 ? null : Object.fromEntries(logged),
    query_rets: queries.length === 0 ? null : queries.map(queryToJson),
    ...(returned === undefined ? {} : { returned: valueToJson(returned) }),
    stat: {
      apply_time: statistics.applyTime,
      memory_usage: statistics.memoryUsage,
      stack_usage: statistics.stackUsage,
      step: statistics.step,
    },
    txs: transactions.length === 0 ? null : transactions.map(sandboxTransactionToJson),
  };
}

function queryToJson(outcome: QueryOutcome): JsonObject {
  if ('exception' in outcome) return { error: { data: { ...outcome.exception } } };
  return { result: valueToJson(outcome.value) };
}

const valueToJson = (value: string | boolean): JsonObject => ({
  type: typeof value === 'string' ? 'string' : 'bool',
  value,
});

function sandboxTransactionToJson({ refusal, fee, block, ...enveloped }: SandboxTransaction): JsonObject {
  const json: JsonObject = { transaction_env: envelopeToJson(enveloped) };
  if (fee) Object.assign(json, { actual_fee: jsonInteger(fee.actualFee), gas: jsonInteger(fee.gas) });
  if (refusal) Object.assign(json, { error_code: refusal.code, error_desc: refusal.description });
  if (block)
    Object.assign(json, {
      close_time: jsonInteger(block.closeTime),
      ledger_seq: jsonInteger(block.ledgerSeq),
    });
  return json;
}

/** A contract that does not parse: the findings as text and as a value. */
export const syntaxRefusedReply = (refusal: LedgerRefusal, findings: JsonValue): JsonObject => ({
  ...refusalEnvelope(refusal),
  error_desc_json: findings,
});
