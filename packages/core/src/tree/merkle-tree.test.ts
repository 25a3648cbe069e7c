import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashInto } from '@chainsafe/hashtree';
import fc from 'fast-check';
import { BrokenInvariant } from '../basics/assert.ts';
import { MerkleTree, TreeCache, type TreeChange, type TreeOptions } from './merkle-tree.ts';
import {
  bytesFrom,
  hexOf,
  type Leaves,
  MemoryRows,
  naiveRoot,
  readVectors,
  sha256,
} from './naive-model.test.ts';
import { hashPairsWith } from './tree-hash.ts';

const zeros = new Uint8Array(32);
const hashOf = (text: string): Uint8Array => sha256(Buffer.from(text));

/** Keys from a small space with long common prefixes, so that batches meet and buckets split deep down. */
const keyArbitrary = fc
  .record({ prefix: fc.constantFrom('', '00000000', 'ffffffffff', '5a5a', '5a5b'), tail: fc.nat(60) })
  .map(({ prefix, tail }) => bytesFrom((prefix + hexOf(hashOf(`tail ${tail}`))).slice(0, 64)));

const changeArbitrary: fc.Arbitrary<TreeChange> = fc.record({
  key: keyArbitrary,
  valueHash: fc.option(
    fc.nat(5).map((value) => hashOf(`value ${value}`)),
    { nil: undefined, freq: 3 },
  ),
});

const batchArbitrary = fc.uniqueArray(changeArbitrary, { selector: ({ key }) => hexOf(key), maxLength: 40 });

function applyTo(model: Leaves, changes: readonly TreeChange[]): void {
  for (const { key, valueHash } of changes) {
    if (valueHash === undefined) model.delete(hexOf(key));
    else model.set(hexOf(key), valueHash);
  }
}

async function step(tree: MerkleTree, rows: MemoryRows, changes: readonly TreeChange[]): Promise<Uint8Array> {
  await tree.load(changes.map(({ key }) => key));
  const update = tree.update(changes);
  rows.write(update);
  tree.commit(update);
  return update.root;
}

const inserts = (count: number, name = 'key'): TreeChange[] =>
  Array.from({ length: count }, (_, index) => ({
    key: hashOf(`${name} ${index}`),
    valueHash: hashOf(`v${index}`),
  }));

const newTree = (rows: MemoryRows, options?: TreeOptions): MerkleTree =>
  new MerkleTree(rows, hashInto, options);

