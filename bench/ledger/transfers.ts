/**
 * Transfers signed in advance, because signing is the clients' work: one JSON body of submitTransaction a line,
 * kept under .cache. Transfer k is sent by sender k mod `senders` with that sender's next nonce, to an account
 * chosen at random.
 */
import { createWriteStream } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { note, whole } from '../print.ts';
import { senders } from './people.ts';

const transfersVersion = 1;

export interface SigningOrder {
  readonly accounts: number;
  readonly from: number;
  readonly to: number;
}

/** The file of at least `count` transfers among this many accounts. */
export async function prepareTransfers(cache: string, accounts: number, count: number): Promise<string> {
  const file = join(cache, `transfers-${accounts}-${count}-of-${senders}-v${transfersVersion}.jsonl`);
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (isThere) return file;
  note(`signing ${whole(count)} transfers among ${whole(accounts)} accounts`);
  const threads = availableParallelism();
  const share = Math.ceil(count / threads);
  const parts = await Promise.all(
    Array.from({ length: threads }, (_, thread) =>
      signInThread({ accounts, from: thread * share, to: Math.min((thread + 1) * share, count) }),
    ),
  );
  const unfinished = `${file}.part`;
  const stream = createWriteStream(unfinished);
  for (const part of parts) stream.write(part);
  await new Promise<void>((resolve, reject) => {
    stream.once('error', reject);
    stream.end(resolve);
  });
  await rename(unfinished, file);
  return file;
}

function signInThread(order: SigningOrder): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sign-worker.ts', import.meta.url), { workerData: order });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** The lines of a file of request bodies. */
export async function readBodies(
  file: string,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  return (await readFile(file, 'latin1')).split('\n').slice(from, to);
}
