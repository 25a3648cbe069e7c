import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import fc from 'fast-check';
import { signatureLimits } from '../limits/node-limits.ts';
import { libsodiumEquation, opensslEquation } from './curve-equation.ts';
import { publicKeyOf, signEd25519, verifierOver, verifyLedgerSignature } from './ed25519.ts';
import edgeCases from './ed25519-edge-cases.json' with { type: 'json' };

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** RFC 8032, section 7.1, tests 1 and 2. */
const published = [
  {
    seed: hex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'),
    publicKey: hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
    message: hex(''),
    signature: hex(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ),
  },
  {
    seed: hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'),
    publicKey: hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'),
    message: hex('72'),
    signature: hex(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ),
  },
];

test('keys and signatures are those of RFC 8032', () => {
  for (const { seed, publicKey, message, signature } of published) {
    assert.deepEqual(publicKeyOf(seed), publicKey);
    assert.deepEqual(signEd25519(seed, message), signature);
    assert.equal(verifyLedgerSignature(publicKey, signature, message), true);
  }
});

const libsodium = await libsodiumEquation();
assert.ok(libsodium, 'the tests need both libraries');

/** A machine uses one of them; the network has both. */
const verifiers = {
  'the node': verifyLedgerSignature,
  OpenSSL: verifierOver(opensslEquation),
  libsodium: verifierOver(libsodium),
};

for (const [library, verifier] of Object.entries(verifiers)) {
  test(`every odd signature is answered as the network answers it, by ${library}`, () => {
    assert.ok(edgeCases.cases.length > 100);
    for (const { family, name, publicKey, signature, message, valid } of edgeCases.cases) {
      assert.equal(verifier(hex(publicKey), hex(signature), hex(message)), valid, `${family}: ${name}`);
    }
  });
}

test('both libraries give the same answer to whatever was changed in a signature', () => {
  const [{ seed, publicKey }] = published;
  const change = fc.record({ at: fc.nat({ max: 95 }), bits: fc.integer({ min: 1, max: 255 }) });
  const message = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(message, fc.option(change), (text, changed) => {
      const bytes = Uint8Array.from([...publicKey, ...signEd25519(seed, text)]);
      if (changed) bytes[changed.at] ^= changed.bits;
      const signed = [bytes.subarray(0, 32), bytes.subarray(32), text] as const;
      for (const verifier of Object.values(verifiers)) assert.equal(verifier(...signed), changed === null);
    }),
  );
});

test('a machine on which libsodium does not load does without it', async () => {
  assert.equal(
    await libsodiumEquation(() => Promise.reject(new Error('version `GLIBC_2.33` not found'))),
    undefined,
  );
});

test('a key is refused in any but its canonical encoding, whatever the library would say', () => {
  const asked: string[] = [];
  const accepting = verifierOver((publicKey) => asked.push(Buffer.from(publicKey).toString('hex')) > 0);
  const key = (low: number, high: number) => Uint8Array.of(low, ...new Uint8Array(30).fill(0xff), high);
  for (const high of [0x7f, 0xff]) {
    for (let low = 0xed; low <= 0xff; low++) {
      assert.equal(accepting(key(low, high), published[0].signature, new Uint8Array(0)), false);
    }
    // p - 2, the largest that is canonical and not of small order.
    assert.equal(accepting(key(0xeb, high), published[0].signature, new Uint8Array(0)), true);
  }
  assert.equal(asked.length, 2);
});

test('the odd signatures cover accepted ones too', () => {
  const accepted = edgeCases.cases.filter(({ valid }) => valid).map(({ family }) => family);
  assert.deepEqual([...new Set(accepted)], ['ordinary', 'range of S', 'mixed order']);
});

test('wrong lengths are invalid signatures, a wrong seed is a bug', () => {
  const [{ seed, publicKey, message, signature }] = published;
  for (const length of [0, 31, 33, 64]) {
    assert.equal(verifyLedgerSignature(new Uint8Array(length), signature, message), false);
    assert.throws(() => publicKeyOf(new Uint8Array(length)), BrokenInvariant);
    assert.throws(() => signEd25519(seed.subarray(0, 31), message), BrokenInvariant);
  }
  for (const length of [0, 63, 65, 128]) {
    assert.equal(verifyLedgerSignature(publicKey, new Uint8Array(length), message), false);
  }
});

test('views into larger buffers are read where they stand', () => {
  const [, { publicKey, message, signature }] = published;
  const room = Uint8Array.from([9, ...publicKey, ...signature, ...message, 9]);
  const [key, sig, msg] = [room.subarray(1, 33), room.subarray(33, 97), room.subarray(97, 98)];
  assert.equal(verifyLedgerSignature(key, sig, msg), true);
  assert.equal(verifyLedgerSignature(key, sig, room.subarray(97, 99)), false);
});

test('more keys than are kept are verified all the same', () => {
  const [, { publicKey, message, signature }] = published;
  for (let index = 0; index < signatureLimits.cachedKeysMax / 2 + 10; index++) {
    // A signature whose S is out of range is refused early: only the keys matter here.
    verifiers.OpenSSL(randomBytes(32), new Uint8Array(64).fill(0xff), message);
  }
  assert.equal(verifiers.OpenSSL(publicKey, signature, message), true);
});
