/**
 * The socket on which CometBFT asks this node: ABCI 2.0, spoken with whoever connects. It has no credentials, so it
 * belongs on this machine or a private network. Each connection is answered in the order in which it asked. What a
 * handler refuses is told to CometBFT, which stops; what a handler fails at ends everything here: nothing is answered by
 * a node that does not know its own state.
 */
import { lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Request, Response } from 'cosmjs-types/tendermint/abci/types';
import { cometLimits } from '../limits/node-limits.ts';
import type { AbciAddress } from './abci-address.ts';
import { AbciFrames, FrameError, lengthPrefix } from './frames.ts';

type Kind = Exclude<keyof Request & keyof Response, 'echo' | 'flush'>;
type Asked<K extends Kind> = NonNullable<Request[K]>;
type Answered<K extends Kind> = NonNullable<Response[K]>;

/** What is done about each request; a missing one does not compile. */
export type AbciHandlers = {
  readonly [K in Kind]: (request: Asked<K>) => Answered<K> | Promise<Answered<K>>;
};

/** The request fits nothing here: CometBFT is told why, and stops. Nothing of this node is wrong. */
export class AbciRefusal extends Error {
  override name = 'AbciRefusal';
}

export interface AbciServerOptions {
  readonly address: AbciAddress;
  readonly handlers: AbciHandlers;
  /** Something was asked that is not answered, or is no ABCI. */
  onRefused(reason: string): void;
  /** A handler failed; every connection is gone. */
  onFailure(error: unknown): void;
  /** The last connection is gone. */
  onGone?(): void;
  /** How long a question of this kind took, with what it waited for. */
  onAnswered?(kind: string, seconds: number): void;
}

export class AbciServer {
  readonly #options: AbciServerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #closed = false;

  private constructor(options: AbciServerOptions) {
    this.#options = options;
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
    this.#server.maxConnections = cometLimits.connectionsMax;
  }

  static async listen(options: AbciServerOptions): Promise<AbciServer> {
    const server = new AbciServer(options);
    if ('path' in options.address) await clearLeftover(options.address.path);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.#server.once('error', reject);
    server.#server.listen(options.address, resolve);
    await promise;
    server.#server.off('error', reject);
    server.#server.on('error', (error) => server.#fail(error));
    return server;
  }

  /** Where it listens, as CometBFT spells it. */
  get url(): string {
    const at = this.#server.address();
    if (typeof at === 'string') return `unix://${at}`;
    return `tcp://${at?.family === 'IPv6' ? `[${at.address}]` : at?.address}:${at?.port}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Drops every connection, which ends CometBFT. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const socket of this.#sockets) socket.destroy();
    await promise;
  }

  #serve(socket: Socket): void {
    const { handlers, onRefused, onGone } = this.#options;
    this.#sockets.add(socket);
    const reader = new AbciFrames(cometLimits.frameBytesMax);
    const answers = new OrderedAnswers(socket, (error) => this.#fail(error));
    socket.on('data', (bytes) => {
      try {
        for (const frame of reader.read(bytes))
          answers.add(answer(readRequest(frame, handlers), this.#options));
      } catch (error) {
        if (!(error instanceof FrameError)) throw error;
        onRefused(error.message);
        socket.destroy();
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0 && !this.#closed) onGone?.();
    });
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    void this.close();
    this.#options.onFailure(error);
  }
}

/** Answers of one connection: each is written when those before it are. While too many are due, nothing is read. */
class OrderedAnswers {
  readonly #socket: Socket;
  readonly #fail: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();
  #due = 0;

  constructor(socket: Socket, fail: (error: unknown) => void) {
    this.#socket = socket;
    this.#fail = fail;
  }

  add(answer: Promise<Response>): void {
    // Its failure is met in its turn.
    answer.catch(() => {});
    this.#due++;
    if (this.#due >= cometLimits.unansweredMax) this.#socket.pause();
    this.#last = this.#last.then(() => this.#write(answer)).catch((error) => this.#fail(error));
  }

  async #write(answer: Promise<Response>): Promise<void> {
    const bytes = Response.encode(await answer).finish();
    this.#due--;
    if (this.#socket.destroyed) return;
    this.#socket.cork();
    this.#socket.write(lengthPrefix(bytes.length));
    const hasRoom = this.#socket.write(bytes);
    process.nextTick(() => this.#socket.uncork());
    if (!hasRoom) await drained(this.#socket);
    if (this.#socket.isPaused() && this.#due < cometLimits.unansweredMax / 2) this.#socket.resume();
  }
}

/** Also when the connection ends before. */
function drained(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('drain', resolve).once('close', resolve);
  return promise.finally(() => socket.off('drain', resolve).off('close', resolve));
}

/** One request of those that this node knows. */
type Question = { readonly echo: string } | 'flush' | { readonly kind: Kind; readonly request: Request };

function readRequest(frame: Uint8Array, handlers: AbciHandlers): Question {
  let request: Request;
  try {
    request = Request.decode(frame);
  } catch {
    throw new FrameError('a message that is no request of ABCI 2.0');
  }
  if (request.echo) return { echo: request.echo.message };
  if (request.flush) return 'flush';
  const kind = (Object.keys(handlers) as Kind[]).find((name) => request[name] !== undefined);
  if (!kind) throw new FrameError('a request that this node does not know');
  return { kind, request };
}

async function answer(
  question: Question,
  { handlers, onRefused, onAnswered }: Pick<AbciServerOptions, 'handlers' | 'onRefused' | 'onAnswered'>,
): Promise<Response> {
  if (question === 'flush') return { flush: {} };
  if ('echo' in question) return { echo: { message: question.echo } };
  const { kind, request } = question;
  const askedAt = performance.now();
  try {
    const answered = await answerOf(kind, request, handlers);
    onAnswered?.(kind, (performance.now() - askedAt) / 1_000);
    return answered;
  } catch (error) {
    if (!(error instanceof AbciRefusal)) throw error;
    onRefused(error.message);
    return { exception: { error: error.message } };
  }
}

async function answerOf<K extends Kind>(
  kind: K,
  request: Request,
  handlers: AbciHandlers,
): Promise<Response> {
  return { [kind]: await handlers[kind](request[kind] as Asked<K>) };
}

/** Removes the socket of a process that did not end by itself; one on which somebody listens stays, and so does a file. */
async function clearLeftover(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSocket()) return;
  const { promise: isUsed, resolve } = Promise.withResolvers<boolean>();
  const probe = connect({ path });
  probe.once('connect', () => resolve(true)).once('error', () => resolve(false));
  if (!(await isUsed)) await rm(path, { force: true });
  probe.destroy();
}
