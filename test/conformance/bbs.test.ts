/**
 * Our BBS and an independent implementation of the same draft agree, over random inputs: one to sixty messages, empty
 * and long ones, with and without a header. Its own functions do its side; only the generators, which it would make
 * anew for every call, are made once and compared once. A seed is printed; `BBS_SEED` repeats a run.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { calculateDomain, createGenerators } from '@symbolon/core/proofs/generators';
import { generateSecretKey, hashToScalar, integerOf, messageScalar } from '@symbolon/core/proofs/scalars';
import { interfaceIds } from '@symbolon/core/proofs/suite';
import { loadDigitalBazaar } from '@symbolon/core/proofs/testing/digital-bazaar';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import { chooseSeed, createRandom } from '../crash/seeded-random.ts';
import { campaignSize } from '../support/campaign.ts';

/** For all: keys, hashes, domains, and our signature verified by both. The rest for one in so many. */
const inputs = campaignSize('BBS_COUNT', { usual: 150, whole: 1_000 });
const signedByOtherEvery = 8;
const refusedEvery = 20;
const throughFrontEvery = 100;
const messagesMax = 60;

const seed = chooseSeed('BBS_SEED');
const random = createRandom(seed);
const other = await loadDigitalBazaar();
const engine = await createDockEngine();
after(() => engine.close());

const id = encodeUtf8(interfaceIds.plain);
const otherGenerators = other.generators(id, messagesMax + 1);

const randomBytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => random.below(256));

function randomMessage(): Uint8Array {
  if (random.chance(0.1)) return new Uint8Array(0);
  return randomBytes(random.chance(0.05) ? 2_000 + random.below(6_000) : random.below(120));
}

/** Every count occurs; small ones most often, because the other takes half a second for sixty. */
function randomInput(index: number) {
  const most = random.chance(0.08) ? messagesMax : 8;
  const count = index < messagesMax ? index + 1 : 1 + random.below(most);
  const material = randomBytes(32 + random.below(33));
  const info = random.chance(0.5) ? new Uint8Array(0) : randomBytes(random.below(50));
  const header = random.chance(0.2) ? new Uint8Array(0) : randomBytes(random.below(400));
  return { material, info, header, messages: Array.from({ length: count }, randomMessage) };
}

type Input = ReturnType<typeof randomInput>;
const ours = (messages: readonly Uint8Array[]) => messages.map((bytes) => ({ bytes }));

async function compareKeys({ material, info }: Input) {
  const secretKey = generateSecretKey(material, info) as Uint8Array;
  const scalar = other.secretKey(material, info);
  assert.equal(integerOf(secretKey), scalar);
  const publicKey = await engine.publicKeyOf(secretKey);
  assert.deepEqual(publicKey, new Uint8Array(other.publicKey(scalar)));
  return { secretKey, scalar, publicKey };
}

function compareHashes({ header, messages }: Input, publicKey: Uint8Array): void {
  const scalars = messages.map((bytes) => messageScalar('plain', { bytes }));
  assert.deepEqual(scalars, other.messageScalars(messages, id));
  assert.equal(hashToScalar(header, publicKey), other.hashToScalar(header, publicKey));
  const statement = { interface: 'plain', publicKey, header } as const;
  const domain = calculateDomain(statement, createGenerators('plain', messages.length));
  assert.equal(domain, other.domain(otherGenerators, id, { publicKey, header, messages }));
}

async function compareSignatures(input: Input, keys: Awaited<ReturnType<typeof compareKeys>>, index: number) {
  const { header, messages } = input;
  const { secretKey, publicKey, scalar } = keys;
  const shared = { publicKey, header, messages };
  const order = { interface: 'plain', publicKey, header, messages: ours(messages) } as const;
  const signature = await engine.sign({ ...order, secretKey });
  assert.equal(other.verifyWith(otherGenerators, id, { ...shared, signature }), true);
  assert.equal(await engine.verifySignature({ ...order, signature }), true);
  if (index % signedByOtherEvery === 0) {
    const theirs = new Uint8Array(other.signWith(otherGenerators, id, { ...shared, secretKey: scalar }));
    assert.equal(await engine.verifySignature({ ...order, signature: theirs }), true);
  }
  if (index % refusedEvery === 0) {
    const wrong = messages.with(random.below(messages.length), randomBytes(33));
    assert.equal(other.verifyWith(otherGenerators, id, { ...shared, messages: wrong, signature }), false);
    assert.equal(await engine.verifySignature({ ...order, messages: ours(wrong), signature }), false);
  }
  if (index % throughFrontEvery === 0) {
    assert.equal(await other.verify({ ...shared, signature }), true);
    const theirs = new Uint8Array(await other.sign({ ...shared, secretKey }));
    assert.equal(await engine.verifySignature({ ...order, signature: theirs }), true);
  }
}

test('the generators are the same', () => {
  const theirs = otherGenerators.map((point) => encodeHex(point.toRawBytes(true)));
  assert.deepEqual(createGenerators('plain', messagesMax).map(encodeHex), theirs);
});

test(`${inputs} random inputs: keys, hashes, domains and signatures agree both ways`, async (context) => {
  context.diagnostic(`BBS_SEED=${seed}`);
  for (let index = 0; index < inputs; index++) {
    const input = randomInput(index);
    const keys = await compareKeys(input);
    compareHashes(input, keys.publicKey);
    await compareSignatures(input, keys, index);
  }
});
