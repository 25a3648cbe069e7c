import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { createTestChain, expectFailure } from './test-chain.ts';

/** A contract with these bodies; a query gives back its input unless told otherwise. */
const contract = ({ init = 'return true;', main = 'return true;', query = 'return input;' }) =>
  `'use strict';
function init(input) { ${init} }
function main(input) { ${main} }
function query(input) { ${query} }`;

const asJson = (expression: string) => `return JSON.stringify(${expression});`;
const parsed = (value: string | boolean) => JSON.parse(value as string);

describe('accounts of a test chain', () => {
  test('are made from names, the same everywhere', () => {
    const [chain, other] = [createTestChain(), createTestChain({ accounts: { alice: 5 } })];
    assert.equal(chain.address('alice'), other.address('alice'));
    assert.notEqual(chain.address('alice'), chain.address('bob'));
    assert.equal(chain.address(chain.address('bob')), chain.address('bob'));
    assert.equal(chain.person('alice').address, chain.address('alice'));
    assert.deepEqual([chain.balance('carol'), other.balance('alice')], [1_000_000_000_000n, 5n]);
  });

  test('come with assets and metadata', () => {
    const gold = { issuer: 'bob', code: 'GOLD' };
    const chain = createTestChain({
      accounts: { alice: { balance: 1n, assets: [{ ...gold, amount: 7 }], metadata: { a: '1' } }, bob: 0 },
      contracts: {
        reader: contract({
          query: asJson(`[Chain.getAccountMetadata(input, 'a'),
            Chain.getAccountAsset(input, { issuer: Chain.msg.sender, code: 'GOLD' }), Chain.getBalance(input)]`),
        }),
      },
    });
    assert.equal(chain.assetBalance('alice', gold), 7n);
    assert.deepEqual(chain.storage('alice'), { a: '1' });
    assert.deepEqual(parsed(chain.query('reader', chain.address('alice'), { from: 'bob' })), ['1', '7', '1']);
  });

  test('sign what contracts verify', () => {
    const code = contract({
      query: `const [signature, key, text] = JSON.parse(input);
        return Utils.toAddress(key) + ' ' + Utils.ecVerify(signature, key, text, 1);`,
    });
    const chain = createTestChain({ contracts: { verifier: code } });
    const { address, publicKey, sign } = chain.person('nobody we know');
    const verdict = (text: string) =>
      chain.query('verifier', JSON.stringify([sign('héllo'), publicKey, text]));
    assert.equal(verdict('héllo'), `${address} true`);
    assert.equal(verdict('hello'), `${address} false`);
  });

  test('that do not exist are pointed out', () => {
    const chain = createTestChain({ accounts: { alice: 1 } });
    const stranger = chain.person('bob').address;
    assert.throws(() => chain.balance('bob'), /"bob" is neither an address nor a name.*alice/);
    assert.equal(chain.balance(stranger), 0n);
    assert.throws(() => chain.call('alice', '', { from: 'alic' }), /"alic"/);
    expectFailure(() => chain.deploy(contract({}), { from: stranger }), { code: 103 });
    assert.throws(() => createTestChain({ accounts: {} }).deploy(contract({})), /no account to send from/);
    assert.throws(() => chain.query('alice', ''), /no contract at "alice"/);
  });
});

