/** `symbolon tx build|sign|submit|decode`: a transaction that is signed where there is no network. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { assertWords, type LedgerWorld, openLedgerWorld } from './ledger-world.ts';

describe('a transaction signed elsewhere', () => {
  const owner = ownerOfSuite();
  let world: LedgerWorld;
  before(async () => {
    world = await openLedgerWorld(owner, { chain: { chainId: 7n } });
    writeFileSync(path.join(world.folder, 'rich.key'), world.rich.privateKey, { mode: 0o600 });
  });
  const offline = ['--ledger', 'http://127.0.0.1:1'];

  test('is built with a network, signed without one, and submitted', async () => {
    const { run, json, node, poor, folder } = world;
    const built = await run([
      'tx',
      'build',
      'holder',
      '42',
      '--source',
      'issuer',
      '--out',
      'pay.json',
      '--note',
      'rent',
    ]);
    assert.equal(built.code, 0, built.err);
    assert.equal(built.out, 'pay.json\n');
    const before = await run(['tx', 'submit', 'pay.json']);
    assertWords(before, 2, /Nobody has signed this transaction/);
    const shown = await run(['tx', 'decode', 'pay.json']);
    assert.match(
      shown.out,
      /issuer \(\S+\) creates the account holder \(\S+\) with 0\.000042 Gas[\s\S]*note +rent[\s\S]*chain +7[\s\S]*signed by +nobody/,
    );
    const signed = await run(['tx', 'sign', 'pay.json', '--key', 'rich.key'], {
      env: { SYMBOLON_LEDGER_URL: 'http://127.0.0.1:1' },
    });
    assert.equal(signed.code, 0, signed.err);
    assert.match(signed.err, /with 0\.000042 Gas[\s\S]*Signed by/, 'what is signed is shown');
    assertWords(await run(['tx', 'sign', 'pay.json', '--key', 'rich.key']), 1, /has signed this already/);
    const item = JSON.parse(readFileSync(path.join(folder, 'pay.json'), 'utf8'));
    assert.equal(item.signatures.length, 1);
    const submitted = await json('tx', 'submit', 'pay.json');
    assert.equal(submitted.status, 'executed');
    assert.equal(await node.balance(poor.address), 42n);
    assertWords(await run(['tx', 'submit', 'pay.json']), 1, /refuses this[\s\S]*nonce/);
  });

  test('goes through a pipe, with all its terms given and no network at all', async () => {
    const { run, json, node } = world;
    const { result } = (await node.ask('getAccountBase', { address: world.rich.address })) as {
      result: { nonce?: number };
    };
    const terms = {
      nonce: String((result.nonce ?? 0) + 1),
      'fee-limit': '1000',
      'gas-price': '1',
      'chain-id': '7',
    };
    const words = Object.entries(terms).flatMap(([name, value]) => [`--${name}`, value]);
    const built = await run(['tx', 'build', 'holder', '5', '--source', 'issuer', ...words, ...offline]);
    assert.equal(built.code, 0, built.err);
    const signed = await run(['tx', 'sign', '-', '--key', 'rich.key'], { input: built.out });
    assert.equal(signed.code, 0, signed.err);
    const submitted = await run(['tx', 'submit', '-', '--no-wait', '--json'], { input: signed.out });
    assert.equal(submitted.code, 0, submitted.err);
    const { transaction } = JSON.parse(submitted.out);
    assert.equal((await json('tx', 'wait', transaction)).status, 'executed');
  });

  test('may hold any operations, and several signatures', async () => {
    const { run, folder, json } = world;
    const body = [
      { type: 'SET_METADATA', set_metadata: { key: 'a', value: 'b' } },
      { type: 8, log: { topic: 't' } },
    ];
    writeFileSync(path.join(folder, 'operations.json'), JSON.stringify(body));
    const built = await json(
      'tx',
      'build',
      '--operations',
      'operations.json',
      '--source',
      'issuer',
      '--signatures',
      '2',
    );
    assert.match(String(built.sentence), /writes the metadata "a" and notes under the topic "t"\.$/);
    const item = JSON.stringify(built.item);
    writeFileSync(path.join(folder, 'other.key'), person('another signer').privateKey, { mode: 0o600 });
    const one = await run(['tx', 'sign', '-', '--key', 'rich.key'], { input: item });
    const two = await run(['tx', 'sign', '-', '--key', 'other.key', '--json'], { input: one.out });
    assert.equal(JSON.parse(two.out).signedBy.length, 2);
  });

  test('is refused for another chain, without a signature that counts, and when it is none', async () => {
    const { run, folder } = world;
    const terms = ['--nonce', '9', '--fee-limit', '1000', '--gas-price', '1', '--chain-id', '8'];
    const built = await run(['tx', 'build', 'holder', '5', '--source', 'issuer', ...terms, ...offline]);
    const signed = await run(['tx', 'sign', '-', '--key', 'rich.key'], { input: built.out });
    const submitted = await run(['tx', 'submit', '-'], { input: signed.out });
    assertWords(submitted, 1, /for another chain; nothing was sent[\s\S]*says chain 8[\s\S]*of chain 7/);
    await run(['tx', 'build', 'holder', '5', '--source', 'issuer', '--out', 'wrong-key.json']);
    writeFileSync(path.join(folder, 'other.key'), person('another signer').privateKey, { mode: 0o600 });
    await run(['tx', 'sign', 'wrong-key.json', '--key', 'other.key']);
    assertWords(await run(['tx', 'submit', 'wrong-key.json']), 1, /refuses this; nothing has changed/);
    const wrong = [
      ['tx', 'decode', 'operations.json'],
      ['tx', 'decode', 'ff'.repeat(40)],
      ['tx', 'sign', 'nothing.json'],
      ['tx', 'build', '--source', 'issuer'],
      ['tx', 'build', 'holder', '5', '--operations', 'operations.json', '--source', 'issuer'],
    ];
    for (const ended of await Promise.all(wrong.map((words) => run(words)))) assertWords(ended, 2, /\S/);
  });
});
