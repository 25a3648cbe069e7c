import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashInto } from '@chainsafe/hashtree';
import fc from 'fast-check';
import { type Leaf, MerkleTree, TreeCache, type TreeReader } from './merkle-tree.ts';
import { hexOf, MemoryRows, naiveRoot, sha256 } from './naive-model.test.ts';
import { verifyAbsence, verifyInclusion } from './tree-proof.ts';

const hashOf = (text: string): Uint8Array => sha256(Buffer.from(text));
const keyOf = (index: number): Uint8Array => hashOf(`key ${index}`);

/** Rows that take their time: the answer is of the moment before, or after, a few turns of the event loop. */
class SlowRows implements TreeReader {
  readonly #rows: MemoryRows;
  #turn = 0;

  constructor(rows: MemoryRows) {
    this.#rows = rows;
  }

  nodes(paths: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return this.#slowly(() => this.#rows.nodes(paths));
  }

  leaves(paths: readonly string[]): Promise<Leaf[][]> {
    return this.#slowly(() => this.#rows.leaves(paths));
  }

  async #slowly<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#turn++;
    if (turn % 3 === 0) {
      await pause(turn % 4);
      return read();
    }
    const answer = await read();
    await pause(turn % 5);
    return answer;
  }
}

async function pause(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Writes a block as a node does: update, wait for the disk, then rows and tree of the new state in one step. */
async function writeBlock({ tree, rows, block }: { tree: MerkleTree; rows: MemoryRows; block: number }) {
  const changes = Array.from({ length: 12 }, (_, index) => ({
    key: keyOf((block * 7 + index * 5) % 80),
    valueHash: (block + index) % 4 === 0 ? undefined : hashOf(`block ${block}`),
  }));
  const update = await tree.loadAndUpdate(changes);
  await pause(2);
  rows.write(update);
  tree.commit(update);
  return update.root;
}

describe('proofs beside blocks', () => {
  test('are each of one committed state, whatever overtakes whatever and however small the cache is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12_000), fc.integer({ min: 1, max: 20 }), async (bytesMax, bucketLeavesMax) => {
        const rows = new MemoryRows();
        const cache = new TreeCache(bytesMax);
        const tree = new MerkleTree(new SlowRows(rows), hashInto, { cache, bucketLeavesMax });
        const states = new Map<string, Map<string, Uint8Array>>([[hexOf(new Uint8Array(32)), new Map()]]);
        let isWriting = true;
        const prove = async (start: number): Promise<void> => {
          for (let index = start; isWriting; index += 3) {
            const key = keyOf(index % 100);
            const { root, proof } = await tree.loadAndProve(key);
            const valueHash = states.get(hexOf(root))?.get(hexOf(key));
            assert.ok(states.has(hexOf(root)), 'the root is a committed one');
            if (valueHash) assert.ok(verifyInclusion(root, key, valueHash, proof, sha256));
            else assert.ok(verifyAbsence(root, key, proof, sha256));
            await pause(1);
          }
        };
        const provers = [0, 1, 2].map(prove);
        for (let block = 0; block < 8; block++) {
          const root = await writeBlock({ tree, rows, block });
          states.set(hexOf(root), new Map(rows.values));
          assert.equal(hexOf(root), hexOf(naiveRoot(rows.values)));
        }
        isWriting = false;
        await Promise.all(provers);
        assert.ok(cache.bytes <= bytesMax || bytesMax < 2_000);
      }),
      { numRuns: 25 },
    );
  });

  test('do not let the cache grow where no block comes', async () => {
    const rows = new MemoryRows();
    const building = new MerkleTree(rows, hashInto);
    rows.write(
      await building.loadAndUpdate(
        Array.from({ length: 400 }, (_, index) => ({ key: keyOf(index), valueHash: keyOf(index) })),
      ),
    );
    const cache = new TreeCache(20_000);
    const tree = new MerkleTree(rows, hashInto, { cache });
    for (let index = 0; index < 400; index++) {
      const { root, proof } = await tree.loadAndProve(keyOf(index));
      assert.ok(verifyInclusion(root, keyOf(index), keyOf(index), proof, sha256));
      assert.ok(cache.bytes <= 20_000);
    }
  });
});

describe('trimming', () => {
  test('keeps what is used and drops what is not', async () => {
    const cache = new TreeCache(6_000);
    const treeNamed = (namespace: string): { tree: MerkleTree; rows: MemoryRows } => {
      const rows = new MemoryRows();
      return { rows, tree: new MerkleTree(rows, hashInto, { cache, namespace }) };
    };
    const change = { key: keyOf(0), valueHash: keyOf(1) };
    const loved = treeNamed('loved');
    loved.rows.write(await loved.tree.loadAndUpdate([change]));
    for (let index = 0; index < 30; index++) {
      const passing = treeNamed(`passing ${index}`);
      passing.tree.commit(await passing.tree.loadAndUpdate([change]));
      await loved.tree.load([]);
    }
    assert.ok(loved.rows.reads.nodes < 8, `read ${loved.rows.reads.nodes} times`);
    assert.ok(cache.bytes <= 6_000);
    cache.trim();
    assert.ok(cache.root('loved') !== undefined);
  });

  test('empties a cache without room, and a tree is loaded again', async () => {
    const rows = new MemoryRows();
    const cache = new TreeCache(0);
    const tree = new MerkleTree(rows, hashInto, { cache });
    const update = await tree.loadAndUpdate([{ key: keyOf(0), valueHash: keyOf(1) }]);
    rows.write(update);
    tree.commit(update);
    assert.equal(cache.bytes, 0);
    assert.throws(() => tree.root());
    await tree.load([]);
    assert.deepEqual(tree.root(), update.root);
  });
});
