import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountOfDid, ownerOfPublicKey } from './key-owners.ts';
import { didOfSigner, signerFromSeed } from './signer.ts';

test('a key makes the account and the DID of its signer, and the DID leads to the account', async () => {
  const signer = await signerFromSeed(new Uint8Array(32).fill(3));
  const owner = ownerOfPublicKey(signer.publicKey);
  // Its text has a prefix of two bytes before the raw key, and a checksum behind it.
  const publicKey = signer.publicKey.slice(4, 68);
  assert.deepEqual(owner, { publicKey, address: signer.address, did: didOfSigner(signer) });
  assert.equal(accountOfDid(didOfSigner(signer)), signer.address);
  assert.equal(ownerOfPublicKey('b001'), undefined);
  assert.equal(accountOfDid('did:zid:nobody'), undefined);
});
