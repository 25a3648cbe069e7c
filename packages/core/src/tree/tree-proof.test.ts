import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashInto } from '@chainsafe/hashtree';
import fc from 'fast-check';
import { MerkleTree } from './merkle-tree.ts';
import { bytesFrom, hexOf, MemoryRows, readVectors, sha256 } from './naive-model.test.ts';
import { leafHash, leafTag } from './tree-hash.ts';
import {
  decodeTreeProof,
  encodeTreeProof,
  type TreeProof,
  verifyAbsence,
  verifyInclusion,
} from './tree-proof.ts';

const hashOf = (text: string): Uint8Array => sha256(Buffer.from(text));
const valueHashOf = (index: number): Uint8Array => hashOf(`value ${index}`);
const zeros = new Uint8Array(32);

/** Half of the keys share a prefix of 12 bits, so that proofs have empty siblings too. */
const keyOf = (index: number): Uint8Array => {
  const key = hexOf(hashOf(`key ${index}`));
  return bytesFrom(index % 2 === 0 ? key : `abc${key.slice(3)}`);
};

async function treeOf(count: number, bucketLeavesMax: number): Promise<MerkleTree> {
  const rows = new MemoryRows();
  const building = new MerkleTree(rows, hashInto, { bucketLeavesMax });
  await building.load([]);
  const changes = Array.from({ length: count }, (_, index) => ({
    key: keyOf(index),
    valueHash: valueHashOf(index),
  }));
  rows.write(building.update(changes));
  return new MerkleTree(rows, hashInto, { bucketLeavesMax });
}

function throughBytes(proof: TreeProof): TreeProof {
  const decoded = decodeTreeProof(encodeTreeProof(proof));
  assert.deepEqual(decoded, proof);
  return proof;
}