describe('deploying', () => {
  test('runs init, with coins and input', () => {
    const init = `Chain.store('input', input); Chain.store('coins', Chain.msg.coinAmount);`;
    const chain = createTestChain({ accounts: { alice: 100, bob: 50 } });
    const { address, triggered, steps, gas } = chain.deploy(contract({ init }), {
      from: 'bob',
      input: { a: [1] },
      balance: 20,
      name: 'mine',
    });
    assert.equal(chain.address('mine'), address);
    assert.deepEqual(chain.storage('mine'), { coins: '20', input: '{"a":[1]}' });
    assert.deepEqual([chain.balance('bob'), chain.balance('mine')], [30n, 20n]);
    assert.deepEqual(triggered[1], {
      contract: address,
      type: 'setMetadata',
      body: { key: 'coins', value: '20', version: 0n, deleteFlag: false },
    });
    assert.ok(steps > 2 * contractLimits.builtInSteps && gas > 1_000_000n);
    assert.throws(() => chain.deploy(contract({}), { name: 'mine' }), /There is a "mine" already/);
  });

  test('fails like on a real chain, and leaves nothing', () => {
    const chain = createTestChain({ accounts: { alice: 100 } });
    const syntax = expectFailure(() => chain.deploy('function main(i) { i++ }'), { code: 152 });
    assert.ok(syntax.findings.some(({ code }) => code === 'use_strict'));
    expectFailure(() => chain.deploy(contract({ init: `throw 'no'; ` })), { code: 151, exception: 'no' });
    expectFailure(() => chain.deploy("'use strict';"), { code: 151, exception: /init/ });
    expectFailure(() => chain.deploy(contract({}), { balance: 101 }), { code: 100 });
    assert.equal(chain.balance('alice'), 100n);
  });

  test('lets the owner upgrade, and keeps what is stored', () => {
    const [before, after] = ['1', '2'].map((it) => contract({ query: `return '${it}' + Chain.load('a');` }));
    const chain = createTestChain();
    const init = contract({ init: `Chain.store('a', input);` });
    chain.deploy(init, { name: 'mine', owner: 'bob', input: 'x' });
    chain.deploy(init, { name: 'fixed' });
    chain.upgrade('mine', before, { from: 'bob' });
    assert.equal(chain.query('mine', ''), '1x');
    expectFailure(() => chain.upgrade('mine', after, { from: 'alice' }), { code: 93 });
    expectFailure(() => chain.upgrade('fixed', after, { from: 'alice' }), { code: 93 });
    expectFailure(() => chain.upgrade('mine', 'x', { from: 'bob' }), { code: 152 });
    assert.equal(chain.query('mine', ''), '1x');
  });
});

describe('calling', () => {
  test('shows what the contract did', () => {
    const main = `Utils.log('called'); Chain.tlog('paid', input, 7, true); Chain.payCoin(input, '4'); return 'ok';`;
    const chain = createTestChain({
      accounts: { alice: 10, bob: 0 },
      contracts: { payer: contract({ main }) },
    });
    const bob = chain.address('bob');
    const receipt = chain.call('payer', bob, { coin: 10n });
    const event = { contract: chain.address('payer'), topic: 'paid', values: [bob, '7', 'true'] };
    assert.deepEqual(receipt.events, [event]);
    assert.deepEqual(chain.events, [event]);
    assert.deepEqual(
      receipt.triggered.map(({ type }) => type),
      ['log', 'payCoin'],
    );
    assert.deepEqual([receipt.returned, receipt.logs], ['ok', ['called']]);
    const balances = ['alice', 'payer', 'bob'].map((who) => chain.balance(who));
    assert.deepEqual(balances, [0n, 6n, 4n]);
  });

  test('sends assets along', () => {
    const gold = { issuer: 'alice', code: 'GOLD' };
    const main = `Chain.payAsset(Chain.msg.sender, Chain.msg.asset.key.issuer, Chain.msg.asset.key.code, '1');
      return Chain.msg.coinAmount + Chain.msg.asset.amount;`;
    const chain = createTestChain({
      accounts: { alice: { balance: 0, assets: [{ ...gold, amount: 5 }] } },
      contracts: { taker: contract({ main }) },
    });
    assert.equal(chain.call('taker', '', { asset: { ...gold, amount: 3 } }).returned, '03');
    assert.deepEqual([chain.assetBalance('alice', gold), chain.assetBalance('taker', gold)], [3n, 2n]);
    expectFailure(() => chain.call('taker', '', { asset: { ...gold, amount: 4 } }), { code: 104 });
    const both = { coin: 1, asset: { ...gold, amount: 1 } };
    assert.throws(() => chain.call('taker', '', both), /not both/);
  });

  test('shows returned values as another contract would get them', () => {
    const cases: [string, string | boolean][] = [
      [`'text'`, 'text'],
      ['true', true],
      ['7', false],
      ['undefined', false],
      ['{ a: 1 }', false],
    ];
    for (const [value, expected] of cases) {
      const chain = createTestChain({ contracts: { it: contract({ main: `return ${value};` }) } });
      assert.equal(chain.call('it', '').returned, expected);
    }
  });

  test('uses the same steps every time', () => {
    const main = `let i = 0; while (i < 50) { i += 1; } Chain.store('a', 'b');`;
    const runs = [1, 2].map(() => createTestChain({ contracts: { it: contract({ main }) } }));
    const steps = runs.flatMap((chain) => [chain.call('it', '').steps, chain.call('it', '').steps]);
    assert.equal(new Set(steps).size, 1);
    assert.ok(steps[0] > contractLimits.builtInSteps);
  });

  test('respects the reserve', () => {
    const main = `Chain.payCoin(Chain.msg.sender, Chain.getBalance(Chain.thisAddress));`;
    const contracts = { it: { code: contract({ main }), balance: 60 } };
    const chain = createTestChain({ accounts: { alice: 200 }, baseReserve: 50, contracts });
    expectFailure(() => chain.call('it', ''), { code: 100 });
  });
});

