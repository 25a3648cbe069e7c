/** `symbolon keys`, `account` and `tx` with a real node: keys, payments, metadata, history. */
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { operations } from '../support/running-node.ts';
import { assertWords, type LedgerWorld, openLedgerWorld } from './ledger-world.ts';

const baseReserve = 10_000_000n;

describe('accounts on the command line', () => {
  const owner = ownerOfSuite();
  let world: LedgerWorld;
  before(async () => {
    world = await openLedgerWorld(owner, { chain: { baseReserve } });
  });

  test('a payment to an address without account makes one, and says so', async () => {
    const { run, node, poor } = world;
    const few = await run(['tx', 'pay', 'holder', '9999999']);
    assertWords(few, 1, /too little to make one; nothing was sent[\s\S]*must keep 10000000 \(10 Gas\)/);
    const first = await run(['tx', 'pay', 'holder', '15000000']);
    assert.equal(first.code, 0, first.err);
    assert.match(
      first.out,
      /has paid 15 Gas to holder \(.*That account is new\.\n[\s\S]*fee +\d+ \(0\.\d+ Gas\)/,
    );
    const again = await world.json('tx', 'pay', poor.address, '5000000');
    assert.deepEqual([again.newAccount, again.to], [false, poor.address]);
    assert.equal(await node.balance(poor.address), 20_000_000n);
    const [balance, shown] = await Promise.all([
      run(['account', 'balance', 'holder']),
      run(['account', 'show', 'holder']),
    ]);
    assert.equal(balance.out, '20000000 (20 Gas)\n');
    assert.match(shown.out, /address +\S+\n +kind +account\n +balance +20000000/);
  });

  test('a key of one’s own has an account, writes metadata and has a history', async () => {
    const { folder, json, run } = world;
    const key = await json('keys', 'new', '--out', 'own.key');
    assert.equal(statSync(path.join(folder, 'own.key')).mode & 0o777, 0o600);
    const address = String(key.address);
    assert.deepEqual(await json('keys', 'address', String(key.publicKey)), { address });
    assert.deepEqual(await json('keys', 'address', String(key.did)), { address });
    const missing = await run(['account', 'show', address, '--json']);
    assertWords(missing, 4, /is not on this chain[\s\S]*Pay something in/);
    assert.match(JSON.parse(missing.out).error.message, /is not on this chain/);
    await json('account', 'create', String(key.did), '--balance', '30gas');
    const twice = await run(['account', 'create', address]);
    assertWords(twice, 1, /refuses this; nothing has changed[\s\S]*exists already/);
    await json('account', 'set-metadata', 'color', 'dark green', '--key', 'own.key');
    const value = await run(['account', 'metadata', address, '--entry', 'color']);
    assert.equal(value.out, 'dark green\n');
    await json('account', 'set-metadata', 'color', '--delete', '--key', 'own.key');
    assertWords(
      await run(['account', 'metadata', address, '--entry', 'color']),
      4,
      /no metadata of this name/,
    );
    const { transactions } = await json('account', 'history', address);
    const sentences = (transactions as { sentence: string }[]).map(({ sentence }) => sentence);
    assert.equal(sentences.length, 3);
    assert.match(sentences[0], /deletes the metadata "color"\.$/);
    assert.match(sentences[2], /^issuer \(\S+\) creates the account \S+ with 30 Gas\.$/);
  });

  test('a transaction is shown as a sentence, a failed one by its reason first', async () => {
    const { node, poor, run, json } = world;
    const record = await node.execute({ operations: [operations.payCoin(poor.address, 4n * 10n ** 18n)] });
    const failed = await run(['tx', 'show', String(record.hash)]);
    assert.equal(failed.code, 0, failed.err);
    assert.match(
      failed.out,
      /^FAILED {2}ERRCODE_ACCOUNT_LOW_RESERVE \(100\)[^\n]*\n[^\n]*cost its fee[\s\S]*issuer \(\S+\) pays/,
    );
    const waited = await run(['tx', 'wait', String(record.hash).toUpperCase()]);
    assert.equal(waited.code, 1, 'what failed is a failure for whoever waits for it');
    const done = await json('tx', 'pay', 'holder', '1');
    const shown = await json('tx', 'show', String(done.transaction));
    assert.deepEqual([shown.status, shown.code, shown.block], ['executed', 0, done.block]);
    const unknown = await run(['tx', 'show', '0'.repeat(64)]);
    assertWords(unknown, 4, /does not know this transaction/);
  });

  test('whoever has too little learns that before anything is sent', async () => {
    const { run, node, poor, folder } = world;
    writeFileSync(path.join(folder, 'holder.key'), poor.privateKey, { mode: 0o600 });
    const nonceBefore = await node.ask('getAccountBase', { address: poor.address });
    const much = await run(['tx', 'pay', 'issuer', '999999999', '--key', 'holder.key']);
    assertWords(much, 1, /has too little; nothing was sent[\s\S]*10000000 that an account must keep/);
    assert.deepEqual(await node.ask('getAccountBase', { address: poor.address }), nonceBefore);
  });

  test('an encrypted key signs with its password and with no other', async () => {
    const { json, run, node } = world;
    const env = { SYMBOLON_KEY_PASSWORD: 'correct horse battery' };
    const made = await run(['keys', 'new', '--out', 'sealed.key', '--encrypt', '--json'], { env });
    const { address } = JSON.parse(made.out);
    await json('tx', 'pay', address, '50000000');
    const paid = await run(['tx', 'pay', 'holder', '7', '--key', 'sealed.key'], { env });
    assert.equal(paid.code, 0, paid.err);
    const wrong = { env: { SYMBOLON_KEY_PASSWORD: 'battery horse' } };
    assertWords(
      await run(['tx', 'pay', 'holder', '7', '--key', 'sealed.key'], wrong),
      1,
      /does not open sealed\.key/,
    );
    assertWords(await run(['tx', 'pay', 'holder', '7', '--key', 'sealed.key']), 2, /SYMBOLON_KEY_PASSWORD/);
    assert.ok((await node.balance(address)) < 50_000_000n);
    assertWords(await run(['keys', 'new', '--out', 'sealed.key'], { env }), 2, /there already/);
  });

  test('a key moves between the forms of key files, and the weak one is told to be weak', async () => {
    const { run, poor } = world;
    const options = { env: { SYMBOLON_KEY_PASSWORD: 'correct horse battery' } };
    const both = { env: { ...options.env, SYMBOLON_NEW_KEY_PASSWORD: 'correct horse battery' } };
    const forms = async (...words: string[]) => {
      const { code, out, err } = await run(['keys', ...words, '--json'], both);
      assert.equal(code, 0, err);
      const { address, form } = JSON.parse(out);
      assert.equal(address, poor.address);
      return { form, err };
    };
    writeFileSync(path.join(world.folder, 'bare.key'), poor.privateKey, { mode: 0o600 });
    const family = await forms('export', 'bare.key', '--out', 'family.json', '--family');
    assert.match(family.err, /WARNING[\s\S]*Delete the file/);
    assert.equal((await forms('show', 'family.json')).form, 'family');
    const own = await forms('export', 'family.json', '--out', 'strong.key');
    assert.doesNotMatch(own.err, /WARNING/);
    assert.equal((await forms('show', 'strong.key')).form, 'own');
    const unasked = await run(['keys', 'export', 'strong.key', '--out', 'weak.json', '--family'], options);
    assertWords(unasked, 2, /SYMBOLON_NEW_KEY_PASSWORD/);
    assert.equal((await forms('show', 'bare.key')).form, 'bare');
    assertWords(
      await run(['keys', 'export', 'bare.key', '--out', 'strong.key'], options),
      2,
      /there already/,
    );
  });
});
