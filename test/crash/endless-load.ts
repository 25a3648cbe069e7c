/**
 * People who never stop: each reads its own nonce from the node and then sends one transaction after the other, a
 * few at a time, until the node is gone. Where a node forgot something, the next nonces tell.
 */
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { ask, at, post } from '../support/http.ts';
import { type Person, person } from '../support/people.ts';
import { hashOf, operations, type SignedItem, signTransaction } from '../support/running-node.ts';
import { isGone, type NodeAddresses } from './node-process.ts';
import type { Random } from './seeded-random.ts';
import type { Witness } from './witness.ts';

export const senders: readonly Person[] = Array.from({ length: 12 }, (_, index) => person(`sender ${index}`));

const itemsMax = 4;

/** Loads the node until it is gone. */
export async function loadUntilGone(
  { httpUrl }: NodeAddresses,
  witness: Witness,
  random: Random,
): Promise<void> {
  const gone = await Promise.allSettled(
    senders.map((sender) => sendAlways(httpUrl, { sender, witness, random })),
  );
  for (const result of gone) if (result.status === 'rejected' && !isGone(result.reason)) throw result.reason;
}

interface Sending {
  readonly sender: Person;
  readonly witness: Witness;
  readonly random: Random;
}

async function sendAlways(httpUrl: string, { sender, witness, random }: Sending): Promise<never> {
  const base = await ask(httpUrl, 'getAccountBase', { address: sender.address });
  let nonce = Number(at(base, 'result', 'nonce') ?? 0);
  for (;;) {
    const items = Array.from({ length: 1 + random.below(itemsMax) }, () =>
      sign(sender, ++nonce, chooseOperation(sender, random)),
    );
    const reply = await post(httpUrl, 'submitTransaction', { items });
    // Nothing that is next in line is ever refused: a node that does has lost or repeated something.
    for (const result of reply.results as JsonObject[]) {
      if (result.error_code !== 0) throw new Error(`refused: ${stringifyJson(result)}`);
    }
    if (random.chance(0.3)) await witness.sees(httpUrl, hashOf(items[0] as SignedItem));
  }
}

function sign(source: Person, nonce: number, operation: JsonObject): SignedItem {
  const terms = { nonce, fee_limit: 20_000_000, gas_price: 1 };
  return signTransaction({ source_address: source.address, ...terms, operations: [operation] }, [source]);
}

function chooseOperation(source: Person, random: Random): JsonObject {
  const other = random.pick(senders.filter((sender) => sender !== source));
  const kind = random.below(10);
  if (kind === 0) return operations.setMetadata(`key ${random.below(5)}`, 'x'.repeat(random.below(300)));
  if (kind === 1) return operations.issueAsset('CNY', 1 + random.below(1_000));
  if (kind === 2)
    return operations.payAsset(other.address, { issuer: source.address, code: 'CNY', amount: 1 });
  if (kind === 3) {
    const signers = [{ address: other.address, weight: random.below(3) }];
    return operations.setPrivilege({ signers });
  }
  return operations.payCoin(other.address, 1 + random.below(1_000_000));
}
