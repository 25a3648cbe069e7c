/** A client of the WebSocket interface: sends frames, keeps what arrives, waits for what it expects. */
import { once } from 'node:events';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  ChainResponseSchema,
  ChainSubscribeTxSchema,
  type WsMessage,
  WsMessageSchema,
} from '@symbolon/core/proto/socket_pb';
import { WebSocket } from 'ws';
import type { Owner } from './owner.ts';
import { until } from './until.ts';

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export interface SocketClient {
  readonly socket: WebSocket;
  /** Everything that has arrived, oldest first. */
  readonly frames: WsMessage[];
  /** Resolves when the connection is over. */
  readonly closed: Promise<Closed>;
  request(type: bigint, data: Uint8Array, sequence?: bigint): void;
  /** The response to a request of this type and sequence. */
  response(type: bigint, sequence?: bigint): Promise<WsMessage>;
  /** The notification of this type that fits, waited for. */
  notification(type: bigint, fits?: (data: Uint8Array) => boolean): Promise<WsMessage>;
  notifications(type: bigint): WsMessage[];
  /** Subscribes with the given number and answers the response's code. */
  subscribe(type: bigint, addresses: readonly string[]): Promise<number>;
}

export async function connectSocket(owner: Owner, url: string): Promise<SocketClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  owner.after(() => socket.terminate());
  const frames: WsMessage[] = [];
  socket.on('message', (data: Buffer) => frames.push(fromBinary(WsMessageSchema, data)));
  // How a connection ends is told by 'close'.
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  await once(socket, 'open');

  const find = (what: string, fits: (frame: WsMessage) => boolean) => until(what, () => frames.find(fits));
  const client: SocketClient = {
    socket,
    frames,
    closed,
    request(type, data, sequence = 1n) {
      const message = create(WsMessageSchema, { type, request: true, sequence, data });
      socket.send(toBinary(WsMessageSchema, message));
    },
    response: (type, sequence = 1n) =>
      find(`response ${type}`, (it) => !it.request && it.type === type && it.sequence === sequence),
    notification: (type, fits = () => true) =>
      find(`notification ${type}`, (it) => it.request && it.type === type && fits(it.data)),
    notifications: (type) => frames.filter((it) => it.request && it.type === type),
    async subscribe(type, addresses) {
      const sequence = BigInt(frames.length) + 1_000n;
      client.request(
        type,
        toBinary(ChainSubscribeTxSchema, create(ChainSubscribeTxSchema, { address: [...addresses] })),
        sequence,
      );
      const { data } = await client.response(type, sequence);
      return fromBinary(ChainResponseSchema, data).errorCode;
    },
  };
  return client;
}
