/**
 * How the commands of a development chain reach its running node: a socket in the node's own folder, which its owner
 * alone can open. There is no port and no route, so that no web page and no other machine can; a node of any other
 * chain has none. One request a connection, one line of JSON each way.
 */
import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { readGenesis } from '@symbolon/ledger-node/node/node-folder';
import {
  isDevelopmentChain,
  type MovedClock,
  revertChain,
  snapshotIds,
  takeSnapshot,
} from '@symbolon/ledger-node/operation/development-chain';
import type { ServedNode } from '@symbolon/ledger-node/operation/serve-node';
import { isJsonObject, type JsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

export type DevelopmentOrder =
  | { readonly do: 'look' }
  | { readonly do: 'time'; readonly seconds: number }
  | { readonly do: 'snapshot' }
  | { readonly do: 'revert'; readonly id: string };

/** Where the chain is afterwards. */
export interface DevelopmentAnswer {
  readonly url: string;
  readonly block: number;
  /** Milliseconds since 1970. */
  readonly closeTimeMs: number;
  readonly snapshot?: string;
}

/** What is done to the node of this process. */
export interface DevelopedNode {
  readonly served: () => ServedNode;
  readonly clock: MovedClock;
  /** Does something while the node is down, and starts it again where it was. */
  readonly between: (work: () => Promise<void>) => Promise<void>;
}

const lineCharsMax = 1_024;
/** What the system takes as the path of a socket. */
const socketPathBytesMax = 107;

/** From where the program stands, if that is shorter. */
function socketPath(folder: string): string {
  const whole = path.resolve(folder, 'development.sock');
  const relative = path.relative(process.cwd(), whole);
  const shorter = relative.length < whole.length ? relative : whole;
  if (Buffer.byteLength(shorter) <= socketPathBytesMax) return shorter;
  throw new CommandFailure(
    `The path of ${folder} is too long for a development chain.\nIts commands reach the node by a socket in that folder, whose path may have ${socketPathBytesMax} bytes.\nUse a folder with a shorter path.`,
  );
}

export async function controlDevelopment(folder: string, node: DevelopedNode) {
  const place = socketPath(folder);
  // The store's lock says that no other node runs here, so what lies there is left over.
  await rm(place, { force: true });
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (line: string): Promise<DevelopmentAnswer> => {
    const answered = turn.then(() => obey(line, folder, node));
    turn = answered.catch(() => undefined);
    return answered;
  };
  const answer = async (socket: Socket): Promise<void> => {
    const line = await readLine(socket);
    const said = await inTurn(line).catch((error: Error) => ({ error: error.message }));
    socket.end(`${JSON.stringify(said)}\n`);
  };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    void answer(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(place, resolve);
  });
  await chmod(place, 0o600);
  return {
    async close(): Promise<void> {
      await turn;
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function obey(line: string, folder: string, node: DevelopedNode): Promise<DevelopmentAnswer> {
  const order = parseJsonOrNothing(line);
  if (!isJsonObject(order)) throw new Error('The order is not understood.');
  const snapshot = await perform(order, folder, node);
  const { node: running, httpUrl: url } = node.served();
  const { seq, closeTime } = running.chain.head;
  const where = { url, block: Number(seq), closeTimeMs: Number(closeTime / 1_000n) };
  return snapshot === undefined ? where : { ...where, snapshot };
}

/** Answers the snapshot that it is about. */
async function perform(
  order: JsonObject,
  folder: string,
  { served, clock, between }: DevelopedNode,
): Promise<string | undefined> {
  const { do: what, seconds, id } = order;
  if (what === 'look') return undefined;
  if (what === 'snapshot') return takeSnapshot(folder);
  if (what === 'time' && typeof seconds === 'number' && seconds > 0) {
    await clock.moveOn(seconds * 1_000).catch(() => {
      throw new Error('The time of a chain can be moved on by a hundred years, all in all.');
    });
    await served().node.driver.closeBlock();
    return undefined;
  }
  if (what !== 'revert' || typeof id !== 'string') throw new Error('The order is not understood.');
  const known = await snapshotIds(folder);
  if (!known.includes(id))
    throw new Error(
      known.length === 0
        ? 'There is no snapshot yet. Take one with: symbolon chain snapshot --data <folder>'
        : `There is no such snapshot. There are: ${known.join(', ')}`,
    );
  await between(async () => {
    await revertChain(folder, id);
    await clock.reload();
  });
  return id;
}

function readLine(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  return new Promise((resolve) => {
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > lineCharsMax) socket.destroy();
      else if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    socket.on('close', () => resolve(text));
  });
}

/** Has something done by the node that runs on a folder; refuses every chain that is no development chain. */
export async function orderDevelopment(folder: string, order: DevelopmentOrder): Promise<DevelopmentAnswer> {
  if (!isDevelopmentChain(await readGenesis(folder)))
    throw new CommandFailure(
      `The chain of ${folder} is no development chain; nothing was done.\nIts time and its blocks are for good, and no setting changes that.\nMake one to try things on: symbolon node init --data <folder> --development`,
    );
  const socket = createConnection(socketPath(folder));
  const line = await new Promise<string>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => socket.write(`${JSON.stringify(order)}\n`));
    readLine(socket).then(resolve, reject);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ECONNREFUSED') throw error;
    throw new CommandFailure(
      `No node runs on ${folder}.\nThe chain is changed by its running node alone.\nStart it with: symbolon node start --data ${folder}`,
      exitCodes.unreachable,
    );
  });
  socket.destroy();
  const answer = parseJsonOrNothing(line);
  if (isJsonObject(answer) && typeof answer.error === 'string') throw new CommandFailure(answer.error);
  if (!isJsonObject(answer) || typeof answer.url !== 'string')
    throw new CommandFailure('The node has ended meanwhile.\nIts log says why.');
  return answer as unknown as DevelopmentAnswer;
}
