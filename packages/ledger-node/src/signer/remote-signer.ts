/**
 * The connection of a signer to its CometBFT: a socket of this machine on which CometBFT listens
 * (`priv_validator_laddr`) and which the signer calls, again and again while nobody is there. Whoever can open the
 * socket's file can ask for signatures, and gets none that the rule forbids.
 */
import { connect, type Socket } from 'node:net';
import { AbciFrames, FrameError, lengthPrefix } from '../abci/frames.ts';
import { signerLimits } from '../limits/node-limits.ts';
import { answerBytes, readRequest } from './privval-messages.ts';
import type { VoteSigner } from './vote-signer.ts';

export interface RemoteSignerOptions {
  /** The file of the socket. */
  readonly socketPath: string;
  readonly signer: Pick<VoteSigner, 'answer'>;
  onNotice(text: string): void;
  /** Nothing more is signed. */
  onFailure(error: unknown): void;
}

export class RemoteSigner {
  readonly #options: RemoteSignerOptions;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #ended: Promise<void> = Promise.resolve();
  /** So that a CometBFT that is away is told once. */
  #why: string | undefined;

  constructor(options: RemoteSignerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect({ path: this.#options.socketPath });
    this.#socket = socket;
    this.#ended = promise;
    let isConnected = false;
    let why = '';
    socket.on('connect', () => {
      isConnected = true;
      this.#why = undefined;
      this.#options.onNotice('CometBFT is connected');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      why = error.code ?? error.message;
    });
    socket.on('close', () => {
      resolve();
      if (this.#closed) return;
      if (isConnected) this.#options.onNotice('CometBFT has gone; it is called until it is back');
      else if (why !== this.#why)
        this.#options.onNotice(
          `CometBFT is not at ${this.#options.socketPath} (${why}); it is called until it is`,
        );
      this.#why = isConnected ? undefined : why;
      this.#timer = setTimeout(() => this.start(), signerLimits.dialMs);
    });
    this.#serve(socket);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.destroy();
    await this.#ended;
  }

  #serve(socket: Socket): void {
    const { signer, onNotice } = this.#options;
    const reader = new AbciFrames(signerLimits.frameBytesMax);
    let unanswered = 0;
    const answer = async (frame: Uint8Array): Promise<void> => {
      unanswered++;
      if (unanswered > signerLimits.unansweredMax) throw new FrameError('more questions than CometBFT asks');
      // Answers are in the order of the questions: the signer takes one after the other.
      const bytes = answerBytes(await signer.answer(readRequest(frame)));
      unanswered--;
      if (!socket.destroyed) socket.write(Buffer.concat([lengthPrefix(bytes.length), bytes]));
    };
    const refuse = (error: unknown): void => {
      socket.destroy();
      if (!(error instanceof FrameError)) return this.#fail(error);
      onNotice(`what came is not from a CometBFT 0.38: ${error.message}`);
    };
    socket.on('data', (bytes) => {
      try {
        for (const frame of reader.read(bytes)) answer(frame).catch(refuse);
      } catch (error) {
        refuse(error);
      }
    });
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#options.onFailure(error);
  }
}
