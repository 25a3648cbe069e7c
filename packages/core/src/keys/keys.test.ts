import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeHex, parseHex } from '../basics/bytes.ts';
import { createKeyFormat } from './keys.ts';
import { bumoProfile, zetrixProfile } from './profile.ts';

const vectors = JSON.parse(readFileSync(new URL('../../vectors/ledger/keys.json', import.meta.url), 'utf8'));
const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const zetrix = createKeyFormat(zetrixProfile, sha256);
const bumo = createKeyFormat(bumoProfile, sha256);
const bytesOf = (text: string): Uint8Array => parseHex(text) as Uint8Array;

describe('key and address forms', () => {
  for (const key of vectors.keys) {
    it(`agree with the public packages on ${key.name}`, () => {
      const seed = bytesOf(key.raw_private_key_hex);
      const publicKey = bytesOf(key.raw_public_key_hex);
      for (const [format, network] of [
        [zetrix, 'zetrix'],
        [bumo, 'bumo'],
      ] as const) {
        assert.equal(format.encodePrivateKey(seed), key[`${network}_private_key`]);
        assert.deepEqual(format.parsePrivateKey(key[`${network}_private_key`]), seed);
        assert.equal(format.addressOf(publicKey), key[`${network}_address`]);
        assert.equal(format.isAddress(key[`${network}_address`]), true);
        assert.equal(format.encodePublicKey(publicKey), key.public_key);
        assert.deepEqual(format.parsePublicKey(key.public_key), publicKey);
      }
    });
  }

  it('derive contract addresses and the reserved ones', () => {
    for (const { preimage, contract_address_zetrix } of vectors.contract_addresses) {
      assert.equal(zetrix.addressOfText(preimage), contract_address_zetrix);
    }
    for (const {
      raw_string_hashed_as_public_key: text,
      zetrix: address,
      bumo: sibling,
    } of vectors.reserved_addresses) {
      assert.equal(zetrix.addressOfText(text), address);
      assert.equal(bumo.addressOfText(text), sibling);
      assert.equal(zetrix.isReservedAddress(address), true);
    }
    assert.equal(zetrix.isReservedAddress(vectors.keys[0].zetrix_address), false);
  });

  it('refuse every listed invalid address, and blanks around a valid one', () => {
    for (const { address } of vectors.invalid_addresses)
      assert.equal(zetrix.isAddress(address), false, address);
    for (const [format, valid] of [
      [zetrix, vectors.keys[1].zetrix_address],
      [bumo, vectors.keys[1].bumo_address],
    ]) {
      const twisted = [
        ` ${valid}`,
        `${valid}\n`,
        `${valid}0`,
        `é${valid}`,
        valid.toLowerCase(),
        `${valid}${valid}`,
      ];
      for (const text of [...twisted, 'did:zid:00', '0OIl', ''])
        assert.equal(format.isAddress(text), false, text);
      assert.equal(format.isAddress(valid), true);
    }
  });

  it('refuse a private key of the other network, with a wrong fill byte or type', () => {
    const [key] = vectors.keys;
    assert.equal(zetrix.parsePrivateKey(key.bumo_private_key), undefined);
    assert.equal(zetrix.parsePrivateKey(key.zetrix_private_key.slice(0, -1)), undefined);
    assert.equal(zetrix.parsePrivateKey(''), undefined);
    assert.equal(zetrix.parsePublicKey(key.public_key.replace('b001', 'b002')), undefined);
    assert.equal(zetrix.parsePublicKey(key.raw_public_key_hex), undefined);
    assert.equal(zetrix.parsePublicKey(`${key.public_key}00`), undefined);
    assert.equal(zetrix.parsePublicKey('zz'.repeat(38)), undefined);
  });

  it('round trip for every key, and one changed character never passes', () => {
    const keyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(keyBytes, fc.nat(36), fc.nat(57), (bytes, position, replacement) => {
        assert.equal(
          encodeHex(zetrix.parsePrivateKey(zetrix.encodePrivateKey(bytes)) as Uint8Array),
          encodeHex(bytes),
        );
        const address = zetrix.addressOf(bytes);
        assert.equal(zetrix.isAddress(address), true);
        const other = zetrixProfile.base58Alphabet[replacement];
        const changed = address.slice(0, position) + other + address.slice(position + 1);
        assert.equal(zetrix.isAddress(changed), changed === address);
      }),
    );
  });
});
