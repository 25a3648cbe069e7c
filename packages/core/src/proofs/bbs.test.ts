import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { BrokenInvariant } from '../basics/assert.ts';
import { encodeHex, encodeUtf8 } from '../basics/bytes.ts';
import { bbsLimits } from '../limits/documents.ts';
import { calculateDomain, createGenerators } from './generators.ts';
import {
  generateSecretKey,
  hashToScalar,
  integerBytes,
  integerOf,
  isMessage,
  messageScalar,
  parseScalar,
} from './scalars.ts';
import { basePointG1, basePointG2, groupOrder, interfaceIds, tag } from './suite.ts';
import { loadDigitalBazaar } from './testing/digital-bazaar.ts';

const bytes = (text: string): Uint8Array => encodeUtf8(text);

test('keys, generators, domains and scalars agree with the other implementation', async () => {
  const other = await loadDigitalBazaar();
  const id = encodeUtf8(interfaceIds.plain);
  const points = other.generators(id, 6);
  assert.deepEqual(
    createGenerators('plain', 5).map(encodeHex),
    points.map((point) => encodeHex(point.toRawBytes(true))),
  );
  const someBytes = fc.uint8Array({ maxLength: 300 });
  const property = fc.property(
    fc.uint8Array({ minLength: 32, maxLength: 80 }),
    fc.array(someBytes, { maxLength: 5 }),
    someBytes,
    (material, messages, header) => {
      const secretKey = generateSecretKey(material, header) as Uint8Array;
      assert.equal(integerOf(secretKey), other.secretKey(material, header));
      const scalars = messages.map((message) => messageScalar('plain', { bytes: message }));
      assert.deepEqual(scalars, other.messageScalars(messages, id));
      assert.equal(hashToScalar(header, material), other.hashToScalar(header, material));
      const statement = { interface: 'plain', publicKey: material, header } as const;
      const domain = calculateDomain(statement, createGenerators('plain', messages.length));
      assert.equal(domain, other.domain(points, id, { publicKey: material, header, messages }));
    },
  );
  fc.assert(property, { numRuns: 25 });
  const { secretKey } = await other.keyPair(new Uint8Array(32).fill(5));
  assert.deepEqual(new Uint8Array(secretKey), generateSecretKey(new Uint8Array(32).fill(5)));
});

test('the constants that are written down are those of the curve', () => {
  assert.equal(groupOrder, bls12_381.fields.Fr.ORDER);
  assert.deepEqual(basePointG2, bls12_381.G2.Point.BASE.toBytes(true));
});

test('the interfaces share no generator, and generators are constants', () => {
  const plain = createGenerators('plain', 3).map(encodeHex);
  const typed = createGenerators('typed', 3).map(encodeHex);
  assert.equal(new Set([...plain, ...typed, encodeHex(basePointG1)]).size, 9);
  assert.deepEqual(createGenerators('plain', 2).map(encodeHex), plain.slice(0, 3));
  assert.equal(basePointG2.length, 96);
  assert.throws(() => createGenerators('plain', bbsLimits.messagesMax + 1), BrokenInvariant);
  assert.throws(() => createGenerators('plain', -1), BrokenInvariant);
  assert.throws(() => createGenerators('plain', 1.5), BrokenInvariant);
});

test('a key needs enough material, and not endless', () => {
  assert.equal(generateSecretKey(new Uint8Array(31)), undefined);
  assert.equal(generateSecretKey(new Uint8Array(bbsLimits.keyMaterialBytesMax + 1)), undefined);
  assert.equal(generateSecretKey(new Uint8Array(32), new Uint8Array(65_536)), undefined);
  const one = generateSecretKey(new Uint8Array(32), bytes('one')) as Uint8Array;
  assert.notDeepEqual(one, generateSecretKey(new Uint8Array(32), bytes('two')));
  assert.notEqual(parseScalar(one), undefined);
});

test('scalars are exactly 32 bytes, not 0 and below the order of the group', () => {
  assert.equal(parseScalar(integerBytes(groupOrder - 1n, 32)), groupOrder - 1n);
  assert.equal(parseScalar(integerBytes(groupOrder, 32)), undefined);
  assert.equal(parseScalar(new Uint8Array(32)), undefined);
  assert.equal(parseScalar(new Uint8Array(31).fill(1)), undefined);
  assert.equal(parseScalar(new Uint8Array(33).fill(1)), undefined);
  assert.throws(() => integerBytes(256n, 1), BrokenInvariant);
  assert.throws(() => integerBytes(-1n, 8), BrokenInvariant);
});

test('a typed integer is itself, everything else is hashed', () => {
  assert.equal(messageScalar('typed', { integer: 0n }), 0n);
  assert.equal(messageScalar('typed', { integer: bbsLimits.integerMax }), bbsLimits.integerMax);
  const text = { bytes: bytes('name: Ada') };
  assert.notEqual(messageScalar('typed', text), messageScalar('plain', text));
  const dst = tag(interfaceIds.typed, 'MAP_MSG_TO_SCALAR_AS_HASH_');
  assert.equal(messageScalar('typed', text), hashToScalar(text.bytes, dst));
  for (const integer of [-1n, bbsLimits.integerMax + 1n])
    assert.equal(isMessage('typed', { integer }), false);
  assert.equal(isMessage('plain', { integer: 1n }), false);
  assert.equal(isMessage('typed', { integer: 1 as unknown as bigint }), false);
  assert.equal(isMessage('typed', { bytes: new Uint8Array(bbsLimits.messageBytesMax + 1) }), false);
  assert.throws(() => messageScalar('plain', { integer: 1n }), BrokenInvariant);
});
