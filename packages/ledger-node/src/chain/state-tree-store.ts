/** The state trees' rows in the store, behind the reader the trees ask. One cache serves all trees. */
import type { TreeOf } from '@symbolon/core/ledger/execution/state-trees';
import {
  type HashPairs,
  type Leaf,
  MerkleTree,
  TreeCache,
  type TreeReader,
} from '@symbolon/core/tree/merkle-tree';
import type { StoreReader } from '../store/store.ts';
import { treeBucketRow, treeLeafRow, treeLeafRows, treeNodeRow } from './rows.ts';

const keyBytes = 32;

type TreeRows = Pick<StoreReader, 'getMany' | 'scan'>;

export function createTreeOf(store: TreeRows, hashPairs: HashPairs, cacheBytesMax: number): TreeOf {
  const cache = new TreeCache(cacheBytesMax);
  return (namespace) => new MerkleTree(readerOf(store, namespace), hashPairs, { cache, namespace });
}

const readerOf = (store: TreeRows, namespace: string): TreeReader => ({
  nodes: (paths) => store.getMany(paths.map((path) => treeNodeRow(namespace, path))),

  async leaves(paths) {
    const lists = await store.getMany(paths.map((path) => treeBucketRow(namespace, path)));
    const keys = lists.map((list) => (list ? splitKeys(list) : []));
    const valueHashes = await store.getMany(keys.flat().map((key) => treeLeafRow(namespace, key)));
    let next = 0;
    const listed = keys.map((ofBucket) =>
      ofBucket.flatMap((key): Leaf[] => {
        const valueHash = valueHashes[next++];
        return valueHash ? [{ key, valueHash }] : [];
      }),
    );
    return Promise.all(
      listed.map((leaves, index) => (lists[index] ? leaves : scanLeaves(store, namespace, paths[index]))),
    );
  },
});

/** For buckets whose keys have not changed since a version that kept no list of them. */
async function scanLeaves(store: TreeRows, namespace: string, path: string): Promise<Leaf[]> {
  const rows = await store.scan(treeLeafRows(namespace, path));
  return rows.map(([row, valueHash]) => ({ key: row.subarray(-keyBytes), valueHash }));
}

const splitKeys = (list: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(list.length / keyBytes) }, (_, index) =>
    list.subarray(index * keyBytes, (index + 1) * keyBytes),
  );
