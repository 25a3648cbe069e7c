/**
 * The store in which a chain is executed a second time: state, trees and blocks, without what history keeps of their
 * transactions, which is compared and then of no further use.
 */
import { recordTags } from '../chain/rows.ts';
import type { Row, Store } from '../store/store.ts';

export function withoutHistory(store: Store): Store {
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    scan: (range) => store.scan(range),
    scanAll: (range) => store.scanAll(range),
    view: () => store.view(),
    write: (rows, head) => store.write(withoutRecords(rows), head),
    acknowledgedHead: () => store.acknowledgedHead(),
    close: () => store.close(),
  };
}

function* withoutRecords(rows: Iterable<Row>): Iterable<Row> {
  for (const row of rows) if (!recordTags.includes(row[0][0])) yield row;
}
