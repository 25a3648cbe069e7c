/** The unmodified public key package agrees with us about keys, addresses, signatures and key stores. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { person, personOf } from '../support/people.ts';
import { CallRecord, installedVersion, openEncryption } from '../support/zetrix-sdk.ts';

const record = new CallRecord();
const { keypair, signature, keystore } = openEncryption(record);
const bob = person('bob');
const carol = person('carol');

describe('zetrix-encryption-nodejs', () => {
  test('is the published one', () => assert.equal(installedVersion('zetrix-encryption-nodejs'), '1.0.1'));

  test('makes keys that are ours', () => {
    const pair = keypair.getKeyPair() as Record<string, string>;
    assert.equal(keypair.checkEncPrivateKey(pair.encPrivateKey), true);
    assert.equal(keypair.checkEncPublicKey(pair.encPublicKey), true);
    assert.equal(keypair.checkAddress(pair.address), true);
    const seed = Uint8Array.from(keypair.parsePrivateKey(pair.encPrivateKey) as number[]);
    const ours = personOf(seed);
    assert.deepEqual([ours.privateKey, ours.publicKey, ours.address], Object.values(pair));
    const raw = keypair.parsePublicKey(ours.publicKey) as number[];
    assert.equal(raw.length, 32);
    const made = record.watch('a key pair', new keypair(), keypair.prototype);
    made.generate();
    assert.equal(keypair.getEncPublicKey(made.getEncPrivateKey()), made.getEncPublicKey());
    assert.equal(keypair.getAddress(made.getEncPublicKey()), made.getAddress());
  });

  test('reads keys that we made', () => {
    assert.equal(keypair.getEncPublicKey(bob.privateKey), bob.publicKey);
    assert.equal(keypair.getAddress(bob.publicKey), bob.address);
    for (const bad of [`${bob.address.slice(0, -1)}1`, 'ZTX3', '', bob.publicKey]) {
      assert.equal(keypair.checkAddress(bad), false);
    }
    assert.equal(keypair.checkEncPrivateKey(bob.publicKey), false);
    assert.equal(keypair.checkEncPublicKey(bob.privateKey), false);
  });

  test('signs as we do', () => {
    const message = new TextEncoder().encode('one message');
    const theirs = signature.sign(message, bob.privateKey) as string;
    const ours = Buffer.from(bob.sign(message)).toString('hex');
    assert.equal(theirs, ours);
    assert.equal(signature.verify(message, ours, bob.publicKey), true);
    assert.equal(signature.verify(message, ours, carol.publicKey), false);
  });

  test('keeps a key under a password', async (context) => {
    const printed = context.mock.method(console, 'log', () => {});
    const store = await new Promise((resolve) => keystore.encrypt(bob.privateKey, 'a password', resolve));
    assert.equal(
      await new Promise((resolve) => keystore.decrypt(store, 'a password', resolve)),
      bob.privateKey,
    );
    // The portable form is only printed.
    const text = String(printed.mock.calls[0].arguments[0]).replace('respData: ', '');
    const decrypted = await new Promise((resolve) =>
      keystore.decrypt1(JSON.parse(text), 'a password', resolve),
    );
    assert.equal(decrypted, bob.privateKey);
  });

  test('offers nothing else', () => {
    assert.ok(record.offered.length > 15);
    assert.deepEqual(record.uncalled, []);
  });
});
