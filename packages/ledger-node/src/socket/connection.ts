/**
 * One WebSocket connection: reads its requests, answers them, and takes what is delivered to it. It holds nothing
 * but its filter and its counters; a consumer that does not keep up is dropped, not waited for.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import { socketLimits } from '@symbolon/core/limits/requests';
import { TransactionEnvSchema } from '@symbolon/core/proto/ledger_pb';
import {
  ChainStatusSchema,
  ChainSubscribeTxSchema,
  PingSchema,
  type WsMessage,
  WsMessageSchema,
} from '@symbolon/core/proto/socket_pb';
import {
  currentNumbering,
  messageTypes,
  olderNumbering,
  unusedTypes,
} from '@symbolon/wire/ledger/socket-messages';
import type { WebSocket } from 'ws';
import type { LedgerNode } from '../node/node.ts';
import { encodeMessage, encodeResponse, encodeStatus } from './messages.ts';
import type { AddressFilter } from './subscription.ts';

export interface ConnectionOptions {
  readonly version: string;
  /** Nobody is there when nothing has arrived for this long. */
  readonly silenceMs: number;
  /** Told of a submission that failed by a defect of ours. */
  onFailure(error: unknown): void;
}

/** What an answer repeats of a question. */
type Asked = Pick<WsMessage, 'type' | 'sequence'>;

/** For a frame that cannot be read. */
const nameless: Asked = { type: 0n, sequence: 0n };

const requestTypes: ReadonlySet<bigint> = new Set([
  messageTypes.hello,
  messageTypes.submitTransaction,
  currentNumbering.subscribe,
  olderNumbering.subscribe,
]);

export class SocketConnection {
  filter: AddressFilter;
  numbering = currentNumbering;
  readonly #socket: WebSocket;
  readonly #node: LedgerNode;
  readonly #options: ConnectionOptions;
  #sequence = 0n;
  #heardAtMs: number;
  #submissionsUnderWay = 0;

  constructor(socket: WebSocket, node: LedgerNode, options: ConnectionOptions) {
    this.#socket = socket;
    this.#node = node;
    this.#options = options;
    this.#heardAtMs = node.clock.nowMs();
    const hear = (): void => {
      this.#heardAtMs = node.clock.nowMs();
    };
    socket.on('pong', hear);
    socket.on('ping', (data) => {
      hear();
      if (this.#keepsUp()) socket.pong(data);
    });
    socket.on('message', (data: Buffer, isBinary) => {
      hear();
      if (isBinary) this.#receive(data);
      else this.#refuse(nameless, 'frames are binary, each a WsMessage');
    });
  }

  /** Sends a notification; drops the connection when too much of what was sent is still waiting. */
  notify(type: bigint, data: Uint8Array): void {
    this.#sequence += 1n;
    this.#send({ type, request: true, sequence: this.#sequence, data });
  }

  /** Asks whether anybody is there, and ends the connection when nobody has been for too long. */
  keepAlive(nowMs: number): void {
    if (nowMs - this.#heardAtMs > this.#options.silenceMs) this.#socket.terminate();
    else this.notify(messageTypes.ping, toBinary(PingSchema, create(PingSchema, { nonce: BigInt(nowMs) })));
  }

  #receive(data: Uint8Array): void {
    try {
      const message = decodeOrNothing(() => fromBinary(WsMessageSchema, data));
      if (!message) this.#refuse(nameless, 'the frame is no WsMessage');
      else if (message.request) this.#answer(message);
      // Answers are not answered, or two sides would never end. But messages of these types are always requests.
      else if (requestTypes.has(message.type)) this.#refuse(message, 'request: must be true in a request');
    } catch {
      // A known request with a payload that cannot be read, or no stack and memory left to read it with.
      this.#socket.terminate();
    }
  }

  #answer(message: WsMessage): void {
    const { type, data } = message;
    if (type === messageTypes.ping) {
      const { nonce } = fromBinary(PingSchema, data);
      this.#respond(message, toBinary(PingSchema, create(PingSchema, { nonce })));
    } else if (type === messageTypes.hello) {
      this.#respond(message, this.#status());
    } else if (type === messageTypes.submitTransaction) {
      this.#submit(data);
    } else if (type === currentNumbering.subscribe || type === olderNumbering.subscribe) {
      this.#subscribe(message);
    } else if (!unusedTypes.has(type)) {
      this.#refuse(message, `type: there is no request ${type}`);
    }
  }

  #refuse(asked: Asked, description: string): void {
    this.#respond(asked, encodeResponse(refuse('invalidParameter', description)));
  }

  #status(): Uint8Array {
    const { chain, clock, driver } = this.#node;
    return toBinary(
      ChainStatusSchema,
      create(ChainStatusSchema, {
        selfAddr: driver.validationAddress,
        ledgerVersion: chain.rules.parameters.ledgerVersion,
        chainVersion: this.#options.version,
        timestamp: clock.nowMicros(),
      }),
    );
  }

  /** The verdict is a status message: to every connection where the source stands behind it, else to this one. */
  #submit(data: Uint8Array): void {
    const { transaction, signatures } = fromBinary(TransactionEnvSchema, data);
    if (this.#submissionsUnderWay >= socketLimits.submissionsUnderWayMax) {
      this.#socket.terminate();
      return;
    }
    this.#submissionsUnderWay++;
    this.#node
      .submit(transaction, signatures)
      .then((admitted) => {
        if (admitted.isBySource) return;
        this.notify(messageTypes.transactionStatus, encodeStatus(admitted, this.#node.clock.nowMicros()));
      })
      .catch((error) => {
        // No verdict will ever come: an end says so, silence would not.
        this.#socket.terminate();
        this.#options.onFailure(error);
      })
      .finally(() => this.#submissionsUnderWay--);
  }

  #subscribe(message: WsMessage): void {
    const { address: addresses } = fromBinary(ChainSubscribeTxSchema, message.data);
    const { keys } = this.#node.chain.rules;
    const refusal =
      addresses.length > socketLimits.subscribedAddressesMax
        ? refuse('invalidParameter', `at most ${socketLimits.subscribedAddressesMax} addresses`)
        : addresses.every(keys.isAddress)
          ? undefined
          : refuse('invalidParameter', 'an address is not valid');
    this.#respond(message, encodeResponse(refusal));
    if (refusal) {
      this.#socket.close(1008, 'invalid subscription');
      return;
    }
    this.numbering = message.type === olderNumbering.subscribe ? olderNumbering : currentNumbering;
    this.filter = addresses.length > 0 ? new Set(addresses) : undefined;
  }

  #respond({ type, sequence }: Asked, data: Uint8Array): void {
    this.#send({ type, request: false, sequence, data });
  }

  #send(frame: Parameters<typeof encodeMessage>[0]): void {
    if (this.#keepsUp()) this.#socket.send(encodeMessage(frame), { binary: true });
  }

  /** Whether more can be sent; ends the connection when too much is waiting already. */
  #keepsUp(): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    if (this.#socket.bufferedAmount <= socketLimits.bufferedBytesMax) return true;
    this.#socket.terminate();
    return false;
  }
}
