/**
 * What every engine must do with proofs by the draft's own `ProofGen`: the draft's vectors, and what a forger would try.
 * Part of the suite of `proof-engine.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { bbsLimits } from '@symbolon/core/limits/documents';
import {
  type PlainDeriveOrder,
  type PlainProofOrder,
  type ProofEngine,
  ProofEngineError,
} from '@symbolon/core/proofs/proof-engine';
import { integerBytes } from '@symbolon/core/proofs/scalars';
import { pointBytes, scalarBytes } from '@symbolon/core/proofs/sizes';
import { basePointG1, groupOrder } from '@symbolon/core/proofs/suite';
import { pointOutsideOfGroup } from '@symbolon/core/proofs/testing/draft-inputs';
import { type ProofWorld, secretKeyOf } from './testing/proof-world.ts';

interface PlainVectors {
  readonly publicKey: string;
  readonly header: string;
  readonly presentationHeader: string;
  readonly randomSeed: string;
  readonly randomTag: string;
  readonly cases: readonly ({
    readonly fixture: string;
    readonly name: string;
    readonly shown: Readonly<Record<string, string>>;
    readonly proof: string;
    readonly valid: boolean;
    readonly messages?: readonly string[];
    readonly signature?: string;
  } & Partial<Pick<PlainVectors, 'publicKey' | 'header' | 'presentationHeader'>>)[];
}

export const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

const vectorsFile = new URL('../../../core/vectors/plain-proofs.json', import.meta.url);
export const plainVectors = JSON.parse(readFileSync(vectorsFile, 'utf8')) as PlainVectors;

export const vectorOrder = (one: PlainVectors['cases'][number]): PlainProofOrder => ({
  publicKey: bytesOf(one.publicKey ?? plainVectors.publicKey),
  header: bytesOf(one.header ?? plainVectors.header),
  presentationHeader: bytesOf(one.presentationHeader ?? plainVectors.presentationHeader),
  revealed: Object.entries(one.shown).map(([index, message]) => ({
    index: Number(index),
    message: bytesOf(message),
  })),
  proof: bytesOf(one.proof),
});

const refused = (error: unknown) => error instanceof ProofEngineError && error.code === 'invalidInput';

const written = (bytes: Uint8Array, offset: number, part: Uint8Array): Uint8Array => {
  const copy = bytes.slice();
  copy.set(part, offset);
  return copy;
};

/** A signature over twelve messages, and the order to show three of them. */
export async function plainOrder(engine: ProofEngine, messageCount = 12): Promise<PlainDeriveOrder> {
  const secretKey = secretKeyOf(3);
  const publicKey = await engine.publicKeyOf(secretKey);
  const header = encodeUtf8('a header');
  const messages = Array.from({ length: messageCount }, (_, index) => encodeUtf8(`message ${index}`));
  const signature = await engine.sign({
    interface: 'plain',
    publicKey,
    header,
    secretKey,
    messages: messages.map((bytes) => ({ bytes })),
  });
  const presentationHeader = encodeUtf8('a nonce');
  return { publicKey, header, presentationHeader, messages, signature, revealed: [0, 4, 11] };
}

export const plainProofOrder = (
  { messages, revealed, signature: _, ...statement }: PlainDeriveOrder,
  proof: Uint8Array,
): PlainProofOrder => ({
  ...statement,
  proof,
  revealed: revealed.map((index) => ({ index, message: messages[index] as Uint8Array })),
});

export function registerPlainProofs(get: () => ProofWorld): void {
  test('proofs of the draft verify as its vectors say', async () => {
    for (const one of plainVectors.cases) {
      const verdict = await get().engine.verifyPlain(vectorOrder(one));
      assert.equal(verdict, one.valid, `${one.fixture}: ${one.name}`);
    }
  });

  test('any choice of messages is shown; no two proofs are alike', async () => {
    const { engine } = get();
    const order = await plainOrder(engine);
    const all = [...order.messages.keys()];
    for (const revealed of [order.revealed, [], all]) {
      const asked = { ...order, revealed };
      const [first, second] = [await engine.derivePlain(asked), await engine.derivePlain(asked)];
      assert.notDeepEqual(first, second);
      assert.equal(await engine.verifyPlain(plainProofOrder(asked, first)), true);
      assert.equal(await engine.verifyPlain(plainProofOrder(asked, second)), true);
    }
  });

  registerPlainForgeries(get);
  registerPlainRefusals(get);
}