describe('the root', () => {
  test('follows the naive model through random batches, warm and after a cold start', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ batch: batchArbitrary, isCold: fc.boolean() }), { maxLength: 12 }),
        fc.constantFrom(1, 2, 5, 48),
        async (steps, bucketLeavesMax) => {
          const rows = new MemoryRows();
          const model: Leaves = new Map();
          let tree = newTree(rows, { bucketLeavesMax });
          for (const { batch, isCold } of steps) {
            if (isCold) tree = newTree(rows, { bucketLeavesMax });
            applyTo(model, batch);
            assert.equal(hexOf(await step(tree, rows, batch)), hexOf(naiveRoot(model)));
            assert.equal(hexOf(tree.root()), hexOf(naiveRoot(model)));
            assert.deepEqual(new Map([...rows.values].sort()), new Map([...model].sort()));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('stays right when the cache drops nodes after every commit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(batchArbitrary, { maxLength: 10 }),
        fc.nat(6000),
        async (batches, bytesMax) => {
          const rows = new MemoryRows();
          const model: Leaves = new Map();
          const cache = new TreeCache(bytesMax);
          const tree = newTree(rows, { cache, bucketLeavesMax: 2 });
          for (const batch of batches) {
            applyTo(model, batch);
            assert.equal(hexOf(await step(tree, rows, batch)), hexOf(naiveRoot(model)));
            assert.ok(cache.bytes <= bytesMax);
          }
        },
      ),
      { numRuns: 80 },
    );
  });

  test('depends on the set of leaves only, not on order, batches or bucket size', async () => {
    await fc.assert(
      fc.asyncProperty(batchArbitrary, fc.integer({ min: 1, max: 9 }), async (batch, size) => {
        const atOnce = await step(newTree(new MemoryRows()), new MemoryRows(), batch);
        const rows = new MemoryRows();
        const tree = newTree(rows, { bucketLeavesMax: 3 });
        const detour = inserts(30, 'detour');
        await step(tree, rows, detour);
        for (let from = batch.length; from > 0; from -= size) {
          await step(tree, rows, batch.slice(Math.max(0, from - size), from));
        }
        await step(
          tree,
          rows,
          detour.map(({ key }) => ({ key, valueHash: undefined })),
        );
        assert.equal(hexOf(tree.root()), hexOf(atOnce));
      }),
      { numRuns: 60 },
    );
  });

  test('is the same with portable hashing', async () => {
    const changes = inserts(500);
    const portable = new MerkleTree(new MemoryRows(), hashPairsWith(sha256));
    assert.equal(
      hexOf(await step(portable, new MemoryRows(), changes)),
      hexOf(await step(newTree(new MemoryRows()), new MemoryRows(), changes)),
    );
  });

  test('holds for the fixed vectors', async () => {
    for (const { name, leaves, root } of readVectors().roots) {
      for (const bucketLeavesMax of [1, 48]) {
        const changes = leaves.map(({ key, valueHash }) => ({
          key: bytesFrom(key),
          valueHash: bytesFrom(valueHash),
        }));
        const computed = await step(
          newTree(new MemoryRows(), { bucketLeavesMax }),
          new MemoryRows(),
          changes,
        );
        assert.equal(hexOf(computed), root, name);
      }
    }
  });

  test('of an empty tree is zeros, before and after a life', async () => {
    const rows = new MemoryRows();
    const tree = newTree(rows);
    await tree.load([]);
    assert.deepEqual(tree.root(), zeros);
    await step(tree, rows, inserts(1));
    assert.notDeepEqual(tree.root(), zeros);
    await step(tree, rows, [{ key: hashOf('key 0'), valueHash: undefined }]);
    assert.deepEqual(tree.root(), zeros);
    assert.equal(rows.records.size + rows.values.size, 0);
  });

  test('can branch at the last bit of a key', async () => {
    const even = bytesFrom('00'.repeat(32));
    const odd = bytesFrom(`${'00'.repeat(31)}01`);
    const rows = new MemoryRows();
    const model: Leaves = new Map();
    const tree = newTree(rows, { bucketLeavesMax: 1 });
    const changes = [even, odd].map((key) => ({ key, valueHash: hashOf('value') }));
    applyTo(model, changes);
    assert.equal(hexOf(await step(tree, rows, changes)), hexOf(naiveRoot(model)));
    const cold = newTree(rows, { bucketLeavesMax: 1 });
    await cold.load([odd]);
    assert.equal(cold.prove(odd).siblings.length, 256);
  });
});

