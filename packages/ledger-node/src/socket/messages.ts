/** Frames of the WebSocket interface as a node sends them; its vocabulary is the wire's. */
import { create, toBinary } from '@bufbuild/protobuf';
import { WsMessageSchema } from '@symbolon/core/proto/socket_pb';

export {
  currentNumbering,
  messageTypes,
  type Numbering,
  olderNumbering,
  transactionStatuses,
} from '@symbolon/wire/socket-messages';

export interface Frame {
  readonly type: bigint;
  readonly request: boolean;
  readonly sequence: bigint;
  readonly data: Uint8Array;
}

export const encodeFrame = (frame: Frame): Uint8Array =>
  toBinary(WsMessageSchema, create(WsMessageSchema, frame));
