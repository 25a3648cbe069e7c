/** The token: every unit accounted for, whoever calls and whatever they send. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createTestChain, expectFailure, type TestChain } from '@symbolon/contract-kit/test-chain';

const code = readFileSync(new URL('token.js', import.meta.url), 'utf8');
const terms = { name: 'Example', symbol: 'EXM', decimals: 2, supply: '1000' };
const int64Max = '9223372036854775807';

const start = (params: object = terms): TestChain =>
  createTestChain({ contracts: { token: { code, from: 'alice', input: { params } } } });

const send = (chain: TestChain, from: string, method: string, params: object) =>
  chain.call('token', { method, params }, { from });

const balanceOf = (chain: TestChain, who: string): string =>
  JSON.parse(chain.query('token', { method: 'balanceOf', params: { address: chain.address(who) } }) as string)
    .balance;

const allowance = (chain: TestChain, owner: string, spender: string): string => {
  const params = { owner: chain.address(owner), spender: chain.address(spender) };
  return JSON.parse(chain.query('token', { method: 'allowance', params }) as string).allowance;
};

const info = (chain: TestChain) =>
  JSON.parse(chain.query('token', { method: 'contractInfo' }) as string).contractInfo;

/** A token of which bob has some. */
function withBob(value = '500'): TestChain {
  const chain = start();
  send(chain, 'alice', 'assign', { to: chain.address('bob'), value });
  return chain;
}

/** What everybody has and what waits is the supply. */
function assertConserved(chain: TestChain): void {
  const { balance, totalSupply } = info(chain);
  const owned = Object.entries(chain.storage('token')).filter(([key]) => key.startsWith('balance/'));
  const sum = owned.reduce((total, [, value]) => total + BigInt(value), BigInt(balance));
  assert.equal(String(sum), totalSupply);
}

describe('a new token', () => {
  test('tells about itself, and all of it waits for the owner', () => {
    const chain = start();
    assert.deepEqual(info(chain), {
      name: 'Example',
      symbol: 'EXM',
      decimals: 2,
      totalSupply: '100000',
      contractOwner: chain.address('alice'),
      balance: '100000',
    });
    assert.equal(balanceOf(chain, 'alice'), '0');
    assert.equal(allowance(chain, 'alice', 'bob'), '0');
  });

  const badTerms: [string, object, RegExp][] = [
    ['an empty name', { ...terms, name: '' }, /^name has/],
    ['a name that is no text', { ...terms, name: 7 }, /^name has/],
    ['a small symbol', { ...terms, symbol: 'exm' }, /^symbol has/],
    ['decimals as text', { ...terms, decimals: '2' }, /^decimals is/],
    ['19 decimals', { ...terms, decimals: 19 }, /^decimals is/],
    ['half a decimal', { ...terms, decimals: 0.5 }, /^decimals is/],
    ['a supply that is a number', { ...terms, supply: 1000 }, /^supply must/],
    ['a negative supply', { ...terms, supply: '-1' }, /^supply must/],
    ['more than 64 bits hold', { ...terms, supply: int64Max }, /int64Mul/],
    ['nothing at all', {}, /^name has/],
  ];
  for (const [what, params, exception] of badTerms) {
    test(`is not made of ${what}`, () => void expectFailure(() => start(params), { code: 151, exception }));
  }
});

describe('transfer', () => {
  test('moves units and says so', () => {
    const chain = withBob();
    const { events } = send(chain, 'bob', 'transfer', { to: chain.address('carol'), value: '200' });
    assert.deepEqual([balanceOf(chain, 'bob'), balanceOf(chain, 'carol')], ['300', '200']);
    assert.deepEqual(
      events.map(({ topic, values }) => [topic, ...values]),
      [['transfer', chain.address('bob'), chain.address('carol'), '200']],
    );
    assertConserved(chain);
  });

  test('to oneself changes nothing', () => {
    const chain = withBob();
    send(chain, 'bob', 'transfer', { to: chain.address('bob'), value: '500' });
    assert.equal(balanceOf(chain, 'bob'), '500');
    assertConserved(chain);
  });

  test('moves nothing one does not have', () => {
    const chain = withBob('5');
    const params = { to: chain.address('carol'), value: '6' };
    expectFailure(() => send(chain, 'bob', 'transfer', params), { exception: 'The balance is too low.' });
    expectFailure(() => send(chain, 'alice', 'transfer', params), { exception: 'The balance is too low.' });
    assert.equal(balanceOf(chain, 'bob'), '5');
  });

  for (const value of ['0', '-1', '1.0', '01', '+1', ' 1', '', '1e3', 5, null, `${int64Max}0`]) {
    test(`takes no ${JSON.stringify(value)} for an amount`, () => {
      const chain = withBob();
      const params = { to: chain.address('carol'), value };
      expectFailure(() => send(chain, 'bob', 'transfer', params), { code: 151, exception: /^value must/ });
      assert.equal(balanceOf(chain, 'bob'), '500');
    });
  }

  for (const to of ['', 'carol', 7, null, {}, 'ZTX3Ta7d4GyAXD41H2kFCTd2eXhDesM83rvC4']) {
    test(`takes no ${JSON.stringify(to)} for an address`, () => {
      const chain = withBob();
      const exception = 'to must be an address.';
      expectFailure(() => send(chain, 'bob', 'transfer', { to, value: '1' }), { code: 151, exception });
    });
  }
});

