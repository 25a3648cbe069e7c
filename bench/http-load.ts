/**
 * The load generator, in a process of its own and cheap on purpose: plain sockets that stay open, request bytes
 * made in advance, one request in flight on each. Connection c sends requests c, c + n, c + 2n …, so whoever
 * always has the same connection is served in order. The same for every node under test.
 */
import { createConnection, type Socket } from 'node:net';
import { answerCalls } from './child.ts';
import { readBodies } from './ledger/transfers.ts';
import { cpuMs, nowMs } from './statistics.ts';

export interface LoadOrder {
  readonly port: number;
  readonly path: string;
  /** Request bodies, one a line. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly connections: number;
  /** A reply without this text is a failure. */
  readonly expect: string;
}

export interface LoadResult {
  /** When each request was written and when its reply was complete. */
  readonly sentAt: Float64Array;
  readonly answeredAt: Float64Array;
  readonly cpuMs: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

let requests: Buffer[] = [];

function requestOf(body: string, { port, path }: LoadOrder): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
  return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, 'latin1');
}

/** Whether the text is one complete reply; both ways of saying where it ends are understood. */
function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd + 2));
  return length ? text.length >= headEnd + 4 + Number(length[1]) : text.endsWith('\r\n0\r\n\r\n');
}

/** Calls `done` with each complete reply. */
function onReplies(socket: Socket, done: (reply: string) => void): void {
  let begun = '';
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    begun += chunk;
    if (!isComplete(begun)) return;
    const reply = begun;
    begun = '';
    done(reply);
  });
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

async function run({ port, connections, expect }: LoadOrder): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const sentAt = new Float64Array(requests.length);
  const answeredAt = new Float64Array(requests.length);
  let failures = 0;
  let firstFailure: string | undefined;
  const cpuBefore = process.cpuUsage();
  const drive = (socket: Socket, first: number): Promise<void> =>
    new Promise((resolve, reject) => {
      let current = first;
      const sendNext = (): void => {
        if (current >= requests.length) {
          socket.destroy();
          resolve();
          return;
        }
        sentAt[current] = nowMs();
        socket.write(requests[current]);
      };
      onReplies(socket, (reply) => {
        answeredAt[current] = nowMs();
        if (!reply.includes(expect)) {
          failures += 1;
          firstFailure ??= reply.slice(0, 2_000);
        }
        current += connections;
        sendNext();
      });
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the node closed a connection')));
      sendNext();
    });
  await Promise.all(sockets.map(drive));
  return { sentAt, answeredAt, cpuMs: cpuMs(cpuBefore), failures, firstFailure };
}

answerCalls({
  prepare: async (order: LoadOrder) => {
    requests = (await readBodies(order.file, order)).map((body) => requestOf(body, order));
  },
  run,
});
