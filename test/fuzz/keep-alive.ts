/**
 * A client connection as close to the wire as it gets: bytes out, one answer back, on a socket that stays open as
 * long as the server lets it. An answer that does not come in time is a failure, whatever the reason.
 */
import { createConnection, type Socket } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  readonly body: string;
}

/** Nothing takes the node a second; what is silent this long hangs. */
export const answerMsMax = 30_000;

/** A complete answer at the beginning of what has arrived, and where it ends. */
function parseAnswer(
  text: string,
  hasBody: boolean,
): { answer: WireAnswer; closes: boolean; end: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]);
  if (status === 100) return parseAnswer(text.slice(headEnd + 4), hasBody);
  const length = hasBody && status !== 204 ? Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0) : 0;
  const end = headEnd + 4 + length;
  if (text.length < end) return undefined;
  return {
    answer: { status, body: text.slice(headEnd + 4, end) },
    closes: /\r\nconnection: *close/i.test(head),
    end,
  };
}

/** One request at a time; a connection that the server ended is replaced by a new one. */
export class KeepAlive {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async ask(request: Uint8Array, { hasBody = true }: { hasBody?: boolean } = {}): Promise<WireAnswer> {
    this.#socket ??= await this.#open();
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      let received = '';
      const timer = setTimeout(() => fail(new Error(`no answer within ${answerMsMax} ms`)), answerMsMax);
      const stop = () => {
        clearTimeout(timer);
        for (const event of ['data', 'close', 'error']) socket.removeAllListeners(event);
      };
      const fail = (error: Error) => {
        stop();
        this.#drop();
        reject(error);
      };
      socket.on('data', (chunk: string) => {
        received += chunk;
        const parsed = parseAnswer(received, hasBody);
        if (!parsed) return;
        stop();
        socket.on('error', () => {});
        if (parsed.closes || parsed.end < received.length) this.#drop();
        resolve(parsed.answer);
      });
      socket.on('error', fail);
      socket.on('close', () => fail(new Error(`the connection ended after ${received.length} characters`)));
      socket.write(request);
    });
  }

  close(): void {
    this.#drop();
  }

  #drop(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(this.#port, '127.0.0.1', () => {
        socket.removeListener('error', reject);
        resolve(socket);
      });
      socket.setNoDelay(true).setEncoding('latin1').once('error', reject);
    });
  }
}

/** Bytes on a connection of their own, then its end; what comes back until the server ends it, too. */
export function shout(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = createConnection(port, '127.0.0.1', () => socket.end(bytes));
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection was still open after ${answerMsMax} ms`));
    }, answerMsMax);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    // A server that hangs up while we still talk resets the connection: an end like any other.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}