function registerPlainForgeries(get: () => ProofWorld): void {
  test('a plain proof is for its key, headers and messages and for nothing else', async () => {
    const { engine } = get();
    const order = await plainOrder(engine);
    const proof = await engine.derivePlain(order);
    const honest = plainProofOrder(order, proof);
    const { revealed } = honest;
    const lie = { index: 4, message: encodeUtf8('message 5') };
    const cases: [string, Partial<PlainProofOrder>][] = [
      ['another key', { publicKey: await engine.publicKeyOf(secretKeyOf(4)) }],
      ['a key that is no point', { publicKey: new Uint8Array(96).fill(0x8f) }],
      ['a key of nothing', { publicKey: Uint8Array.of(0xc0, ...new Uint8Array(95)) }],
      ['another header', { header: encodeUtf8('a headeR') }],
      ['no header', { header: new Uint8Array(0) }],
      ['another presentation header', { presentationHeader: encodeUtf8('another nonce') }],
      ['no presentation header', { presentationHeader: new Uint8Array(0) }],
      ['a message changed', { revealed: revealed.with(1, lie) }],
      ['a message moved', { revealed: revealed.with(1, { ...lie, index: 5 }) }],
      ['a message dropped', { revealed: revealed.slice(1) }],
      ['a message added', { revealed: [...revealed, { index: 12, message: encodeUtf8('') }] }],
    ];
    assert.equal(await engine.verifyPlain(honest), true);
    for (const [what, change] of cases)
      assert.equal(await engine.verifyPlain({ ...honest, ...change }), false, what);
    const wrong = await engine.derivePlain({ ...order, messages: order.messages.with(7, encodeUtf8('x')) });
    assert.equal(
      await engine.verifyPlain({ ...honest, proof: wrong }),
      false,
      'a message that was not signed',
    );
  });

  test('a plain proof with one bit changed anywhere is not one', async () => {
    const { engine } = get();
    const order = await plainOrder(engine);
    const proof = await engine.derivePlain(order);
    for (let position = 0; position < proof.length; position += 13) {
      const bytes = written(
        proof,
        position,
        Uint8Array.of((proof[position] as number) ^ (1 << (position % 8))),
      );
      assert.equal(await engine.verifyPlain(plainProofOrder(order, bytes)), false, `byte ${position}`);
    }
  });

  test('points that prove nothing and scalars that are none are refused', async () => {
    const { engine } = get();
    const order = await plainOrder(engine);
    const proof = await engine.derivePlain(order);
    const infinity = Uint8Array.of(0xc0, ...new Uint8Array(pointBytes - 1));
    const points = [infinity, new Uint8Array(pointBytes), pointOutsideOfGroup(), basePointG1];
    const forged = points.flatMap((point) =>
      [0, 1, 2].map((place) => written(proof, place * pointBytes, point)),
    );
    const allInfinity = [0, 1, 2].reduce(
      (bytes, place) => written(bytes, place * pointBytes, infinity),
      proof,
    );
    const scalars = (proof.length - 3 * pointBytes) / scalarBytes;
    for (let place = 0; place < scalars; place++)
      for (const scalar of [new Uint8Array(scalarBytes), integerBytes(groupOrder, scalarBytes)])
        forged.push(written(proof, 3 * pointBytes + place * scalarBytes, scalar));
    const lengths = [proof.slice(0, -1), Uint8Array.of(...proof, 0), proof.slice(0, -scalarBytes)];
    for (const [index, bytes] of [allInfinity, ...forged, ...lengths, new Uint8Array(0)].entries())
      assert.equal(await engine.verifyPlain(plainProofOrder(order, bytes)), false, `forgery ${index}`);
    assert.equal(await engine.verifyPlain(plainProofOrder(order, proof)), true);
  });
}

function registerPlainRefusals(get: () => ProofWorld): void {
  test('plain orders that make no sense are refused', async () => {
    const { engine } = get();
    const order = await plainOrder(engine);
    const proof = await engine.derivePlain(order);
    const long = new Uint8Array(bbsLimits.presentationHeaderBytesMax + 1);
    const deriving: [string, Partial<PlainDeriveOrder>][] = [
      ['no messages', { messages: [], revealed: [] }],
      ['too many messages', { messages: Array(bbsLimits.messagesMax + 1).fill(new Uint8Array(1)) }],
      ['no such message', { revealed: [12] }],
      ['not ascending', { revealed: [4, 0] }],
      ['twice', { revealed: [4, 4] }],
      ['half an index', { revealed: [0.5] }],
      ['a long presentation header', { presentationHeader: long }],
      ['no signature', { signature: new Uint8Array(80) }],
      ['a short key', { publicKey: order.publicKey.slice(1) }],
    ];
    for (const [what, change] of deriving)
      await assert.rejects(engine.derivePlain({ ...order, ...change }), refused, what);
    const honest = plainProofOrder(order, proof);
    const verifying: [string, Partial<PlainProofOrder>][] = [
      ['not ascending', { revealed: honest.revealed.toReversed() }],
      ['no such index', { revealed: [{ index: -1, message: new Uint8Array(0) }] }],
      ['a long presentation header', { presentationHeader: long }],
    ];
    for (const [what, change] of verifying)
      await assert.rejects(engine.verifyPlain({ ...honest, ...change }), refused, what);
  });
}
