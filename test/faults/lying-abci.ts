/**
 * Stands between a node and its CometBFT, and hands everything on. Told to lie, it waits for a block after which this
 * validator proposes, and answers another app hash than the node's for it: what is proposed next has a wrong one.
 */
import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { AbciFrames, lengthPrefix } from '@symbolon/ledger-node/abci/frames';
import { Request, Response } from 'cosmjs-types/tendermint/abci/types';
import type { Owner } from '../support/owner.ts';
import { connectPatiently } from './patient-socket.ts';

const messageBytesMax = 64 * 1024 * 1024;

export class LyingAbci {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #founders: number;
  /** Who proposed what is executed, newest last: with equal powers turns go round. */
  readonly #proposers: string[] = [];
  #lie: { readonly address: string; readonly told: PromiseWithResolvers<bigint> } | undefined;
  /** The block for which the next answer is a lie. */
  #height: bigint | undefined;

  private constructor(nodePort: number, founders: number) {
    this.#founders = founders;
    this.#server = net.createServer(async (comet) => {
      comet.on('error', () => comet.destroy());
      await connectPatiently(nodePort).then(
        (node) => this.#connect(comet, node),
        () => comet.destroy(),
      );
    });
  }

  /** Before a node that listens, or will listen, on a port. */
  static async before(owner: Owner, nodePort: number, founders: number): Promise<LyingAbci> {
    const relay = new LyingAbci(nodePort, founders);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    owner.after(() => relay.#close());
    return relay;
  }

  get address(): string {
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Lies once for the validator of an address in hex. Answers for which block. */
  lie(address: string): Promise<bigint> {
    const told = Promise.withResolvers<bigint>();
    this.#lie = { address: address.toLowerCase(), told };
    return told.promise;
  }

  #connect(comet: Socket, node: Socket): void {
    const asked = new AbciFrames(messageBytesMax);
    const answered = new AbciFrames(messageBytesMax);
    comet.on('data', (bytes: Buffer) => {
      for (const message of asked.read(bytes)) send(node, this.#hear(message));
    });
    node.on('data', (bytes: Buffer) => {
      for (const message of answered.read(bytes)) send(comet, this.#answer(message));
    });
    for (const [socket, other] of [
      [comet, node],
      [node, comet],
    ] as const) {
      this.#open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#open.delete(socket);
        other.destroy();
      });
    }
  }

  #hear(message: Uint8Array): Uint8Array {
    const { finalizeBlock } = Request.decode(message);
    if (!finalizeBlock) return message;
    this.#proposers.push(Buffer.from(finalizeBlock.proposerAddress).toString('hex'));
    if (this.#lie && this.#next() === this.#lie.address) {
      this.#height = finalizeBlock.height;
      this.#lie.told.resolve(finalizeBlock.height);
      this.#lie = undefined;
    }
    return message;
  }

  /** Whose turn comes; undefined as long as turns do not go round. */
  #next(): string | undefined {
    const round = this.#proposers.slice(-this.#founders);
    const before = this.#proposers.slice(-2 * this.#founders, -this.#founders);
    const isSteady = new Set(round).size === this.#founders && round.join() === before.join();
    return isSteady ? round[0] : undefined;
  }

  #answer(message: Uint8Array): Uint8Array {
    if (this.#height === undefined) return message;
    const response = Response.decode(message);
    if (!response.finalizeBlock) return message;
    this.#height = undefined;
    response.finalizeBlock.appHash = response.finalizeBlock.appHash.map((byte) => byte ^ 0xff);
    return Response.encode(response).finish();
  }

  #close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }
}

function send(socket: Socket, message: Uint8Array): void {
  socket.write(lengthPrefix(message.length));
  socket.write(message);
}