describe('a proof', () => {
  test('shows for every key that it is there, or that it is not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(80),
        fc.constantFrom(1, 3, 48),
        fc.nat(160),
        async (count, bucketLeavesMax, index) => {
          const key = keyOf(index);
          const valueHash = valueHashOf(index);
          const { root, proof } = await (await treeOf(count, bucketLeavesMax)).loadAndProve(key);
          throughBytes(proof);
          assert.equal(verifyInclusion(root, key, valueHash, proof, sha256), index < count);
          assert.equal(verifyAbsence(root, key, proof, sha256), index >= count);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('works beside keys that were removed, whose pages stay', async () => {
    const rows = new MemoryRows();
    const changes = Array.from({ length: 60 }, (_, index) => ({
      key: keyOf(index),
      valueHash: valueHashOf(index),
    }));
    const building = new MerkleTree(rows, hashInto, { bucketLeavesMax: 2 });
    await building.load([]);
    const grown = building.update(changes);
    rows.write(grown);
    building.commit(grown);
    const shrunk = building.update(changes.slice(1).map(({ key }) => ({ key, valueHash: undefined })));
    rows.write(shrunk);
    assert.deepEqual(shrunk.root, leafHash(keyOf(0), valueHashOf(0), sha256));
    const tree = new MerkleTree(rows, hashInto, { bucketLeavesMax: 2 });
    for (let index = 0; index < 60; index++) {
      const { root, proof } = await tree.loadAndProve(keyOf(index));
      assert.equal(proof.siblings.length, 0);
      assert.equal(verifyInclusion(root, keyOf(index), valueHashOf(index), proof, sha256), index === 0);
      assert.equal(verifyAbsence(root, keyOf(index), proof, sha256), index !== 0);
    }
  });

  test('holds for the fixed vectors, byte for byte', async () => {
    const { roots, proofs } = readVectors();
    for (const { name, root, key, valueHash, proof } of proofs) {
      const decoded = decodeTreeProof(bytesFrom(proof));
      assert.ok(decoded, name);
      const tree = new MerkleTree(new MemoryRows(), hashInto);
      await tree.load([]);
      const { leaves } = roots.find((set) => set.root === root)!;
      tree.commit(
        tree.update(
          leaves.map((leaf) => ({ key: bytesFrom(leaf.key), valueHash: bytesFrom(leaf.valueHash) })),
        ),
      );
      assert.equal(hexOf(encodeTreeProof(tree.prove(bytesFrom(key)))), proof, name);
      const isIncluded =
        valueHash !== null &&
        verifyInclusion(bytesFrom(root), bytesFrom(key), bytesFrom(valueHash), decoded, sha256);
      const isAbsent = verifyAbsence(bytesFrom(root), bytesFrom(key), decoded, sha256);
      assert.deepEqual([isIncluded, isAbsent], [valueHash !== null, valueHash === null], name);
    }
  });

  test('is one byte of kind and two of levels in an empty tree', async () => {
    const { root, proof } = await (await treeOf(0, 48)).loadAndProve(keyOf(0));
    assert.deepEqual(encodeTreeProof(proof), Uint8Array.of(2, 0, 0));
    assert.ok(verifyAbsence(root, keyOf(0), proof, sha256));
    assert.equal(verifyInclusion(root, keyOf(0), zeros, proof, sha256), false);
  });
});

describe('bytes are refused', () => {
  test('if any bit of a proof is changed: they do not decode, or prove nothing', async () => {
    const tree = await treeOf(60, 5);
    const indexes = [0, 1, 2, 61, 62, 63, 65];
    const keys = indexes.map(keyOf);
    await tree.load(keys);
    fc.assert(
      fc.property(fc.nat(keys.length - 1), fc.nat(), (which, seed) => {
        const encoded = encodeTreeProof(tree.prove(keys[which]));
        const bit = seed % (encoded.length * 8);
        encoded[bit >> 3] ^= 0x80 >> (bit & 7);
        const proof = decodeTreeProof(encoded);
        if (proof === undefined) return;
        assert.equal(
          verifyInclusion(tree.root(), keys[which], valueHashOf(indexes[which]), proof, sha256),
          false,
        );
        assert.equal(verifyAbsence(tree.root(), keys[which], proof, sha256), false);
      }),
      { numRuns: 2000 },
    );
  });

  test('if they are cut, longer, or not a proof at all', async () => {
    const tree = await treeOf(60, 48);
    for (const key of [keyOf(0), keyOf(61), keyOf(62)]) {
      const encoded = encodeTreeProof((await tree.loadAndProve(key)).proof);
      for (let length = 0; length < encoded.length; length++) {
        assert.equal(decodeTreeProof(encoded.subarray(0, length)), undefined);
      }
      for (const extra of [1, 32, 64]) {
        assert.equal(decodeTreeProof(Buffer.concat([encoded, new Uint8Array(extra).fill(7)])), undefined);
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const proof = decodeTreeProof(bytes);
        if (proof !== undefined) assert.deepEqual(encodeTreeProof(proof), bytes);
      }),
    );
  });

  test('if another encoding says the same', () => {
    const sibling = hashOf('sibling');
    const cases: [string, number[]][] = [
      ['more than 256 levels', [1, 1, 1, ...new Uint8Array(32), 0x80, ...sibling]],
      ['a bit beyond the last level', [1, 0, 1, 0xc0, ...sibling, ...sibling]],
      ['an empty sibling written out', [1, 0, 1, 0x80, ...zeros]],
      ['an empty sibling at the deepest level', [1, 0, 2, 0x80, ...sibling]],
      ['an unknown kind', [4, 0, 1, 0x80, ...sibling]],
      ['no kind', [0, 0, 1, 0x80, ...sibling]],
      ['half a leaf', [3, 0, 0, ...sibling]],
      ['a leaf too many', [2, 0, 0, ...sibling, ...sibling]],
    ];
    for (const [name, bytes] of cases) assert.equal(decodeTreeProof(Uint8Array.from(bytes)), undefined, name);
    assert.ok(decodeTreeProof(Uint8Array.from([1, 0, 1, 0x80, ...sibling])));
  });
});

describe('a forged proof does not verify', () => {
  test('with another value, key, root or kind', async () => {
    const { root, proof } = await (await treeOf(60, 48)).loadAndProve(keyOf(3));
    const verify = (
      { atRoot = root, key = keyOf(3), valueHash = valueHashOf(3) },
      given: TreeProof = proof,
    ): boolean => verifyInclusion(atRoot, key, valueHash, given, sha256);
    assert.ok(verify({}));
    assert.equal(verify({ valueHash: valueHashOf(4) }), false);
    assert.equal(verify({ key: keyOf(4) }), false);
    assert.equal(verify({ atRoot: hashOf('root') }), false);
    assert.equal(verify({ atRoot: root.subarray(1) }), false);
    assert.equal(verify({ key: keyOf(3).subarray(1) }), false);
    assert.equal(verify({ valueHash: new Uint8Array(33) }), false);
    assert.equal(verify({}, { ...proof, kind: 'absent', other: undefined }), false);
    assert.equal(verify({}, { ...proof, siblings: proof.siblings.slice(1) }), false);
    assert.equal(verify({}, { ...proof, siblings: [...proof.siblings, zeros] }), false);
    assert.equal(
      verify({}, { ...proof, siblings: proof.siblings.map((sibling) => sibling.subarray(1)) }),
      false,
    );
  });

  test('of absence for a key that is there', async () => {
    const { root, proof } = await (await treeOf(60, 48)).loadAndProve(keyOf(3));
    const { siblings } = proof;
    const own = { key: keyOf(3), valueHash: valueHashOf(3) };
    assert.equal(verifyAbsence(root, keyOf(3), { kind: 'absent', siblings, other: own }, sha256), false);
    assert.equal(
      verifyAbsence(root, keyOf(3), { kind: 'absent', siblings, other: undefined }, sha256),
      false,
    );
    assert.equal(verifyAbsence(root, keyOf(3), proof, sha256), false);
  });

  test('of absence with a real leaf that stands on another path', async () => {
    const tree = await treeOf(60, 48);
    await tree.load([keyOf(3), keyOf(4)]);
    const { siblings } = tree.prove(keyOf(3));
    const other = { key: keyOf(3), valueHash: valueHashOf(3) };
    assert.equal(verifyAbsence(tree.root(), keyOf(4), { kind: 'absent', siblings, other }, sha256), false);
    const malformed = { key: keyOf(3).subarray(1), valueHash: valueHashOf(3) };
    assert.equal(
      verifyAbsence(tree.root(), keyOf(4), { kind: 'absent', siblings, other: malformed }, sha256),
      false,
    );
  });

  test('with more siblings than a key has bits', () => {
    const siblings = Array.from({ length: 257 }, () => hashOf('sibling'));
    assert.equal(verifyInclusion(zeros, zeros, zeros, { kind: 'included', siblings }, sha256), false);
    assert.throws(() => encodeTreeProof({ kind: 'included', siblings }));
  });

  test('that reads a leaf as an inner node', () => {
    // A leaf whose key and value hash are chosen so that its inner digest is the leaf hash of another key.
    const key = bytesFrom(`00${hexOf(hashOf('victim')).slice(2)}`);
    const valueHash = hashOf('forged value');
    const real = { key: sha256(Buffer.concat([key, valueHash])), valueHash: leafTag };
    const root = leafHash(real.key, real.valueHash, sha256);
    assert.deepEqual(sha256(Buffer.concat([leafHash(key, valueHash, sha256), leafTag])), root);
    assert.equal(
      verifyInclusion(root, key, valueHash, { kind: 'included', siblings: [leafTag] }, sha256),
      false,
    );
  });
});