describe('a failing call', () => {
  const endings: [string, string, number, RegExp][] = [
    ['an exception', `throw new Error('why');`, 151, /why/],
    ['an assertion', `Utils.assert(false, 'because');`, 151, /^because$/],
    ['a text that is thrown', `throw 'thrown';`, 151, /^thrown$/],
    ['a payment that is not covered', `Chain.payCoin(Chain.msg.sender, '1');`, 100, /cannot pay/],
    ['deleting what is not there', `Chain.del('nothing');`, 4, /nothing/],
    ['arguments of the wrong kind', `Chain.store('a', 1);`, 151, /argument 1/],
    ['an endless loop', `while (true) { input += ''; }`, 155, /Step/],
    ['endless recursion', `return main(input);`, 155, /Stack|Step/],
    ['too much memory', `const a = []; while (true) { a.push('x'.repeat(1000000)); }`, 155, /Memory|Step/],
    ['calling itself', `Chain.contractCall(Chain.thisAddress, true, '0', '');`, 101, /itself/],
  ];
  for (const [what, main, code, exception] of endings) {
    test(`by ${what} leaves nothing behind`, () => {
      const body = `Utils.log('before'); Chain.store('a', 'changed'); ${main}`;
      const code0 = contract({ init: `Chain.store('a', 'b');`, main: body });
      const chain = createTestChain({ accounts: { alice: 9 }, contracts: { it: code0 } });
      const failure = expectFailure(() => chain.call('it', '', { coin: 0 }), { code, exception });
      assert.deepEqual(chain.storage('it'), { a: 'b' });
      assert.equal(chain.balance('alice'), 9n);
      assert.deepEqual([chain.events, failure.logs[0]], [[], 'before']);
      assert.ok(failure.steps > contractLimits.builtInSteps);
    });
  }

  test('names the contract and the line where it happened', () => {
    const inner = `'use strict';\nfunction init() { return true; }\nfunction main(input) {\n  throw new Error(input);\n}`;
    const main = `return Chain.contractCall(input, true, '0', 'deep down');`;
    const chain = createTestChain({ contracts: { inner, outer: contract({ main }) } });
    const failure = expectFailure(() => chain.call('outer', chain.address('inner')), {
      code: 151,
      exception: /deep down/,
    });
    assert.deepEqual([failure.contract, failure.line], [chain.address('inner'), 4]);
  });

  test('by too deep nesting is 153', () => {
    const main = `const [next, ...rest] = JSON.parse(input);
      return Chain.contractCall(next, true, '0', JSON.stringify(rest));`;
    const names = ['a', 'b', 'c', 'd', 'e'];
    const code = contract({ main: `if (input === '[]') { return true; } ${main}` });
    const chain = createTestChain({ contracts: Object.fromEntries(names.map((name) => [name, code])) });
    const path = (count: number) => JSON.stringify(names.slice(1, count).map(chain.address));
    assert.equal(chain.call('a', path(4)).returned, true);
    expectFailure(() => chain.call('a', path(5)), { code: 153 });
  });

  test('by a missing function says which', () => {
    const chain = createTestChain({ contracts: { it: `'use strict'; function init() { return; }` } });
    expectFailure(() => chain.call('it', ''), { code: 151, exception: 'Lost of main function' });
    expectFailure(() => chain.query('it', ''), { code: 151, exception: 'Lost of query function' });
  });
});

