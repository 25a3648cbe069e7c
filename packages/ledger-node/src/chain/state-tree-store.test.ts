import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { TreeChange, TreeUpdate } from '@symbolon/core/tree/merkle-tree';
import { sha256 } from '@symbolon/host/work/sha256';
import type { Row, Store } from '../store/store.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { hashPairs } from './hash-pairs.ts';
import { rowsOfBuckets, treeBucketRow, treeLeafRow, treeNodeRow } from './rows.ts';
import { createTreeOf } from './state-tree-store.ts';

const namespace = 'asset/A';
const cacheBytesMax = 1024 * 1024;
const hashOf = (text: string): Uint8Array => sha256(Buffer.from(text));
const changesOf = (from: number, to: number, value: string): TreeChange[] =>
  Array.from({ length: to - from }, (_, index) => ({
    key: hashOf(`key ${from + index}`),
    valueHash: hashOf(value),
  }));

const openTree = (store: Store) => createTreeOf(store, hashPairs, cacheBytesMax)(namespace);

const rowsOf = ({ nodes, leaves, buckets }: TreeUpdate): Row[] => [
  ...nodes.map(([path, record]): Row => [treeNodeRow(namespace, path), record]),
  ...leaves.map(([key, valueHash]): Row => [treeLeafRow(namespace, key), valueHash]),
  ...buckets.map(([path, keys]): Row => [treeBucketRow(namespace, path), keys]),
];

async function change(store: Store, changes: readonly TreeChange[]): Promise<string> {
  const update = await openTree(store).loadAndUpdate(changes);
  await store.write(rowsOf(update));
  return encodeHex(update.root);
}

/** Several buckets, as the tree leaves them after growing, and what a bucket that split has left. */
async function grownStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const [from, to] of [
    [0, 40],
    [40, 100],
    [100, 500],
  ] as const) {
    await change(store, changesOf(from, to, 'first'));
  }
  return store;
}

async function listRows(store: Store): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const [key, value] of store.scanAll(rowsOfBuckets)) rows.push([key, value]);
  return rows;
}

describe('the rows of a tree', () => {
  test('list the keys of every bucket, each key once', async () => {
    const lists = await listRows(await grownStore());
    assert.ok(lists.length > 10);
    const keys = lists.flatMap(([, list]) => encodeHex(list as Uint8Array).match(/.{64}/g) ?? []);
    assert.deepEqual(
      keys.sort(),
      changesOf(0, 500, '')
        .map(({ key }) => encodeHex(key))
        .sort(),
    );
  });

  test('keep no list of a bucket that is gone', async () => {
    const store = await grownStore();
    await change(
      store,
      changesOf(0, 500, '').map(({ key }) => ({ key, valueHash: undefined })),
    );
    assert.deepEqual(await listRows(store), []);
  });

  test('are read without lists as well, and get them with the next key', async () => {
    const [listed, unlisted] = [await grownStore(), await grownStore()];
    await unlisted.write((await listRows(unlisted)).map(([key]) => [key, undefined]));
    const values = changesOf(0, 500, 'second');
    assert.equal(await change(unlisted, values), await change(listed, values));
    assert.deepEqual(await listRows(unlisted), [], 'values do not change keys');
    const key = changesOf(500, 501, 'third');
    assert.equal(await change(unlisted, key), await change(listed, key));
    assert.equal((await listRows(unlisted)).length, 1);
  });

  test('with a leaf that a list names and nobody finds are damaged', async () => {
    const store = await grownStore();
    await store.write([[treeLeafRow(namespace, hashOf('key 7')), undefined]]);
    await assert.rejects(openTree(store).load([hashOf('key 7')]), { name: 'BrokenInvariant' });
  });
});
