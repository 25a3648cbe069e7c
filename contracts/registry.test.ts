/** The registry: who owns which name, page by page, and whose deposit is whose. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createTestChain, expectFailure, type TestChain } from '@symbolon/contract-kit/test-chain';

const code = readFileSync(new URL('registry.js', import.meta.url), 'utf8');
const deposit = 100n;

const start = (params: object = { deposit: String(deposit) }): TestChain =>
  createTestChain({ contracts: { registry: { code, input: { params } } } });

const send = (chain: TestChain, from: string, method: string, params: object) =>
  chain.call('registry', { method, params }, { from });

const register = (chain: TestChain, from: string, name: string, coin = deposit) =>
  chain.call('registry', { method: 'register', params: { name, value: `of ${from}` } }, { from, coin });

const resolve = (chain: TestChain, name: string): { owner: string; value: string } =>
  JSON.parse(chain.query('registry', { method: 'resolve', params: { name } }) as string);

const list = (chain: TestChain, from: number, limit: number): { total: number; names: { name: string }[] } =>
  JSON.parse(chain.query('registry', { method: 'list', params: { start: from, limit } }) as string);

const listed = (chain: TestChain, from = 0, limit = 20): string[] =>
  list(chain, from, limit).names.map(({ name }) => name);

/** As many deposits as names, and the row of names without gaps. */
function assertSound(chain: TestChain): void {
  const { total } = list(chain, 0, 1);
  assert.equal(chain.balance('registry'), BigInt(total) * deposit);
  const keys = Object.keys(chain.storage('registry'));
  assert.equal(keys.filter((key) => key.startsWith('name/')).length, total);
  assert.deepEqual(
    keys.filter((key) => key.startsWith('place/')).sort(),
    Array.from({ length: total }, (_, place) => `place/${place}`).sort(),
  );
}

const notOwner = { code: 151, exception: 'Only the owner of the name may do this.' };
const free = { code: 151, exception: 'Nobody owns this name.' };

describe('a name', () => {
  test('belongs to who registers it first', () => {
    const chain = start();
    const { events } = register(chain, 'alice', 'example');
    assert.deepEqual(resolve(chain, 'example'), { owner: chain.address('alice'), value: 'of alice' });
    assert.deepEqual(events[0]?.values, ['example', chain.address('alice')]);
    expectFailure(() => register(chain, 'bob', 'example'), {
      code: 151,
      exception: 'Somebody owns this name.',
    });
    assertSound(chain);
  });

  test('is its owner’s to change, hand over and release, and nobody else’s', () => {
    const chain = start();
    register(chain, 'alice', 'example');
    const before = chain.balance('alice');
    const [name, bob] = ['example', chain.address('bob')];
    for (const method of ['update', 'transfer', 'release']) {
      expectFailure(() => send(chain, 'bob', method, { name, value: 'x', to: bob }), notOwner);
    }
    send(chain, 'alice', 'update', { name, value: 'new' });
    send(chain, 'alice', 'transfer', { name, to: bob });
    assert.deepEqual(resolve(chain, name), { owner: bob, value: 'new' });
    expectFailure(() => send(chain, 'alice', 'release', { name }), notOwner);
    const bobBefore = chain.balance('bob');
    send(chain, 'bob', 'release', { name });
    assert.equal(chain.balance('bob'), bobBefore + deposit, 'the deposit goes to the owner of the moment');
    assert.equal(chain.balance('alice'), before);
    expectFailure(() => resolve(chain, name), free);
    register(chain, 'carol', name);
    assertSound(chain);
  });

  test('costs exactly the deposit, and other calls cost nothing', () => {
    const chain = start();
    for (const coin of [0n, deposit - 1n, deposit + 1n]) {
      expectFailure(() => register(chain, 'alice', 'example', coin), {
        exception: 'Send exactly 100 coins.',
      });
    }
    register(chain, 'alice', 'example');
    const release = { method: 'release', params: { name: 'example' } };
    expectFailure(() => chain.call('registry', release, { coin: 1 }), {
      exception: 'Send no coins with this.',
    });
    assertSound(chain);
  });

  for (const name of ['', 'Example', 'a b', 'a/b', 'é', 'a'.repeat(65), 7, null, ['a']]) {
    test(`is not ${JSON.stringify(name).slice(0, 20)}`, () => {
      const chain = start();
      const params = { name, value: '' };
      const bad = { code: 151, exception: /^A name has/ };
      expectFailure(() => chain.call('registry', { method: 'register', params }, { coin: deposit }), bad);
      expectFailure(() => chain.query('registry', { method: 'resolve', params }), bad);
      for (const method of ['update', 'transfer', 'release']) {
        expectFailure(() => send(chain, 'alice', method, params), bad);
      }
    });
  }

  test('has a value that is text, and not too long', () => {
    const chain = start();
    register(chain, 'alice', 'example');
    for (const value of [7, null, 'x'.repeat(1025)]) {
      expectFailure(() => send(chain, 'alice', 'update', { name: 'example', value }), {
        exception: /^A value/,
      });
    }
    send(chain, 'alice', 'update', { name: 'example', value: 'x'.repeat(1024) });
    for (const to of ['bob', '', 1, null]) {
      expectFailure(() => send(chain, 'alice', 'transfer', { name: 'example', to }), {
        exception: 'to must be an address.',
      });
    }
  });
});

