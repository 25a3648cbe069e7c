/**
 * What a commitment on the ledger must make of proofs, in every ProofEngine: contents that were committed to are proved
 * however little is shown, and nothing else is, not even by whoever has the issuer's secret key and knows the salt.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import {
  type BbsMessage,
  type DeriveOrder,
  ProofEngineError,
  type ProofStatement,
} from '@symbolon/core/proofs/proof-engine';
import {
  birthDate,
  type CommittedWorld,
  commitWorld,
  deriveOrder,
  type ProofWorld,
  proofOrder,
  saltOf,
  secretKeyOf,
} from './testing/proof-world.ts';

export function registerCommitments(get: () => ProofWorld): void {
  let world: CommittedWorld;
  before(async () => {
    world = await commitWorld(get());
  });

  const asked = (changes: Partial<ProofStatement> = {}): DeriveOrder =>
    deriveOrder(world, { commitment: world.commitment, ...changes });

  /** Whether a proof of other contents passes as one of what was recorded. */
  async function passes(
    changes: Partial<DeriveOrder>,
    shown: Partial<ProofStatement> = {},
  ): Promise<boolean> {
    const { engine, order } = world;
    const messages = changes.messages ?? order.messages;
    const header = changes.header ?? order.header;
    const signature = await engine.sign({ ...order, messages, header });
    const revealed = asked().revealed.map(({ index }) => ({ index, message: messages[index] }));
    const forged = { ...asked({ header, revealed, ...shown }), messages, signature };
    const proof = await engine.derive(forged);
    return engine.verifyProof(proofOrder(forged, proof));
  }

  test('a commitment is proved with nothing, something, or all but the salt revealed, and with ranges', async () => {
    const { engine, order } = world;
    const all = order.messages.slice(0, -1).map((message, index) => ({ index, message }));
    const ranges = [{ index: birthDate, min: 32_000n, max: 80_000n }];
    const cases: readonly Partial<ProofStatement>[] = [
      {},
      { revealed: [] },
      { revealed: all },
      { ranges },
      { ranges: [...ranges, { index: 6, min: 1n, max: 2n ** 40n }], rangeParameters: world.setMembership },
    ];
    for (const [index, changes] of cases.entries()) {
      const order = asked(changes);
      const proof = await engine.derive(order);
      assert.equal(await engine.verifyProof(proofOrder(order, proof)), true, `case ${index}`);
    }
  });

  test('whoever has the secret key proves nothing but what was committed to', async () => {
    const { messages } = world.order;
    const other: BbsMessage = { bytes: encodeUtf8('attribute2: other') };
    assert.equal(await passes({}), true, 'the same contents signed again are the same contents');
    const cases: readonly [string, Partial<DeriveOrder>][] = [
      ['a hidden text', { messages: messages.with(2, other) }],
      ['a hidden integer', { messages: messages.with(birthDate, { integer: 70_000n }) }],
      ['a revealed text', { messages: messages.with(0, other) }],
      ['hidden texts swapped', { messages: messages.with(2, messages[7]).with(7, messages[2]) }],
      [
        'a hidden and a revealed text swapped',
        { messages: messages.with(0, messages[2]).with(2, messages[0]) },
      ],
      ['another salt', { messages: messages.with(-1, saltOf('two')) }],
      ['another holder', { header: encodeUtf8('{"id":"did:zid:1","holder":"did:zid:666"}') }],
    ];
    for (const [what, changes] of cases) assert.equal(await passes(changes), false, what);
    const ranges = [{ index: birthDate, min: 0n, max: 75_000n }];
    const younger = { messages: messages.with(birthDate, { integer: 70_000n }) };
    assert.equal(await passes(younger, { ranges, rangeParameters: world.setMembership }), false, 'a range');
  });

  test('another commitment, none, or something that is none', async () => {
    const { engine, order, commitment } = world;
    const proof = await engine.derive(asked());
    const another = await engine.commit({ ...order, messages: order.messages.with(-1, saltOf('two')) });
    assert.notDeepEqual(another, commitment);
    const cases: readonly [string, Uint8Array | undefined][] = [
      ['with another salt', another],
      ['none', undefined],
      ['the point at infinity', Uint8Array.of(0xc0, ...new Uint8Array(47))],
      ['no point', new Uint8Array(48).fill(0x8b)],
      ['its negative', Uint8Array.of(commitment[0] ^ 0x20, ...commitment.subarray(1))],
    ];
    for (const [what, given] of cases)
      assert.equal(await engine.verifyProof(proofOrder(asked(), proof, { commitment: given })), false, what);
    const unbound = await engine.derive(asked({ commitment: undefined }));
    assert.equal(await engine.verifyProof(proofOrder(asked(), unbound)), false, 'a proof without one');
  });

  test('a key of somebody else over the committed contents', async () => {
    const { engine, order } = world;
    const secretKey = secretKeyOf(7);
    const publicKey = await engine.publicKeyOf(secretKey);
    const signature = await engine.sign({ ...order, secretKey, publicKey });
    const forged = { ...asked(), signature, publicKey };
    const proof = await engine.derive(forged);
    assert.equal(await engine.verifyProof(proofOrder(forged, proof)), true, 'it is what it is');
    assert.equal(await engine.verifyProof(proofOrder(asked(), proof)), false, 'and not by this issuer');
  });

  test('the salt is never revealed, and only typed messages are committed to', async () => {
    const { engine, order } = world;
    const isRefused = (error: unknown) => error instanceof ProofEngineError && error.code === 'invalidInput';
    const last = order.messages.length - 1;
    const revealed = [{ index: last, message: order.messages[last] }];
    await assert.rejects(engine.derive(asked({ revealed })), isRefused);
    await assert.rejects(engine.derive(asked({ commitment: new Uint8Array(47) })), isRefused);
    await assert.rejects(engine.commit({ header: order.header, messages: [] }), isRefused);
    const plain = { ...asked(), interface: 'plain' as const };
    await assert.rejects(engine.verifyProof(proofOrder(plain, new Uint8Array(750))), isRefused);
  });
}