describe('the rows', () => {
  test('of a change are its leaf and the records above it', async () => {
    const rows = new MemoryRows();
    const tree = newTree(rows);
    await step(tree, rows, inserts(3000));
    const key = hashOf('key 7');
    await tree.load([key]);
    const update = tree.update([{ key, valueHash: hashOf('other') }]);
    assert.deepEqual(update.leaves, [[key, hashOf('other')]]);
    const paths = update.nodes.map(([path]) => path).sort((a, b) => a.length - b.length);
    assert.deepEqual(
      paths,
      paths.map((_, digits) => hexOf(key).slice(0, digits)),
    );
    for (const [, record] of update.nodes) assert.equal(record?.length, 33);
  });

  test('split a bucket that grows over its maximum, once', async () => {
    const rows = new MemoryRows();
    const tree = newTree(rows, { bucketLeavesMax: 48 });
    await step(tree, rows, inserts(48));
    assert.deepEqual([...rows.records.keys()], ['']);
    await step(tree, rows, inserts(49));
    const childPaths = new Set([...rows.values.keys()].map((key) => key[0]));
    assert.deepEqual(new Set(rows.records.keys()), new Set(['', ...childPaths]));
  });

  test('split on as many levels as a common prefix needs', async () => {
    const rows = new MemoryRows();
    const tree = newTree(rows, { bucketLeavesMax: 4 });
    const model: Leaves = new Map();
    const changes = inserts(5).map(({ key, valueHash }) => ({
      key: bytesFrom(`abcdef${hexOf(key).slice(6)}`),
      valueHash,
    }));
    applyTo(model, changes);
    assert.equal(hexOf(await step(tree, rows, changes)), hexOf(naiveRoot(model)));
    for (const path of ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef'])
      assert.ok(rows.records.has(path), path);
    assert.equal(rows.records.has('b'), false);
  });

  test('stay away where a change changes nothing', async () => {
    const rows = new MemoryRows();
    const tree = newTree(rows);
    await step(tree, rows, inserts(100));
    const absent = hashOf('absent');
    await tree.load([absent, hashOf('key 1')]);
    const update = tree.update([
      { key: absent, valueHash: undefined },
      { key: hashOf('key 1'), valueHash: hashOf('v1') },
    ]);
    assert.deepEqual([update.nodes, update.leaves, update.root], [[], [], tree.root()]);
    tree.commit(update);
  });

  test('are read once a level, whatever the number of keys', async () => {
    const rows = new MemoryRows();
    await step(newTree(rows), rows, inserts(3000));
    const cold = newTree(rows);
    rows.reads.nodes = rows.reads.leaves = 0;
    await cold.load(inserts(200).map(({ key }) => key));
    assert.equal(rows.reads.nodes, 3);
    const buckets = rows.reads.leaves;
    assert.ok(buckets > 100 && buckets <= 200);
    await cold.load(inserts(200).map(({ key }) => key));
    assert.deepEqual([rows.reads.nodes, rows.reads.leaves], [3, buckets]);
  });
});

describe('a tree refuses', () => {
  const broken = { name: BrokenInvariant.name };

  test('to work before it is loaded', async () => {
    const rows = new MemoryRows();
    await step(newTree(rows), rows, inserts(100));
    const tree = newTree(rows);
    assert.throws(() => tree.root(), broken);
    assert.throws(() => tree.update([]), broken);
    await tree.load([]);
    assert.throws(() => tree.update(inserts(1)), broken);
    assert.throws(() => tree.prove(hashOf('key 0')), broken);
  });

  test('a key named twice, and keys and values that are not hashes', async () => {
    const tree = newTree(new MemoryRows());
    await tree.load([]);
    const [change] = inserts(1);
    assert.throws(() => tree.update([change, { key: change.key, valueHash: undefined }]), broken);
    assert.throws(() => tree.update([{ key: new Uint8Array(31), valueHash: zeros }]), broken);
    assert.throws(() => tree.update([{ key: zeros, valueHash: new Uint8Array(33) }]), broken);
    await assert.rejects(tree.load([new Uint8Array(33)]), broken);
  });

  test('buckets of no leaf, or of more than there is room for', async () => {
    for (const bucketLeavesMax of [0, 65])
      assert.throws(() => newTree(new MemoryRows(), { bucketLeavesMax }), broken);
    const rows = new MemoryRows();
    const tree = newTree(rows, { bucketLeavesMax: 64 });
    await step(tree, rows, inserts(64));
    assert.equal(hexOf(tree.root()), hexOf(naiveRoot(rows.values)));
    await step(newTree(rows), rows, inserts(1, 'one more'));
    assert.ok(rows.records.size > 1);
  });

  test('an update of another state, or one it has committed', async () => {
    const tree = newTree(new MemoryRows());
    await tree.load([]);
    const first = tree.update(inserts(1));
    const second = tree.update(inserts(2));
    tree.commit(first);
    assert.throws(() => tree.commit(first), broken);
    assert.throws(() => tree.commit(second), broken);
  });

  test('damaged rows', async () => {
    const fifth = hexOf(hashOf('key 5'));
    const relist = (rows: MemoryRows, change: (keys: readonly string[]) => readonly string[]): void => {
      const [path, keys] = [...rows.buckets].find(([, listed]) => listed.includes(fifth))!;
      rows.buckets.set(path, change(keys));
    };
    const loseRoot = (rows: MemoryRows): void => void rows.records.delete('');
    const damages: ((rows: MemoryRows) => void)[] = [
      (rows) => rows.values.set(hexOf(hashOf('key 5')), zeros),
      (rows) => rows.values.delete(hexOf(hashOf('key 5'))),
      (rows) => relist(rows, (keys) => keys.filter((key) => key !== fifth)),
      (rows) => relist(rows, (keys) => keys.toReversed()),
      (rows) => relist(rows, (keys) => [...keys, keys[0]]),
      (rows) => relist(rows, () => []),
      (rows) => {
        const foreign = `${fifth.slice(0, 60)}0000`;
        rows.values.set(foreign, zeros);
        relist(rows, (keys) => [...keys, foreign].sort());
      },
      (rows) => rows.records.delete(hexOf(hashOf('key 5'))[0]),
      loseRoot,
      (rows) => rows.records.set('', rows.records.get('')!.with(5, rows.records.get('')![5] ^ 1)),
      (rows) => rows.records.set('', new Uint8Array(0)),
      (rows) => rows.records.set('', rows.records.get('')!.subarray(0, 32)),
      (rows) => rows.records.set('', rows.records.get('')!.with(0, 9)),
      (rows) => rows.records.set('', rows.records.get('')!.with(0, 3)),
    ];
    for (const [index, damage] of damages.entries()) {
      const rows = new MemoryRows();
      await step(newTree(rows), rows, inserts(60));
      damage(rows);
      const tree = newTree(rows);
      const result = tree.load([hashOf('key 5')]).then(() => hexOf(tree.root()));
      // Without a root record the tree is empty by definition; everything else is found out.
      if (damage === loseRoot) assert.equal(await result, hexOf(zeros));
      else await assert.rejects(result, broken, `damage ${index}`);
    }
  });
});

describe('one cache', () => {
  test('keeps trees with different namespaces apart', async () => {
    const cache = new TreeCache();
    const trees = ['', 'asset/a', 'asset/b'].map((namespace) => {
      const rows = new MemoryRows();
      return { rows, tree: newTree(rows, { cache, namespace }), name: `key of ${namespace}` };
    });
    for (const { rows, tree, name } of trees) await step(tree, rows, inserts(60, name));
    for (const { rows, tree, name } of trees) {
      assert.equal(hexOf(tree.root()), hexOf(naiveRoot(rows.values)));
      await step(tree, rows, inserts(3, `${name} again`));
      assert.equal(hexOf(tree.root()), hexOf(naiveRoot(rows.values)));
    }
  });

  test('serves several trees with one namespace, which see the same state', async () => {
    const cache = new TreeCache();
    const rows = new MemoryRows();
    const [first, second] = [newTree(rows, { cache }), newTree(rows, { cache })];
    const root = await step(first, rows, inserts(10));
    assert.deepEqual(second.root(), root);
  });

  test('takes updates of many trees that are committed one after the other, however small it is', async () => {
    const cache = new TreeCache(3000);
    const trees = Array.from({ length: 20 }, (_, index) => {
      const rows = new MemoryRows();
      return { rows, tree: newTree(rows, { cache, namespace: `tree ${index}`, bucketLeavesMax: 3 }) };
    });
    for (let round = 0; round < 5; round++) {
      const updates = [];
      for (const { tree, rows } of trees) {
        const changes = inserts(4, `round ${round % 3}`).map((change, index) => ({
          ...change,
          valueHash: index === round ? undefined : hashOf(`${round} ${index}`),
        }));
        await tree.load(changes.map(({ key }) => key));
        updates.push({ tree, rows, update: tree.update(changes) });
      }
      for (const { rows, update } of updates) rows.write(update);
      for (const { tree, update } of updates) tree.commit(update);
      assert.ok(cache.bytes <= 3000);
    }
    for (const { tree, rows } of trees) {
      await tree.load([...rows.values.keys()].map(bytesFrom));
      assert.equal(hexOf(tree.root()), hexOf(naiveRoot(rows.values)));
    }
  });

  test('is not filled with old rows by a load that a commit overtakes', async () => {
    const rows = new MemoryRows();
    await step(newTree(rows), rows, inserts(300));
    const key = hashOf('key 5');
    let open = (): void => {};
    const slow = {
      nodes: (paths: readonly string[]) => rows.nodes(paths),
      leaves: async (paths: readonly string[]) => {
        const leaves = await rows.leaves(paths);
        await new Promise<void>((resolve) => {
          open = resolve;
        });
        return leaves;
      },
    };
    const cache = new TreeCache();
    const proving = new MerkleTree(slow, hashInto, { cache }).loadAndProve(key);
    await new Promise((resolve) => setImmediate(resolve));
    const root = await step(newTree(rows, { cache }), rows, [{ key, valueHash: hashOf('new') }]);
    const overtaken = open;
    overtaken();
    await new Promise((resolve) => setImmediate(resolve));
    if (open !== overtaken) open();
    assert.deepEqual((await proving).root, root);
  });
});