describe('the list of names', () => {
  test('comes in pages', () => {
    const chain = start();
    const names = Array.from({ length: 25 }, (_, index) => `name-${index}`);
    for (const name of names) register(chain, 'alice', name);
    assert.deepEqual(listed(chain), names.slice(0, 20));
    assert.deepEqual(listed(chain, 20), names.slice(20));
    assert.deepEqual(listed(chain, 3, 2), ['name-3', 'name-4']);
    assert.deepEqual(list(chain, 25, 20), { total: 25, names: [] });
    assertSound(chain);
  });

  test('has no gaps after names have been released', () => {
    const chain = start();
    for (const name of ['a', 'b', 'c', 'd']) register(chain, 'alice', name);
    send(chain, 'alice', 'release', { name: 'b' });
    assert.deepEqual(listed(chain), ['a', 'd', 'c']);
    send(chain, 'alice', 'release', { name: 'c' });
    send(chain, 'alice', 'release', { name: 'a' });
    assert.deepEqual(listed(chain), ['d']);
    send(chain, 'alice', 'release', { name: 'd' });
    assert.deepEqual(list(chain, 0, 1), { total: 0, names: [] });
    assertSound(chain);
  });

  for (const params of [{}, { start: -1, limit: 1 }, { start: 0, limit: 21 }, { start: 0.5, limit: 1 }]) {
    test(`refuses ${JSON.stringify(params)}`, () => {
      const query = () => start().query('registry', { method: 'list', params });
      expectFailure(query, { code: 151, exception: /^(start|limit) is/ });
    });
  }
});

describe('a registry', () => {
  for (const params of [{}, { deposit: 100 }, { deposit: '-1' }, { deposit: '1.5' }]) {
    test(`is not set up with ${JSON.stringify(params)}`, () => {
      expectFailure(() => start(params), { code: 151, exception: /^deposit must/ });
    });
  }

  test('can do without deposits', () => {
    const chain = start({ deposit: '0' });
    register(chain, 'alice', 'example', 0n);
    const { triggered } = send(chain, 'alice', 'release', { name: 'example' });
    assert.ok(!triggered.some(({ type }) => type === 'payCoin'));
  });

  test('knows no other method, and takes no assets', () => {
    const chain = createTestChain({
      accounts: { alice: { balance: 1_000, assets: [{ issuer: 'alice', code: 'GOLD', amount: 5 }] } },
      contracts: { registry: { code, input: { params: { deposit: '0' } } } },
    });
    for (const method of ['resolve', 'constructor', undefined]) {
      expectFailure(() => send(chain, 'alice', method as string, {}), {
        exception: 'There is no such method.',
      });
    }
    expectFailure(() => chain.query('registry', { method: 'release', params: { name: 'a' } }), { code: 151 });
    const asset = { issuer: 'alice', code: 'GOLD', amount: 1 };
    const input = { method: 'register', params: { name: 'a', value: '' } };
    expectFailure(() => chain.call('registry', input, { asset }), { exception: 'Send no assets.' });
    assert.equal(chain.assetBalance('alice', asset), 5n);
  });
});

describe('an owner that is a contract', () => {
  /** Owns the name "loot", and does what it was deployed for whenever the registry pays it. */
  const owner = `'use strict';
  function call(method, coins) {
    const input = JSON.stringify({ method: method, params: { name: 'loot', value: '' } });
    return Chain.contractCall(Chain.load('registry'), true, coins, input);
  }
  function init(input) {
    const orders = JSON.parse(input);
    Chain.store('registry', orders.registry);
    Chain.store('whenPaid', orders.whenPaid);
  }
  function main(input) {
    if (Chain.msg.sender !== Chain.load('registry')) {
      return call(input, input === 'register' ? '100' : '0');
    }
    const whenPaid = Chain.load('whenPaid');
    return whenPaid === '' ? true : call(whenPaid, whenPaid === 'register' ? '100' : '0');
  }`;

  const startOwned = (whenPaid: string): TestChain => {
    const chain = start();
    for (const name of ['first', 'second']) register(chain, 'bob', name);
    const input = { registry: chain.address('registry'), whenPaid };
    chain.deploy(owner, { name: 'owner', balance: deposit, input });
    chain.call('owner', 'register');
    assert.equal(chain.balance('owner'), 0n);
    return chain;
  };

  test('gets its deposit back', () => {
    const chain = startOwned('');
    chain.call('owner', 'release');
    assert.equal(chain.balance('owner'), deposit);
    assertSound(chain);
  });

  test('cannot have it twice by calling back while it is paid', () => {
    const chain = startOwned('release');
    const failure = expectFailure(() => chain.call('owner', 'release'), free);
    assert.equal(failure.contract, chain.address('registry'));
    assert.equal(chain.balance('owner'), 0n, 'nothing of the attempt stays');
    assert.equal(resolve(chain, 'loot').owner, chain.address('owner'));
    assertSound(chain);
  });

  test('may register the name again while it is paid', () => {
    const chain = startOwned('register');
    chain.call('owner', 'release');
    assert.equal(resolve(chain, 'loot').owner, chain.address('owner'));
    assert.equal(chain.balance('owner'), 0n);
    assertSound(chain);
  });
});
