/** The ledger's commands before a node that lies: what is signed is what was ordered, for what was agreed to. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Lies, startLyingNode } from '../support/lying-node.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { assertWords, type LedgerWorld, openLedgerWorld } from './ledger-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a node answers is changed where it stands, whatever its form.
type Answer = any;
const inEvaluation =
  (change: (transaction: JsonObject) => void) =>
  ({ result }: Answer): void =>
    result?.txs?.[0] && change(result.txs[0].transaction_env.transaction);

const dear: Lies = {
  testTransaction: inEvaluation((transaction) => {
    transaction.fee_limit = 25_000_000_000n;
    transaction.gas_price = 90_000_000;
  }),
};

const contract =
  "'use strict'; function init() { return; } function main() { return; } function query() { return; }";

describe('a node that lies', () => {
  const owner = ownerOfSuite();
  let world: LedgerWorld;
  before(async () => {
    world = await openLedgerWorld(owner);
    writeFileSync(path.join(world.folder, 'contract.js'), contract);
    writeFileSync(path.join(world.folder, 'rich.key'), world.rich.privateKey, { mode: 0o600 });
  });

  const multibase = 'z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc';
  const sending: readonly (readonly string[])[] = [
    ['tx', 'pay', 'holder', '1000'],
    ['account', 'create', 'holder'],
    ['account', 'set-metadata', 'color', 'green'],
    ['did', 'publish-key', multibase, '--type', 'x25519', '--as', 'issuer'],
    ['contract', 'deploy', 'contract.js', '--as', 'issuer'],
    ['tx', 'build', 'holder', '1000', '--source', 'issuer'],
  ];
  for (const words of sending)
    test(`about the fee gets nothing for "${words.slice(0, 2).join(' ')}"`, async () => {
      const { url, called } = await startLyingNode(owner, world.node.url, dear);
      const before = await world.node.balance(world.rich.address);
      const ended = await world.run([...words, '--ledger', url]);
      assertWords(ended, 1, /nothing was signed[\s\S]*--fee-limit-max[\s\S]*--ledger/);
      assert.ok(!called.includes('submitTransaction'));
      assert.equal(await world.node.balance(world.rich.address), before);
    });

  test('is believed as far as its user says', async () => {
    const lies: Lies = {
      testTransaction: inEvaluation((transaction) => {
        transaction.fee_limit = 3_000_000;
      }),
    };
    const { url } = await startLyingNode(owner, world.node.url, lies);
    const pay = ['tx', 'pay', 'holder', '1000', '--ledger', url];
    assertWords(await world.run(pay), 1, /--fee-limit-max/);
    await world.json(...pay, '--fee-limit-max', '4000000');
    await world.json(...pay, '--fee-limit', '5000');
    const profile = JSON.parse(readFileSync(path.join(world.folder, '.symbolon/dev/demo.json'), 'utf8'));
    const pinned = { ...profile, ledger: url, pins: { feeLimitMax: 4_000_000 } };
    writeFileSync(path.join(world.folder, 'pinned.json'), JSON.stringify(pinned), { mode: 0o600 });
    await world.json('tx', 'pay', 'holder', '1000', '--profile', './pinned.json');
  });

  test('about its chain is refused where the chain is pinned', async () => {
    const lies: Lies = {
      getLedger: ({ result }: Answer) => {
        if (result) result.header.chain_id = 9;
      },
    };
    const { url, called } = await startLyingNode(owner, world.node.url, lies);
    const profile = JSON.parse(readFileSync(path.join(world.folder, '.symbolon/dev/demo.json'), 'utf8'));
    const pinned = { ...profile, ledger: url, pins: { chainId: 0 } };
    writeFileSync(path.join(world.folder, 'chain.json'), JSON.stringify(pinned), { mode: 0o600 });
    for (const words of sending) {
      const ended = await world.run([...words, '--profile', './chain.json']);
      assertWords(ended, 1, /chain 9, and chain 0 is meant/);
    }
    assert.ok(!called.includes('submitTransaction'));
  });

  test('about what an account must keep does not have it all paid into a new one', async () => {
    const lies: Lies = {
      getLedger: ({ result }: Answer) => {
        if (result?.fees) result.fees.base_reserve = 10n ** 15n;
      },
    };
    const { url, called } = await startLyingNode(owner, world.node.url, lies);
    const create = ['account', 'create', person('somebody new').address, '--ledger', url];
    assertWords(await world.run(create), 1, /nothing was signed[\s\S]*--balance/);
    assert.ok(!called.includes('submitTransaction'));
    await world.json(...create, '--balance', '5');
  });

  test('about the address of a new contract is not believed', async () => {
    const lies: Lies = {
      getTransactionHistory: ({ result }: Answer) => {
        for (const record of result?.transactions ?? [])
          record.error_desc = JSON.stringify([{ contract_address: world.poor.address, operation_index: 0 }]);
      },
    };
    const { url } = await startLyingNode(owner, world.node.url, lies);
    const words = ['contract', 'deploy', 'contract.js', '--as', 'issuer', '--ledger', url];
    const { address } = await world.json(...words);
    assert.notEqual(address, world.poor.address);
    assert.equal((await world.json('account', 'show', String(address))).address, address);
  });

  test('about what a transaction did is found out by its hash', async () => {
    const hash = String((await world.json('tx', 'pay', 'holder', '4321')).transaction);
    const lies: Lies = {
      getTransactionHistory: ({ result }: Answer) => {
        for (const record of result?.transactions ?? []) {
          const { pay_coin, create_account } = record.transaction.operations[0];
          if (pay_coin) pay_coin.amount = 999_999;
          if (create_account) create_account.init_balance = 999_999;
        }
      },
    };
    const { url } = await startLyingNode(owner, world.node.url, lies);
    for (const command of ['show', 'wait']) {
      const honest = await world.run(['tx', command, hash]);
      assert.match(honest.out, /0\.004321 Gas/);
      assert.doesNotMatch(honest.err, /WARNING/);
      assert.equal((await world.json('tx', command, hash)).isWhatWasSigned, true);
      const lied = await world.run(['tx', command, hash, '--ledger', url]);
      assert.match(lied.err, /WARNING[\s\S]*not what its hash stands for/);
      assert.equal((await world.json('tx', command, hash, '--ledger', url)).isWhatWasSigned, false);
    }
  });

  test('cannot hide what is in a file to be signed, nor what it costs', async () => {
    const { run, folder, poor } = world;
    const operations = [
      ...Array(4).fill({ type: 8, log: { topic: 'harmless' } }),
      { type: 7, pay_coin: { dest_address: poor.address, amount: 123_456_789 } },
      { type: 9, set_privilege: { master_weight: '0', signers: [{ address: poor.address, weight: 7 }] } },
    ];
    writeFileSync(path.join(folder, 'many.json'), JSON.stringify(operations));
    const terms = ['--nonce', '900', '--gas-price', '1', '--chain-id', '0', '--source', 'issuer'];
    const build = (...words: string[]) =>
      run(['tx', 'build', '--operations', 'many.json', ...terms, ...words, '--ledger', 'http://127.0.0.1:1']);
    assert.equal((await build('--fee-limit', '5000', '--out', 'cheap.json')).code, 0);
    const signed = await run(['tx', 'sign', 'cheap.json', '--key', 'rich.key']);
    assert.equal(signed.code, 0, signed.err);
    assert.match(signed.err, new RegExp(`123456789[^\\n]*${poor.address}`));
    assert.match(signed.err, new RegExp(`master_weight[^\\n]*${poor.address}`));
    assert.equal((await build('--fee-limit', '25000000000', '--out', 'dear.json')).code, 0);
    const refused = await run(['tx', 'sign', 'dear.json', '--key', 'rich.key']);
    assertWords(refused, 1, /nothing was signed[\s\S]*--fee-limit-max/);
    const allowed = ['tx', 'sign', 'dear.json', '--key', 'rich.key', '--fee-limit-max', '25000000000'];
    assert.equal((await run(allowed)).code, 0);
  });
});
