/**
 * Frames of a node's WebSocket as events in plain words. Bytes come from outside: whatever cannot be read is no frame,
 * whatever is not known is no event.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import {
  LedgerHeaderSchema,
  type Transaction,
  TransactionEnvStoreSchema,
} from '@symbolon/core/proto/ledger_pb';
import {
  ChainResponseSchema,
  ChainSubscribeTxSchema,
  ChainTxStatusSchema,
  WsMessageSchema,
} from '@symbolon/core/proto/socket_pb';
import { currentNumbering, messageTypes, transactionStatuses } from '@symbolon/wire/ledger/socket-messages';

/** A block was closed. */
export interface BlockClosed {
  readonly kind: 'block';
  readonly seq: bigint;
  readonly hash: string;
  readonly previousHash: string;
  /** Microseconds since 1970. */
  readonly closeTimeMicros: bigint;
  /** Of all blocks up to this one. */
  readonly transactionCount: bigint;
}

/** A transaction was executed, with success (code 0) or without. */
export interface TransactionExecuted {
  readonly kind: 'transaction';
  readonly hash: string;
  readonly code: number;
  readonly description: string;
  readonly ledgerSeq: bigint;
  readonly closeTimeMicros: bigint;
  readonly actualFee: bigint;
  readonly transaction: Transaction;
}

/** The queue took a submission, or refused it. */
export interface SubmissionDecided {
  readonly kind: 'submission';
  readonly isAccepted: boolean;
  /** Empty where what was submitted is no transaction. */
  readonly hash: string;
  readonly sourceAddress: string;
  readonly nonce: bigint;
  readonly code: number;
  readonly description: string;
}

/** The connection was away for a moment: what happened meanwhile is not among the events. */
export interface EventsMissed {
  readonly kind: 'gap';
}

/** What `watchLedger` tells. */
export type LedgerEvent = BlockClosed | TransactionExecuted | SubmissionDecided | EventsMissed;

export interface Frame {
  readonly type: bigint;
  /** A node also sends requests: its notifications. */
  readonly isRequest: boolean;
  readonly sequence: bigint;
  readonly data: Uint8Array;
  /** Of a response that says no. */
  readonly refusal?: { readonly code: number; readonly description: string };
}

const frameBytes = (type: bigint, isRequest: boolean, sequence: bigint, data: Uint8Array) =>
  Uint8Array.from(
    toBinary(WsMessageSchema, create(WsMessageSchema, { type, request: isRequest, sequence, data })),
  );

export const createFrame = {
  subscription: (addresses: readonly string[], sequence: bigint) => {
    const order = create(ChainSubscribeTxSchema, { address: [...addresses] });
    return frameBytes(currentNumbering.subscribe, true, sequence, toBinary(ChainSubscribeTxSchema, order));
  },
  /** The answer to a ping repeats what it said. */
  pong: ({ sequence, data }: Frame) => frameBytes(messageTypes.ping, false, sequence, data),
};

/** Undefined for what is no message of this interface. */
export const parseEventFrame = (bytes: Uint8Array): Frame | undefined =>
  decodeOrNothing(() => {
    const { type, request: isRequest, sequence, data } = fromBinary(WsMessageSchema, bytes);
    const frame = { type, isRequest, sequence, data };
    if (isRequest || type !== currentNumbering.subscribe) return frame;
    const { errorCode: code, errorDesc: description } = fromBinary(ChainResponseSchema, data);
    return code === 0 ? frame : { ...frame, refusal: { code, description } };
  });

/** What a notification tells; undefined for one that is not known, or that cannot be read. */
export const readEvent = ({ type, data }: Frame): LedgerEvent | undefined =>
  decodeOrNothing(() => {
    if (type === messageTypes.ledgerHeader) return readBlock(data);
    if (type === currentNumbering.deliver) return readTransaction(data);
    if (type === messageTypes.transactionStatus) return readSubmission(data);
    return undefined;
  });

function readBlock(data: Uint8Array): BlockClosed {
  const { seq, hash, previousHash, closeTime, txCount } = fromBinary(LedgerHeaderSchema, data);
  return {
    kind: 'block',
    seq,
    hash: encodeHex(hash),
    previousHash: encodeHex(previousHash),
    closeTimeMicros: closeTime,
    transactionCount: txCount,
  };
}

function readTransaction(data: Uint8Array): TransactionExecuted | undefined {
  const record = fromBinary(TransactionEnvStoreSchema, data);
  const transaction = record.transactionEnv && decodeTransaction(record.transactionEnv.transaction);
  return (
    transaction && {
      kind: 'transaction',
      hash: encodeHex(record.hash),
      code: record.errorCode,
      description: record.errorDesc,
      ledgerSeq: record.ledgerSeq,
      closeTimeMicros: record.closeTime,
      actualFee: record.actualFee,
      transaction,
    }
  );
}

function readSubmission(data: Uint8Array): SubmissionDecided {
  const told = fromBinary(ChainTxStatusSchema, data);
  return {
    kind: 'submission',
    isAccepted: told.status === transactionStatuses.confirmed,
    hash: told.txHash,
    sourceAddress: told.sourceAddress,
    nonce: told.sourceAccountSeq,
    code: told.errorCode,
    description: told.errorDesc,
  };
}
