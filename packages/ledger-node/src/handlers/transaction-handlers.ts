/** Transactions: building, submitting, evaluating, and finding them again (`docs/ledger.md`, "Requests"). */
import { create, fromBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { decodeTransaction, encodeTransaction, envelopeOf } from '@symbolon/core/ledger/terms/transaction';
import { queryLimits } from '@symbolon/core/limits/requests';
import {
  type Signature,
  SignatureSchema,
  type Transaction,
  TransactionEnvSchema,
  type TransactionEnvStore,
} from '@symbolon/core/proto/ledger_pb';
import type { RequestOf } from '@symbolon/wire/http/ledger-route';
import type { LedgerHandlers, ledgerRoutes } from '@symbolon/wire/ledger/routes';
import {
  cacheRecord,
  decodedBlobReply,
  historyRecord,
  type SubmitFacts,
  submitReply,
  transactionBlobReply,
  transactionsRefused,
  transactionsReply,
} from '@symbolon/wire/ledger/transaction-replies';
import type { SubmitItem } from '@symbolon/wire/ledger/transaction-requests';
import {
  blockMissing,
  countRecords,
  findBase,
  findBlock,
  findRecord,
  readLatestRecords,
  readRecords,
  storedTransaction,
} from '../chain/chain-reader.ts';
import type { LedgerNode } from '../node/node.ts';
import type { QueuedTransaction } from '../queue/admission.ts';
import { evaluateTransaction } from '../sandbox/evaluation.ts';
import { publicKeyOf, signEd25519 } from '../signatures/ed25519.ts';
import { evaluationReply, refusedTrialReply } from './sandbox-handlers.ts';

const notATransaction = refuse('invalidParameter', 'the blob is not a serialized transaction');

export function createTransactionHandlers(node: LedgerNode) {
  const { sha256 } = node.chain.rules;

  return {
    getTransactionBlob: ({ transaction }) => {
      const blob = encodeTransaction(forThisChain(node, transaction));
      return transactionBlobReply(sha256(blob), blob);
    },

    getTransactionFromBlob: ({ blob, isEnvelope }) => {
      const envelope = isEnvelope ? parseEnvelope(blob) : envelopeOf({ blob, signatures: [] });
      const transaction = envelope && decodeTransaction(envelope.transaction);
      if (!envelope || !transaction) return notATransaction;
      return decodedBlobReply({ envelope, transaction, hash: sha256(envelope.transaction) });
    },

    submitTransaction: async ({ items }) => {
      const outcomes: SubmitFacts[] = [];
      for (const item of items) outcomes.push(await submit(node, item));
      return submitReply(outcomes);
    },

    testTransaction: async (request) => {
      const transaction = request.transaction
        ? forThisChain(node, request.transaction)
        : decodeTransaction(request.blob);
      if (!transaction) return notATransaction;
      const count = BigInt(request.signatureCount);
      const evaluation = await node.sandbox.run(() => evaluateTransaction(transaction, count, node.chain));
      if ('code' in evaluation) return evaluation;
      return 'refusal' in evaluation ? refusedTrialReply(evaluation) : evaluationReply(evaluation);
    },

    getTransactionHistory: async (request) => {
      const { records, totalCount } = await findHistory(node, request);
      const unknown = records.length === 0 && totalCount === 0 && notHere(node, request);
      if (unknown) return transactionsRefused(unknown);
      return transactionsReply(records.map(renderRecord), totalCount);
    },

    getTransactionCache: ({ hash, limit }) => {
      if (!hash) {
        node.queue.expire(performance.now());
        const waiting = withinOneAnswer(node.queue.list(limit));
        return transactionsReply(waiting.map(renderWaiting), node.queue.size);
      }
      const name = encodeHex(hash);
      const departure = node.queue.departed(name);
      if (departure) return transactionsRefused(departure);
      const queued = node.queue.get(name);
      const records = queued ? [renderWaiting(queued)] : [];
      return transactionsReply(records, records.length);
    },
  } satisfies Partial<LedgerHandlers>;
}

/** An order that names no chain is for the one that it is given to: a blob for no chain would be executed by none. */
const forThisChain = ({ chain }: LedgerNode, transaction: Transaction): Transaction =>
  transaction.chainId === 0n ? { ...transaction, chainId: chain.rules.parameters.chainId } : transaction;

async function submit(node: LedgerNode, item: SubmitItem): Promise<SubmitFacts> {
  const { keys, sha256 } = node.chain.rules;
  switch (item.kind) {
    case 'refused':
      return { refusal: item.refusal, hash: item.blob && encodeHex(sha256(item.blob)) };
    case 'signed': {
      const unknownKey = item.signatures.some(({ publicKey }) => !keys.parsePublicKey(publicKey));
      if (unknownKey) {
        return {
          refusal: refuse('invalidPublicKey', 'public_key is not an encoded key'),
          hash: encodeHex(sha256(item.blob)),
        };
      }
      return node.submit(item.blob, item.signatures);
    }
    case 'unsigned': {
      const blob = encodeTransaction(forThisChain(node, item.transaction));
      const signatures: Signature[] = [];
      for (const text of item.privateKeys) {
        const seed = keys.parsePrivateKey(text);
        if (!seed) return { refusal: refuse('invalidPrivateKey'), hash: encodeHex(sha256(blob)) };
        const publicKey = keys.encodePublicKey(publicKeyOf(seed));
        signatures.push(create(SignatureSchema, { publicKey, signData: signEd25519(seed, blob) }));
      }
      return node.submit(blob, signatures);
    }
  }
}

/** A hash names one transaction, a number a block's; both together name a transaction of that block. */
async function findHistory(
  { chain: { head, rows } }: LedgerNode,
  { hash, ledgerSeq, start, limit }: RequestOf<typeof ledgerRoutes.getTransactionHistory>,
): Promise<{ records: TransactionEnvStore[]; totalCount: number }> {
  if (hash) {
    const record = findRecord(rows, hash);
    const isMeant = record && (ledgerSeq === undefined || record.ledgerSeq === ledgerSeq);
    return isMeant ? { records: [record], totalCount: 1 } : { records: [], totalCount: 0 };
  }
  if (ledgerSeq !== undefined) {
    const totalCount = findBlock(rows, ledgerSeq)?.rowCount ?? 0;
    if (start >= totalCount) return { records: [], totalCount };
    return { records: await readRecords(rows, ledgerSeq, { start, limit }), totalCount };
  }
  const { latestTransactionsMax: latestMax, bodyBytesMax: bytesMax } = queryLimits;
  // Every signed transaction has a record, but for those before a snapshot: only a young chain is counted.
  const isFull = head.txCount - (findBase(rows)?.txCount ?? 0n) >= latestMax;
  const totalCount = isFull ? latestMax : await countRecords(rows, latestMax);
  const page = { start, limit: Math.min(limit, totalCount - start), bytesMax };
  return { records: await readLatestRecords(rows, page), totalCount };
}

/** Whether something may have been found on a node that does not begin with a snapshot. */
function notHere(
  { chain: { rows } }: LedgerNode,
  { hash, ledgerSeq }: RequestOf<typeof ledgerRoutes.getTransactionHistory>,
): LedgerRefusal | undefined {
  if (ledgerSeq !== undefined) return blockMissing(rows, ledgerSeq);
  const base = hash && findBase(rows);
  return base
    ? refuse(
        'notFound',
        `not in a block after ${base.seq}, with whose snapshot this node begins: it does not have the blocks before`,
      )
    : undefined;
}

/** The first ones, as many as one answer may hold, one in any case; any other is asked for by its hash. */
function withinOneAnswer(waiting: readonly QueuedTransaction[]): readonly QueuedTransaction[] {
  let bytes = 0;
  const cut = waiting.findIndex((transaction, index) => {
    bytes += transaction.bytes;
    return index > 0 && bytes > queryLimits.bodyBytesMax;
  });
  return cut === -1 ? waiting : waiting.slice(0, cut);
}

const renderRecord = (store: TransactionEnvStore) => historyRecord(store, storedTransaction(store));

function renderWaiting({ verified: { signed }, arrivedAtMicros }: QueuedTransaction) {
  return cacheRecord({
    hash: signed.hash,
    incomingTime: arrivedAtMicros,
    envelope: envelopeOf(signed),
    transaction: signed.transaction,
  });
}

/** Whatever the decoder objects to, the bytes are no envelope. */
const parseEnvelope = (bytes: Uint8Array) => decodeOrNothing(() => fromBinary(TransactionEnvSchema, bytes));
