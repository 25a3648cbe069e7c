/**
 * The load generator, in a process of its own and cheap on purpose: plain sockets that stay open, request bytes
 * made in advance, one request in flight on each. Connection c sends requests c, c + n, c + 2n …, so whoever
 * always has the same connection is served in order. The same for every node under test.
 */
import type { Socket } from 'node:net';
import { answerCalls } from './child.ts';
import { onReplies, openSocket, postBytes } from './http-connection.ts';
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

async function run({ port, connections, expect }: LoadOrder): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(port)));
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
    requests = (await readBodies(order.file, order)).map((body) => postBytes(order, body));
  },
  run,
});
