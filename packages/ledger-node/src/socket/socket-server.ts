/**
 * The WebSocket interface: accepts connections and tells them what happens on the node. Blocks and transactions are
 * announced after they are durable, submissions as soon as the queue has decided.
 */
import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toBinary } from '@bufbuild/protobuf';
import { socketLimits } from '@symbolon/core/limits/requests';
import { LedgerHeaderSchema, TransactionEnvStoreSchema } from '@symbolon/core/proto/ledger_pb';
import { boundConnections, surplusHeaders } from '@symbolon/host/http/surplus-connections';
import { closedToPages, judgePage, type PagePolicy } from '@symbolon/host/http/web-pages';
import { httpLimits } from '@symbolon/host/limits/server-limits';
import { messageTypes } from '@symbolon/wire/ledger/socket-messages';
import { WebSocketServer } from 'ws';
import type { CommittedBlock } from '../chain/chain.ts';
import { storedTransaction } from '../chain/chain-reader.ts';
import type { LedgerNode } from '../node/node.ts';
import type { Admitted } from '../queue/admission.ts';
import { SocketConnection } from './connection.ts';
import { encodeStatus } from './messages.ts';
import { addressesOf, isWanted } from './subscription.ts';

export interface SocketServerOptions {
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly connectionsMax?: number;
  readonly pingIntervalMs?: number;
  /** A connection from which nothing arrives for this long is ended, to the sharpness of the ping interval. */
  readonly silenceMs?: number;
  /** No page of another origin may connect, if left out. */
  readonly pages?: PagePolicy;
  /** Told of a submission that failed by a defect of ours. */
  onFailure(error: unknown): void;
}

const refusedWords = {
  host: 'Misdirected: the node does not go by this name',
  origin: 'Forbidden: pages of this origin may not connect',
} as const;

export class SocketServer {
  readonly #http: Server;
  readonly #server: WebSocketServer;
  readonly #connections = new Set<SocketConnection>();
  readonly #node: LedgerNode;
  readonly #keepAlive: NodeJS.Timeout;
  readonly #unwatch: () => void;

  private constructor(http: Server, server: WebSocketServer, node: LedgerNode, options: SocketServerOptions) {
    const { pingIntervalMs = socketLimits.pingIntervalMs, silenceMs = socketLimits.silenceMs } = options;
    this.#http = http;
    this.#server = server;
    this.#node = node;
    server.on('connection', (socket) => {
      // Whatever is wrong with a connection ends in its 'close'.
      socket.on('error', () => socket.terminate());
      const connection = new SocketConnection(socket, node, { ...options, silenceMs });
      this.#connections.add(connection);
      socket.on('close', () => this.#connections.delete(connection));
    });
    this.#keepAlive = setInterval(() => {
      for (const connection of this.#connections) connection.keepAlive(node.clock.nowMs());
    }, pingIntervalMs);
    this.#unwatch = node.watch({
      block: (block) => this.#announceBlock(block),
      submitted: (admitted) => this.#announceSubmission(admitted),
    });
  }

  static async listen(node: LedgerNode, options: SocketServerOptions): Promise<SocketServer> {
    const { host, port, connectionsMax = socketLimits.connectionsMax } = options;
    const { headersTimeoutMs } = httpLimits;
    const http = createServer(
      { headersTimeout: headersTimeoutMs, requestTimeout: headersTimeoutMs },
      (_request, response) => void response.writeHead(426, { connection: 'close' }).end(STATUS_CODES[426]),
    );
    const isSurplus = boundConnections(http, connectionsMax);
    const server = new WebSocketServer({
      server: http,
      maxPayload: socketLimits.frameBytesMax,
      perMessageDeflate: false,
      // Browsers let every page connect, and say whose page it is.
      verifyClient: ({ req }, decide) => {
        const { refused } = judgePage(options.pages ?? closedToPages, req.headers, false);
        if (refused) decide(false, refused === 'host' ? 421 : 403, refusedWords[refused]);
        else if (isSurplus(req.socket) || server.clients.size >= connectionsMax)
          decide(false, 503, 'too many connections: try again in a moment', surplusHeaders);
        else decide(true);
      },
      // The library would answer pings without end to somebody who reads nothing.
      autoPong: false,
    });
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve);
      server.once('error', reject);
      http.listen(port, host);
    });
    return new SocketServer(http, server, node, options);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get clients(): number {
    return this.#connections.size;
  }

  async close(): Promise<void> {
    clearInterval(this.#keepAlive);
    this.#unwatch();
    for (const client of this.#server.clients) client.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await new Promise<void>((resolve) => {
      this.#http.close(() => resolve());
      this.#http.closeAllConnections();
    });
  }

  #announceBlock({ header, executed: { records } }: CommittedBlock): void {
    if (this.#connections.size === 0) return;
    const headerBytes = toBinary(LedgerHeaderSchema, header);
    for (const connection of this.#connections) connection.notify(messageTypes.ledgerHeader, headerBytes);
    for (const record of records) {
      const addresses = addressesOf(storedTransaction(record));
      const bytes = toBinary(TransactionEnvStoreSchema, record);
      for (const connection of this.#connections) {
        if (isWanted(connection.filter, addresses)) connection.notify(connection.numbering.deliver, bytes);
      }
    }
  }

  /** A verdict on a submission without the source's signatures is told to its sender only (`connection.ts`). */
  #announceSubmission(admitted: Admitted): void {
    if (this.#connections.size === 0 || !admitted.isBySource) return;
    const bytes = encodeStatus(admitted, this.#node.clock.nowMicros());
    for (const connection of this.#connections) connection.notify(messageTypes.transactionStatus, bytes);
  }
}
