/** The state trees' rows in the store, behind the reader the trees ask. One cache serves all trees. */
import type { TreeOf } from '@symbolon/core/ledger/state-trees';
import { type HashPairs, MerkleTree, TreeCache } from '@symbolon/core/tree/merkle-tree';
import { treeLeafRows, treeNodeRow } from './rows.ts';
import type { Store } from './store/store.ts';

const keyBytes = 32;

export function createTreeOf(
  store: Pick<Store, 'getMany' | 'scan'>,
  hashPairs: HashPairs,
  cacheBytesMax: number,
): TreeOf {
  const cache = new TreeCache(cacheBytesMax);
  return (namespace) =>
    new MerkleTree(
      {
        nodes: (paths) => store.getMany(paths.map((path) => treeNodeRow(namespace, path))),
        async leaves(path) {
          const rows = await store.scan(treeLeafRows(namespace, path));
          return rows.map(([row, valueHash]) => ({ key: row.subarray(-keyBytes), valueHash }));
        },
      },
      hashPairs,
      { cache, namespace },
    );
}
