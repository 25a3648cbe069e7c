import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { LevelStore } from '../store/level-store.ts';
import { bytes, collect, everything, type MakeStore } from '../store/store.conformance.ts';
import type { Row, Store, StoreView } from '../store/store.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { HeadSnapshot } from './head-snapshot.ts';

async function levelStore(context: TestContext): Promise<Store> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-head-rows-'));
  const store = await LevelStore.open(folder);
  context.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

/** More than a scan brings at a time. */
const rowCount = 2_500;
const rowsOf = (value: string): Row[] =>
  Array.from({ length: rowCount }, (_, index) => [bytes(String(index)), bytes(value)]);
const valuesOf = (value: string): Uint8Array[] => Array(rowCount).fill(bytes(value));

/** Rows of a store whose open views are counted. */
async function headRowsOf(store: Store) {
  await store.write(rowsOf('first'));
  let open = 0;
  const view = (): StoreView => {
    open++;
    const counted = store.view();
    const close = counted.close.bind(counted);
    counted.close = () => {
      open--;
      return close();
    };
    return counted;
  };
  const rows = new HeadSnapshot({ view });
  const next = async (value: string) => {
    await store.write(rowsOf(value));
    rows.advance();
  };
  return { rows, next, open: () => open };
}

const makers: Readonly<Record<string, MakeStore>> = {
  memory: async () => new MemoryStore(),
  LevelDB: levelStore,
};

for (const [name, make] of Object.entries(makers)) {
  describe(`the rows of the head, ${name}`, () => {
    test('are what was written when the chain says so, however they are read', async (context) => {
      const store = await make(context);
      const { rows } = await headRowsOf(store);
      const keys = rowsOf('').map(([key]) => key);
      const readAll = async () => [
        keys.map((key) => rows.get(key)),
        await rows.getMany(keys),
        (await rows.scan({ ...everything, limit: rowCount })).map(([, value]) => value),
        (await collect(rows.scanAll(everything))).map(([, value]) => value),
      ];
      await store.write(rowsOf('second'));
      assert.deepEqual(await readAll(), Array(4).fill(valuesOf('first')));
      rows.advance();
      assert.deepEqual(await readAll(), Array(4).fill(valuesOf('second')));
    });

    test('stay those of one head while they are read, and are then let go of', async (context) => {
      const { rows, next, open } = await headRowsOf(await make(context));
      const scanned: Uint8Array[] = [];
      for await (const [, value] of rows.scanAll(everything)) {
        scanned.push(value);
        if (scanned.length === 1) await next('second');
      }
      assert.deepEqual(scanned, valuesOf('first'));
      const both = await rows.ofOneHead(async (ofHead) => {
        const before = ofHead.get(bytes('7'));
        await next('third');
        return [before, ...(await ofHead.getMany([bytes('7')]))];
      });
      assert.deepEqual(both, [bytes('second'), bytes('second')]);
      assert.deepEqual(rows.get(bytes('7')), bytes('third'));
      assert.equal(open(), 1);
    });

    test('are let go of when a scan is left early or a reading fails', async (context) => {
      const { rows, next, open } = await headRowsOf(await make(context));
      for await (const [, value] of rows.scanAll(everything)) {
        assert.deepEqual(value, bytes('first'));
        break;
      }
      await assert.rejects(
        rows.ofOneHead(() => Promise.reject(new Error('enough'))),
        /enough/,
      );
      await next('second');
      assert.equal(open(), 1);
    });
  });
}