describe('allowances', () => {
  test('let somebody else move units, up to a limit', () => {
    const chain = withBob();
    const [bob, carol] = [chain.address('bob'), chain.address('carol')];
    send(chain, 'bob', 'approve', { spender: carol, value: '100' });
    assert.equal(allowance(chain, 'bob', 'carol'), '100');
    send(chain, 'carol', 'transferFrom', { from: bob, to: carol, value: '60' });
    assert.equal(allowance(chain, 'bob', 'carol'), '40');
    const tooMuch = { from: bob, to: carol, value: '41' };
    expectFailure(() => send(chain, 'carol', 'transferFrom', tooMuch), {
      exception: 'The allowance is too low.',
    });
    assert.deepEqual([balanceOf(chain, 'bob'), balanceOf(chain, 'carol')], ['440', '60']);
    assertConserved(chain);
  });

  test('can be taken back, and do not replace a balance', () => {
    const chain = withBob('10');
    const [bob, carol] = [chain.address('bob'), chain.address('carol')];
    send(chain, 'bob', 'approve', { spender: carol, value: '100' });
    const params = { from: bob, to: carol, value: '11' };
    expectFailure(() => send(chain, 'carol', 'transferFrom', params), {
      exception: 'The balance is too low.',
    });
    assert.equal(allowance(chain, 'bob', 'carol'), '100', 'a failed transfer uses nothing up');
    send(chain, 'bob', 'approve', { spender: carol, value: '0' });
    const one = { from: bob, to: carol, value: '1' };
    expectFailure(() => send(chain, 'carol', 'transferFrom', one), {
      exception: 'The allowance is too low.',
    });
  });

  test('are nobody else’s to use', () => {
    const chain = withBob();
    const [bob, alice] = [chain.address('bob'), chain.address('alice')];
    send(chain, 'bob', 'approve', { spender: chain.address('carol'), value: '100' });
    const params = { from: bob, to: alice, value: '1' };
    expectFailure(() => send(chain, 'alice', 'transferFrom', params), {
      exception: 'The allowance is too low.',
    });
  });
});

describe('the owner of a token', () => {
  test('assigns what waits and mints more', () => {
    const chain = start();
    const bob = chain.address('bob');
    send(chain, 'alice', 'assign', { to: bob, value: '100000' });
    const all = { to: bob, value: '1' };
    expectFailure(() => send(chain, 'alice', 'assign', all), {
      exception: 'Less than this waits to be assigned.',
    });
    send(chain, 'alice', 'mint', { to: bob, value: '50' });
    assert.equal(info(chain).totalSupply, '100050');
    assert.equal(balanceOf(chain, 'bob'), '100050');
    assertConserved(chain);
  });

  test('cannot mint more than 64 bits hold', () => {
    const chain = start();
    const params = { to: chain.address('bob'), value: int64Max };
    expectFailure(() => send(chain, 'alice', 'mint', params), { code: 151, exception: /int64Add/ });
    assert.equal(info(chain).totalSupply, '100000');
    assertConserved(chain);
  });

  test('is one account, until it names another', () => {
    const chain = start();
    const [bob, exception] = [chain.address('bob'), 'Only the owner of the token may do this.'];
    for (const method of ['assign', 'mint']) {
      expectFailure(() => send(chain, 'bob', method, { to: bob, value: '1' }), { code: 151, exception });
    }
    expectFailure(() => send(chain, 'bob', 'changeOwner', { address: bob }), { code: 151, exception });
    expectFailure(() => send(chain, 'alice', 'changeOwner', { address: 'bob' }), { code: 151 });
    send(chain, 'alice', 'changeOwner', { address: bob });
    send(chain, 'bob', 'mint', { to: bob, value: '1' });
    expectFailure(() => send(chain, 'alice', 'mint', { to: bob, value: '1' }), { code: 151, exception });
  });
});

describe('a token', () => {
  test('keeps nothing that is sent by mistake', () => {
    const chain = withBob();
    const input = { method: 'transfer', params: { to: chain.address('carol'), value: '1' } };
    const before = chain.balance('bob');
    expectFailure(() => chain.call('token', input, { from: 'bob', coin: 1 }), {
      exception: 'Send nothing along.',
    });
    assert.equal(chain.balance('bob'), before);
  });

  test('knows no other method, and no input that is not JSON', () => {
    const chain = start();
    const unknown = { code: 151, exception: 'There is no such method.' };
    for (const method of ['balanceOf', 'toString', 'constructor', '__proto__', undefined]) {
      expectFailure(() => send(chain, 'alice', method as string, {}), unknown);
    }
    expectFailure(() => chain.query('token', { method: 'mint' }), unknown);
    for (const input of ['', '[]', 'null', '{"method":"transfer"}', '{"method":"transfer","params":null}']) {
      expectFailure(() => chain.call('token', input), { code: 151 });
    }
  });

  test('takes a contract that calls for the contract, not for whoever called that', () => {
    const chain = withBob();
    chain.deploy(thief, { name: 'thief', input: chain.address('token') });
    expectFailure(() => chain.call('thief', chain.address('carol'), { from: 'bob' }), {
      code: 151,
      exception: 'The balance is too low.',
    });
    send(chain, 'bob', 'transfer', { to: chain.address('thief'), value: '5' });
    chain.call('thief', chain.address('carol'), { from: 'bob' });
    assert.deepEqual([balanceOf(chain, 'bob'), balanceOf(chain, 'carol')], ['495', '5']);
    assertConserved(chain);
  });
});

/** Sends five units to whom its caller names, twice in one transaction if the first went well. */
const thief = `'use strict';
function init(input) {
  Chain.store('token', input);
}
function main(input) {
  const params = { to: input, value: '5' };
  return Chain.contractCall(Chain.load('token'), true, '0', JSON.stringify({ method: 'transfer', params }));
}`;
