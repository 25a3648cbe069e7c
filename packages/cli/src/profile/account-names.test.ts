import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { didOfPublicKey } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { bumoProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { sha256 } from '@symbolon/host/work/sha256';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { accountNames } from './account-names.ts';
import { keyFormat } from './key-format.ts';
import type { Profile } from './profile.ts';

const publicKey = Uint8Array.from(randomBytes(32));
const address = keyFormat.addressOf(publicKey);
const did = didOfPublicKey(publicKey, zetrixProfile);

const profile: Profile = {
  name: 'mine',
  file: 'x.json',
  service: undefined,
  ledger: undefined,
  isSealed: false,
  isOfFolder: false,
  isChosenByFolder: false,
  pins: {},
  people: () => [],
  person: (name) =>
    name === 'holder'
      ? { did }
      : name === 'issuer'
        ? { address }
        : name === 'broken'
          ? { address: 'x' }
          : undefined,
};
const { addressOf, nameOf } = accountNames(profile);

describe('whom a word means', () => {
  for (const [what, word] of [
    ['an address', address],
    ['a DID', did],
    ['a person with a DID', 'holder'],
    ['a person with an address', 'issuer'],
  ] as const)
    test(what, () => assert.equal(addressOf(word), address));

  const privateKey = keyFormat.encodePrivateKey(randomBytes(32));
  const wrong: [string, string, RegExp][] = [
    ['nothing', '', /neither an address/],
    ['a stranger', 'nobody', /profile mine has no person called nobody/],
    ['a person without account', 'broken', /no person called broken/],
    ['half an address', address.slice(0, -2), /neither an address|checksum/],
    ['a key', privateKey, /neither an address/],
    ['a DID of another method', 'did:web:example.com', /owns no account of this network/],
    ['half a DID', did.slice(0, -1), /not a DID/],
    [
      'an address of another network',
      createKeyFormat(bumoProfile, sha256).addressOf(publicKey),
      /address of another network \(bumo\)/,
    ],
  ];
  for (const [what, word, said] of wrong)
    test(`${what} is refused, with advice`, () => {
      assert.throws(
        () => addressOf(word),
        (error) => {
          assert.ok(error instanceof CommandFailure);
          assert.equal(error.exitCode, exitCodes.usage);
          assert.match(error.message, said);
          assert.equal(error.message.split('\n').length, 3, 'what happened, why, what to do');
          assert.ok(!error.message.includes(privateKey));
          return true;
        },
      );
    });

  test('a name for an address is a person, or the address shortened', () => {
    assert.equal(nameOf(address), `holder (${address.slice(0, 8)}…${address.slice(-6)})`);
    const other = keyFormat.addressOf(Uint8Array.from(randomBytes(32)));
    assert.equal(nameOf(other), `${other.slice(0, 8)}…${other.slice(-6)}`);
    assert.ok(!nameOf('\u001b[31m').includes('\u001b'));
  });
});
