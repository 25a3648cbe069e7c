/** The thread of `transfers.ts`: signs one part of the transfers. */
import { parentPort, workerData } from 'node:worker_threads';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { createRandom } from '../statistics.ts';
import { addressOfPerson, type Sender, senderOf, senderSeed, senders, signedBody } from './people.ts';
import type { SigningOrder } from './transfers.ts';

const { accounts, from, to } = workerData as SigningOrder;
const random = createRandom(accounts + from);
const people = new Map<number, Sender>();
const lines: string[] = [];
for (let index = from; index < to; index++) {
  const at = index % senders;
  const sender = people.get(at) ?? senderOf(senderSeed(at));
  people.set(at, sender);
  const nonce = Math.floor(index / senders) + 1;
  // Anybody but oneself.
  const receiver = (at + 1 + random(accounts - 1)) % accounts;
  const payCoin = { destAddress: addressOfPerson(receiver), amount: BigInt(1 + random(1_000)) };
  const operations = [{ type: operationTypes.payCoin, payCoin }];
  lines.push(signedBody(sender, nonce, { operations, feeLimit: 10_000n }));
}
parentPort?.postMessage(`${lines.join('\n')}\n`);
