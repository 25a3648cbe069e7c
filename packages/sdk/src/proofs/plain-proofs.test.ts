import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadDigitalBazaar } from '@symbolon/core/proofs/testing/digital-bazaar';
import { seededScalars } from '@symbolon/core/proofs/testing/draft-inputs';
import fc from 'fast-check';
import { createDockEngine } from './dock-engine.ts';
import { loadDockLibrary } from './dock-library.ts';
import { derivePlainProof } from './plain-proof-library.ts';
import {
  bytesOf,
  plainOrder,
  plainProofOrder,
  plainVectors,
  vectorOrder,
} from './plain-proofs.conformance.ts';

const engine = await createDockEngine();
after(() => engine.close());

const drawn = (count: number): bigint[] =>
  seededScalars(bytesOf(plainVectors.randomSeed), bytesOf(plainVectors.randomTag), count);

test('with the random numbers of the draft, a proof is byte for byte the one of its vectors', async () => {
  const { dock } = await loadDockLibrary();
  const made = plainVectors.cases.filter(({ valid }) => valid);
  assert.equal(made.length, 5);
  for (const one of made) {
    const { revealed, proof, ...statement } = vectorOrder(one);
    const messages = (one.messages as string[]).map(bytesOf);
    const order = {
      ...statement,
      messages,
      signature: bytesOf(one.signature as string),
      revealed: revealed.map(({ index }) => index),
    };
    assert.deepEqual(derivePlainProof(dock, order, drawn), proof, one.fixture);
  }
});

test('what one implementation proves the other verifies, both ways, for random messages', async () => {
  const other = await loadDigitalBazaar();
  const someBytes = fc.uint8Array({ maxLength: 80 });
  const property = fc.asyncProperty(
    fc.array(fc.tuple(someBytes, fc.boolean()), { minLength: 1, maxLength: 6 }),
    someBytes,
    someBytes,
    fc.boolean(),
    async (choices, header, presentationHeader, isChanged) => {
      const { publicKey, secretKey } = await other.keyPair(new Uint8Array(32).fill(6));
      const messages = choices.map(([message]) => message);
      const revealed = choices.flatMap(([, isShown], index) => (isShown ? [index] : []));
      const statement = { publicKey, header, messages };
      const signature = await engine.sign({
        ...statement,
        interface: 'plain',
        secretKey: new Uint8Array(secretKey),
        messages: messages.map((bytes) => ({ bytes })),
      });
      const order = { ...statement, presentationHeader, signature, revealed };
      for (const proof of [await engine.derivePlain(order), await other.derivePlain(order)]) {
        const asked = plainProofOrder(order, new Uint8Array(proof));
        const judged = isChanged ? { ...asked, header: Uint8Array.of(...header, 1) } : asked;
        assert.equal(await engine.verifyPlain(judged), !isChanged);
        assert.equal(await other.verifyPlain(judged), !isChanged);
      }
    },
  );
  await fc.assert(property, { numRuns: 6 });
});

test('the engine survives a hundred forgeries', async () => {
  const order = await plainOrder(engine, 3);
  const asked = { ...order, revealed: [1] };
  const proof = await engine.derivePlain(asked);
  const property = fc.asyncProperty(fc.nat(proof.length - 1), fc.nat(254), async (position, change) => {
    const forged = proof.slice();
    forged[position] = (forged[position] as number) ^ (change + 1);
    assert.equal(await engine.verifyPlain(plainProofOrder(asked, forged)), false);
  });
  await fc.assert(property, { numRuns: 100 });
  assert.equal(engine.isBroken, false);
  assert.equal(await engine.verifyPlain(plainProofOrder(asked, proof)), true);
});
