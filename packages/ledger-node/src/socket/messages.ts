/**
 * The WebSocket interface's vocabulary (docs/ledger.md, "WebSocket"). Two numberings are in use for the
 * subscription and what it delivers; a connection is answered in the one it subscribed with.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { WsMessageSchema } from '@symbolon/core/proto/socket_pb';

export const messageTypes = {
  ping: 1n,
  hello: 10n,
  transactionStatus: 11n,
  submitTransaction: 15n,
  ledgerHeader: 16n,
} as const;

/** Subscribe → deliver, per numbering. */
export interface Numbering {
  readonly subscribe: bigint;
  readonly deliver: bigint;
}

export const currentNumbering: Numbering = { subscribe: 19n, deliver: 20n };
export const olderNumbering: Numbering = { subscribe: 17n, deliver: 18n };

export const transactionStatuses = { confirmed: 1, failure: 4 } as const;

export interface Frame {
  readonly type: bigint;
  readonly request: boolean;
  readonly sequence: bigint;
  readonly data: Uint8Array;
}

export const encodeFrame = (frame: Frame): Uint8Array =>
  toBinary(WsMessageSchema, create(WsMessageSchema, frame));
