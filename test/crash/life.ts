/**
 * A small life of a chain: the same transactions in every run, in chapters that follow one another. Whatever is
 * interrupted is submitted again, the very same bytes, so at its end each of them must stand in the chain exactly
 * once, and every account must be as it is in an undisturbed life.
 */
import assert from 'node:assert/strict';
import { at, post } from '../support/http.ts';
import { type Person, person, richest } from '../support/people.ts';
import { hashOf, operations, type SignedItem, signTransaction } from '../support/running-node.ts';
import { until } from '../support/until.ts';
import { isGone, type NodeAddresses } from './node-process.ts';
import type { Witness } from './witness.ts';

/** Transactions of one chapter, by sender: those of one sender in order, senders side by side. */
export type Chapter = readonly (readonly SignedItem[])[];

const payers = Array.from({ length: 6 }, (_, index) => person(`payer ${index}`));
const paymentsEach = 12;
const [alice, bob] = payers as [Person, Person];
const asset = { issuer: alice.address, code: 'CNY' };

function sign(source: Person, nonce: number, wanted: readonly object[]): SignedItem {
  const terms = { nonce, fee_limit: 20_000_000, gas_price: 1 };
  return signTransaction({ source_address: source.address, ...terms, operations: wanted as never }, [source]);
}

const birth = sign(
  richest,
  1,
  payers.map(({ address }) => operations.createAccount(address, 1_000_000_000)),
);

/** Metadata, assets and privileges appear … */
const riches = sign(alice, 1, [
  operations.setMetadata('kept', 'first'),
  operations.setMetadata('dropped', 'x'.repeat(5_000)),
  operations.issueAsset(asset.code, 1_000),
  operations.setPrivilege({ signers: [{ address: bob.address, weight: 3 }] }),
]);

/** … and change or go away. */
const changes = sign(alice, 2, [
  operations.setMetadata('kept', 'second'),
  operations.setMetadata('dropped', '', { delete_flag: true }),
  operations.payAsset(bob.address, { ...asset, amount: 400 }),
  operations.setPrivilege({
    signers: [{ address: bob.address, weight: 0 }],
    type_thresholds: [{ type: 8, threshold: 1 }],
  }),
]);

/** Every payer pays the next one, one transaction after the other; some of them ask for too much and fail. */
const payments = payers.map((payer, index) =>
  Array.from({ length: paymentsEach }, (_, number) => {
    const next = payers[(index + 1) % payers.length] as Person;
    const amount = number === 5 ? 10n ** 15n : 1_000 * index + number + 1;
    return sign(payer, number + (payer === alice ? 3 : 1), [operations.payCoin(next.address, amount)]);
  }),
);

export const chapters: readonly Chapter[] = [[[birth]], [[riches]], [[changes]], payments];

export const allHashes: readonly string[] = chapters.flat(2).map(hashOf);

/**
 * Lives what is left of the life. Answers false when the node went away on the way, true when every transaction is
 * in history.
 */
export async function live({ httpUrl }: NodeAddresses, witness: Witness): Promise<boolean> {
  for (const chapter of chapters) {
    const done = await Promise.all(chapter.map((line) => liveLine(httpUrl, line, witness)));
    if (done.includes(false)) return false;
  }
  return true;
}

async function liveLine(httpUrl: string, line: readonly SignedItem[], witness: Witness): Promise<boolean> {
  try {
    for (const item of line) {
      if (await witness.sees(httpUrl, hashOf(item))) continue;
      const reply = await post(httpUrl, 'submitTransaction', { items: [item] });
      // Between the two questions a block may have been made: then it is in history now.
      const code = at(reply, 'results', 0, 'error_code');
      assert.ok(code === 0 || code === 99, `refused: ${JSON.stringify(reply)}`);
    }
    for (const item of line)
      await until(`${hashOf(item)} in history`, () => witness.sees(httpUrl, hashOf(item)));
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