describe('a query', () => {
  test('reads, and cannot write', () => {
    const query = `return typeof Chain.store + typeof Chain.payCoin + typeof tlog + typeof Chain.load;`;
    const chain = createTestChain({ contracts: { it: contract({ query }) } });
    assert.equal(chain.query('it', ''), 'undefinedundefinedundefinedfunction');
    const writer = contract({ query: `Chain.store('a', 'b');` });
    chain.deploy(writer, { name: 'writer' });
    expectFailure(() => chain.query('writer', ''), { code: 151, exception: /TypeError/ });
    assert.deepEqual(chain.storage('writer'), {});
  });

  test('closes no block', () => {
    const chain = createTestChain({ contracts: { it: contract({ query: 'throw input;' }) } });
    const { block } = chain;
    expectFailure(() => chain.query('it', 'x'), { code: 151, exception: 'x' });
    assert.deepEqual(chain.block, block);
  });
});

describe('blocks and time', () => {
  const main = asJson(`[Chain.block.number, Chain.block.timestamp]`);
  const second = 1_000_000;

  test('move on with every transaction', () => {
    const block = { number: 10, timestamp: 50 * second };
    const chain = createTestChain({ block });
    chain.deploy(contract({ main, query: main }), { name: 'it' });
    assert.deepEqual(chain.block, { number: 11, timestamp: 51 * second });
    const receipt = chain.call('it', '');
    assert.deepEqual(parsed(receipt.returned), [12, 52 * second]);
    assert.deepEqual(receipt.block, chain.block);
    assert.deepEqual(parsed(chain.query('it', '')), [13, 53 * second], 'a query sees the block to come');
  });

  test('move on when told to', () => {
    const chain = createTestChain({ block: { timestamp: 0 }, contracts: { it: contract({ query: main }) } });
    chain.advance({ seconds: 3_600 });
    assert.deepEqual(parsed(chain.query('it', '')), [4, 3_602 * second]);
    chain.advance({ blocks: 100 });
    assert.deepEqual(parsed(chain.query('it', '')), [104, 3_702 * second]);
    chain.advance({});
    assert.deepEqual(chain.block.number, 104);
  });

  test('leave hashes behind', () => {
    const query = asJson(`[0, 1, 2, 5, 1024, -1, 0.5].map((offset) => Chain.getBlockHash(offset))`);
    const chain = createTestChain({ contracts: { it: contract({ query }) } });
    const [last, before, ...others] = parsed(chain.query('it', ''));
    assert.match(last, /^[0-9a-f]{64}$/);
    assert.notEqual(last, before);
    assert.deepEqual(others, [false, false, false, false, false]);
    chain.advance({});
    assert.deepEqual(parsed(chain.query('it', '')).slice(1, 3), [last, before]);
  });

  test('go on after a failure, but not after a refusal', () => {
    const chain = createTestChain({ contracts: { it: contract({ main: `throw 'x';` }) } });
    const { number } = chain.block;
    expectFailure(() => chain.call('it', ''));
    assert.equal(chain.block.number, number + 1, 'it stands in a block, with its failure');
    expectFailure(() => chain.deploy('x'));
    assert.equal(chain.block.number, number + 1, 'code that is refused stands in none');
  });
});
