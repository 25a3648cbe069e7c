/** What one engine makes the other takes, both ways, for every kind of statement; and both refuse the same. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { bbsLimits } from '@symbolon/core/limits/documents';
import type {
  BbsMessage,
  DeriveOrder,
  ProofEngine,
  ProofStatement,
} from '@symbolon/core/proofs/proof-engine';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import {
  birthDate,
  bulletproofs,
  type CommittedWorld,
  commitWorld,
  deriveOrder,
  makeProofWorld,
  proofOrder,
  secretKeyOf,
} from '@symbolon/sdk/proofs/testing/proof-world';
import { createNativeEngine } from './native-engine.ts';

const years = { index: birthDate, min: 32_000n, max: 80_000n };
const wide = { index: 6, min: 1n, max: 2n ** 40n };
const edges = [
  { index: birthDate, min: 80_000n, max: 80_000n },
  { index: 4, min: 0n, max: 0n },
  { index: 5, min: bbsLimits.integerMax, max: bbsLimits.boundMax },
  { index: 6, min: 0n, max: bbsLimits.boundMax },
];

type Case = readonly [name: string, changes: (world: CommittedWorld) => Partial<ProofStatement>];

const cases: readonly Case[] = [
  ['some messages revealed', () => ({})],
  [
    'none revealed, no nonce, no context',
    () => ({ revealed: [], nonce: new Uint8Array(0), context: new Uint8Array(0) }),
  ],
  [
    'all revealed',
    ({ order }) => ({ revealed: order.messages.map((message, index) => ({ index, message })) }),
  ],
  ['a commitment', ({ commitment }) => ({ commitment })],
  ['a commitment, nothing revealed', ({ commitment }) => ({ commitment, revealed: [] })],
  ['one range by Bulletproofs++', () => ({ ranges: [years] })],
  [
    'two ranges by Bulletproofs++ and a commitment',
    ({ commitment }) => ({ ranges: [wide, years], commitment }),
  ],
  [
    'a narrow range by set membership',
    ({ setMembership }) => ({ ranges: [years], rangeParameters: setMembership }),
  ],
  [
    'a wide range by set membership',
    ({ setMembership }) => ({ ranges: [wide], rangeParameters: setMembership }),
  ],
  [
    'ranges at their edges by set membership, and a commitment',
    ({ setMembership, commitment }) => ({ ranges: edges, rangeParameters: setMembership, commitment }),
  ],
];

describe('the engines on WebAssembly and on the compiled library', () => {
  let wasm: ProofEngine;
  let native: ProofEngine;
  /** Signatures, commitments and parameters of each engine. */
  let worlds: readonly CommittedWorld[];
  before(async () => {
    [wasm, native] = [await createDockEngine(), await createNativeEngine()];
    worlds = [await commitWorld(await makeProofWorld(wasm)), await commitWorld(await makeProofWorld(native))];
  });
  after(() => Promise.all([wasm.close(), native.close()]));

  const eachWay = (): readonly [from: CommittedWorld, to: ProofEngine][] => [
    [worlds[0], native],
    [worlds[1], wasm],
  ];

  test('make the same public keys and commitments, and take signatures of each other', async () => {
    for (const seed of [1, 2, 255]) {
      const secretKey = secretKeyOf(seed);
      assert.deepEqual(await native.publicKeyOf(secretKey), await wasm.publicKeyOf(secretKey));
    }
    assert.deepEqual(worlds[0].commitment, worlds[1].commitment);
    for (const [{ order, signature }, to] of eachWay()) {
      assert.equal(await to.verifySignature({ ...order, signature }), true);
      assert.equal(await to.verifySignature({ ...order, header: encodeUtf8('{}'), signature }), false);
    }
  });

  test('agree on plain messages, one or as many as there may be', async () => {
    for (const count of [1, bbsLimits.messagesMax]) {
      const messages: BbsMessage[] = Array.from({ length: count }, (_, index) => ({
        bytes: encodeUtf8(`${index}`),
      }));
      for (const [from, to] of eachWay()) {
        const order = { ...from.order, interface: 'plain' as const, messages };
        const signature = await from.engine.sign(order);
        assert.equal(await to.verifySignature({ ...order, signature }), true);
        const asked: DeriveOrder = {
          ...deriveOrder(from, { interface: 'plain', messageCount: count, revealed: [] }),
          messages,
          signature,
        };
        assert.equal(await to.verifyProof(proofOrder(asked, await from.engine.derive(asked))), true);
      }
    }
  });

  for (const [name, changes] of cases) {
    test(`prove to each other: ${name}`, async () => {
      for (const [from, to] of eachWay()) {
        const asked = deriveOrder(from, { rangeParameters: bulletproofs, ...changes(from) });
        const proof = await from.engine.derive(asked);
        assert.equal(await to.verifyProof(proofOrder(asked, proof)), true);
        const other = proofOrder(asked, proof, { nonce: Uint8Array.of(1) });
        assert.equal(await to.verifyProof(other), false);
      }
    });
  }

  test('refuse the same damage', async () => {
    for (const [from] of eachWay()) {
      const asked = deriveOrder(from, { commitment: from.commitment });
      const proof = await from.engine.derive(asked);
      for (let position = 9; position < proof.length; position += 37) {
        const damaged = proof.slice();
        damaged[position] ^= 4;
        const order = proofOrder(asked, damaged);
        assert.equal(await native.verifyProof(order), false, `byte ${position}`);
        assert.equal(await wasm.verifyProof(order), false, `byte ${position}`);
      }
    }
  });
});
