/** A network of one validator on a real CometBFT: blocks, what becomes of transactions, and ends of either process. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startCometNode } from '../support/comet-node.ts';
import { person } from '../support/people.ts';
import { operations } from '../support/running-node.ts';

describe('a node with CometBFT', () => {
  test('executes what is submitted', async (context) => {
    const network = await startCometNode(context);
    const record = await network.node.execute({ operations: [operations.payCoin(person('bob').address, 5)] });
    assert.equal(record.error_code, 0);
    assert.equal(await network.node.balance(person('bob').address), 5n);
  });
});
