/** The notice board: who puts up what, and who hears of it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTestChain, expectFailure } from '@symbolon/contract-kit/test-chain';

const code = readFileSync(new URL('contract.js', import.meta.url), 'utf8');
const start = () => createTestChain({ contracts: { board: { code, input: 'Open.', from: 'alice' } } });
const put = (text) => ({ method: 'put', params: { text } });
const textOf = (chain) => JSON.parse(chain.query('board', { method: 'read' })).text;

test('the owner puts up notices, and everybody hears of it', () => {
  const chain = start();
  assert.equal(textOf(chain), 'Open.');
  const { events } = chain.call('board', put('Closed.'), { from: 'alice' });
  assert.deepEqual(events[0].values, [chain.address('alice'), 'Closed.']);
  assert.equal(textOf(chain), 'Closed.');
});

test('nobody else does', () => {
  const chain = start();
  expectFailure(() => chain.call('board', put('Mine.'), { from: 'bob' }), { exception: /Only the owner/ });
  assert.equal(textOf(chain), 'Open.');
});

test('a notice says since when it is up', () => {
  const chain = start();
  chain.advance({ seconds: 3600 });
  chain.call('board', put('Later.'));
  const { since } = JSON.parse(chain.query('board', { method: 'read' }));
  assert.equal(since, chain.block.timestamp);
});
