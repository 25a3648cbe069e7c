/**
 * The WebSocket of a hostile node: to whoever subscribes it tells of transactions and refusals with a hostile text
 * wherever a text may stand, or refuses the subscription with it.
 */
import type { Server } from 'node:http';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import {
  LedgerHeaderSchema,
  TransactionEnvStoreSchema,
  TransactionSchema,
} from '@symbolon/core/proto/ledger_pb';
import { ChainResponseSchema, ChainTxStatusSchema, WsMessageSchema } from '@symbolon/core/proto/socket_pb';
import { currentNumbering, messageTypes, transactionStatuses } from '@symbolon/wire/ledger/socket-messages';
import { WebSocketServer } from 'ws';

/** How many it tells. */
export const socketEvents = 4;

/** An executed transaction whose every text is hostile. */
function transactionOf(text: string, errorCode: number): Uint8Array {
  const transaction = create(TransactionSchema, {
    sourceAddress: text,
    metadata: new TextEncoder().encode(text),
    operations: [
      { type: 7, payCoin: { destAddress: text, amount: 1n, input: text } },
      { type: 4, setMetadata: { key: text, value: text } },
      { type: 8, log: { topic: text, datas: [text] } },
      { type: 3, payAsset: { destAddress: text, asset: { key: { issuer: text, code: text }, amount: 1n } } },
    ],
  });
  const record = create(TransactionEnvStoreSchema, {
    transactionEnv: { transaction: encodeTransaction(transaction) },
    errorCode,
    errorDesc: text,
    hash: new Uint8Array(32).fill(7),
  });
  return toBinary(TransactionEnvStoreSchema, record);
}

export function serveHostileSocket(
  server: Server,
  { text, refuses }: { readonly text: string; readonly refuses: () => boolean },
): void {
  const sockets = new WebSocketServer({ server });
  const frame = (type: bigint, request: boolean, data: Uint8Array, sequence = 0n): Uint8Array =>
    toBinary(WsMessageSchema, create(WsMessageSchema, { type, request, sequence, data }));
  sockets.on('connection', (socket) =>
    socket.on('message', (bytes: Buffer) => {
      const { type, request, sequence } = fromBinary(WsMessageSchema, new Uint8Array(bytes));
      if (!request || type !== currentNumbering.subscribe) return;
      const answer = create(ChainResponseSchema, { errorCode: refuses() ? 151 : 0, errorDesc: text });
      socket.send(frame(type, false, toBinary(ChainResponseSchema, answer), sequence));
      const refused = create(ChainTxStatusSchema, {
        status: transactionStatuses.failure,
        txHash: text,
        sourceAddress: text,
        errorCode: 2,
        errorDesc: text,
      });
      const header = toBinary(LedgerHeaderSchema, create(LedgerHeaderSchema, { seq: 7n }));
      socket.send(frame(messageTypes.ledgerHeader, true, header));
      socket.send(frame(currentNumbering.deliver, true, transactionOf(text, 0)));
      socket.send(frame(currentNumbering.deliver, true, transactionOf(text, 100)));
      const status = toBinary(ChainTxStatusSchema, refused);
      socket.send(frame(messageTypes.transactionStatus, true, status));
    }),
  );
}
