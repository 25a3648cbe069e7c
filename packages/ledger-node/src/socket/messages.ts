/** Frames of the WebSocket interface as a node sends them; its vocabulary is the wire's. */
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import { ChainResponseSchema, ChainTxStatusSchema, WsMessageSchema } from '@symbolon/core/proto/socket_pb';
import { transactionStatuses } from '@symbolon/wire/ledger/socket-messages';
import type { Admitted } from '../queue/admission.ts';

export const encodeMessage = (frame: MessageInitShape<typeof WsMessageSchema>): Uint8Array =>
  toBinary(WsMessageSchema, create(WsMessageSchema, frame));

/** What became of a request; nothing went wrong without a refusal. */
export const encodeResponse = (refusal: LedgerRefusal | undefined): Uint8Array =>
  toBinary(
    ChainResponseSchema,
    create(ChainResponseSchema, {
      errorCode: refusal?.code ?? 0,
      errorDesc: refusal?.description ?? '',
    }),
  );

/** What became of a submission. */
export function encodeStatus({ hash, signed, refusal }: Admitted, timestamp: bigint): Uint8Array {
  const status = create(ChainTxStatusSchema, {
    status: refusal ? transactionStatuses.failure : transactionStatuses.confirmed,
    txHash: hash ?? '',
    sourceAddress: signed?.transaction.sourceAddress ?? '',
    sourceAccountSeq: signed?.transaction.nonce ?? 0n,
    errorCode: refusal?.code ?? 0,
    errorDesc: refusal?.description ?? '',
    timestamp,
  });
  return toBinary(ChainTxStatusSchema, status);
}
