/**
 * What every Store must do, whatever it is made of: `store.test.ts` runs this suite on each implementation.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import fc from 'fast-check';
import { storeLimits } from '../limits/node-limits.ts';
import { type Entry, type KeyRange, keysEnd, type Row, type Store } from './store.ts';

/** Makes a fresh empty store and sees to it that it is closed and removed after the test. */
export type MakeStore = (context: TestContext) => Promise<Store>;

export const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
export const everything: KeyRange = { gte: Uint8Array.of(0), lt: keysEnd };

export async function collect(rows: AsyncIterable<Entry>): Promise<Entry[]> {
  const collected: Entry[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

export function registerStoreConformance(name: string, make: MakeStore): void {
  registerReadsAndWrites(name, make);
  registerScans(name, make);
  registerViews(name, make);
  registerRefusals(name, make);
  registerModel(name, make);
}

const pad = (number: number): string => String(number).padStart(6, '0');

const numbered = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => [bytes(`k${pad(index)}`), bytes(`v${index}`)]);

const keysOf = (entries: Entry[]): string[] => entries.map(([key]) => Buffer.from(key).toString());

function registerReadsAndWrites(name: string, make: MakeStore): void {
  test(`${name}: what was written is read, what was not is undefined`, async (context) => {
    const store = await make(context);
    await store.write([[bytes('a'), bytes('1')]]);
    assert.deepEqual(store.get(bytes('a')), bytes('1'));
    assert.equal(store.get(bytes('b')), undefined);
    assert.deepEqual(await store.getMany([bytes('b'), bytes('a'), bytes('a')]), [
      undefined,
      bytes('1'),
      bytes('1'),
    ]);
    assert.deepEqual(await store.getMany([]), []);
  });

  test(`${name}: a batch writes and deletes at once, of equal keys the later row counts`, async (context) => {
    const store = await make(context);
    await store.write([
      [bytes('a'), bytes('1')],
      [bytes('b'), bytes('2')],
    ]);
    await store.write([
      [bytes('a'), undefined],
      [bytes('b'), bytes('3')],
      [bytes('c'), bytes('4')],
      [bytes('c'), bytes('5')],
      [bytes('d'), bytes('6')],
      [bytes('d'), undefined],
      [bytes('never there'), undefined],
    ]);
    assert.deepEqual(await store.scan(everything), [
      [bytes('b'), bytes('3')],
      [bytes('c'), bytes('5')],
    ]);
  });

  test(`${name}: empty and large values, keys of every byte and of full length`, async (context) => {
    const store = await make(context);
    const large = Uint8Array.from(randomBytes(300 * 1024));
    const longKey = new Uint8Array(storeLimits.keyBytesMax).fill(0xfe);
    const rows: [Uint8Array, Uint8Array][] = [
      [Uint8Array.of(0), new Uint8Array(0)],
      [Uint8Array.of(0, 0), large],
      [Uint8Array.of(1, 0xff, 0x80, 0), Uint8Array.of(0xff)],
      [longKey, Uint8Array.of(0)],
    ];
    await store.write(rows);
    for (const [key, value] of rows) assert.deepEqual(store.get(key), value);
    assert.deepEqual(
      await store.getMany(rows.map(([key]) => key)),
      rows.map(([, value]) => value),
    );
    assert.deepEqual(await store.scan(everything), rows);
  });

  test(`${name}: the store shares no memory with its callers`, async (context) => {
    const store = await make(context);
    const key = bytes('a');
    const value = bytes('value');
    const hash = new Uint8Array(32).fill(7);
    const written = store.write([[key, value]], { seq: 1n, hash });
    key.fill(0x62);
    value.fill(0);
    hash.fill(0);
    await written;
    const read = store.get(bytes('a'));
    const [many] = await store.getMany([bytes('a')]);
    const [[scannedKey, scanned]] = await store.scan(everything);
    for (const result of [read, many, scanned]) {
      assert.deepEqual(result, bytes('value'));
      result?.fill(0xff);
    }
    scannedKey.fill(0);
    assert.deepEqual(await store.scan(everything), [[bytes('a'), bytes('value')]]);
    assert.deepEqual(store.acknowledgedHead()?.hash, new Uint8Array(32).fill(7));
    assert.equal(Object.getPrototypeOf(read), Uint8Array.prototype, 'a plain array, not a Buffer');
  });

  test(`${name}: writes take effect in the order of their calls`, async (context) => {
    const store = await make(context);
    const writes = Array.from({ length: 50 }, (_, index) =>
      store.write([[bytes('a'), bytes(String(index))]], { seq: BigInt(index + 1), hash: new Uint8Array(32) }),
    );
    await Promise.all(writes);
    assert.deepEqual(store.get(bytes('a')), bytes('49'));
    assert.equal(store.acknowledgedHead()?.seq, 50n);
  });

  test(`${name}: the head of the last write that had one is acknowledged`, async (context) => {
    const store = await make(context);
    assert.equal(store.acknowledgedHead(), undefined);
    const hash = Uint8Array.from(randomBytes(32));
    await store.write([[bytes('a'), bytes('1')]], { seq: 2n ** 64n - 1n, hash });
    await store.write([[bytes('a'), bytes('2')]]);
    assert.deepEqual(store.acknowledgedHead(), { seq: 2n ** 64n - 1n, hash });
  });
}

function registerScans(name: string, make: MakeStore): void {
  test(`${name}: a scan runs both ways, within its bounds and limit`, async (context) => {
    const store = await make(context);
    await store.write(numbered(20));
    const range = { gte: bytes('k000005'), lt: bytes('k000010') };
    assert.deepEqual(
      keysOf(await store.scan(range)),
      [5, 6, 7, 8, 9].map((index) => `k${pad(index)}`),
    );
    assert.deepEqual(keysOf(await store.scan({ ...range, reverse: true, limit: 2 })), ['k000009', 'k000008']);
    assert.deepEqual(keysOf(await store.scan({ ...range, limit: 1 })), ['k000005']);
    assert.deepEqual(await store.scan({ gte: range.lt, lt: range.gte }), []);
    assert.deepEqual(await store.scan({ gte: range.gte, lt: range.gte }), []);
  });

  test(`${name}: a shorter key comes before the longer it begins`, async (context) => {
    const store = await make(context);
    const keys = [Uint8Array.of(1), Uint8Array.of(1, 0), Uint8Array.of(1, 0xff), Uint8Array.of(2)];
    await store.write([...keys].reverse().map((key) => [key, key] as const));
    assert.deepEqual(
      (await store.scan(everything)).map(([key]) => key),
      keys,
    );
  });

  test(`${name}: a scan without a limit stops at the default, scanAll does not stop`, async (context) => {
    const store = await make(context);
    const count = storeLimits.scanRowsMax + 500;
    await store.write(numbered(count));
    assert.equal((await store.scan(everything)).length, storeLimits.scanRowsDefault);
    const most = await store.scan({ ...everything, limit: storeLimits.scanRowsMax });
    assert.equal(most.length, storeLimits.scanRowsMax);
    const all = await collect(store.scanAll(everything));
    assert.deepEqual(all, numbered(count));
    const backwards = await collect(store.scanAll({ ...everything, reverse: true }));
    assert.deepEqual(backwards, numbered(count).reverse());
  });

  test(`${name}: scanAll shows the moment it was called, and can be left early`, async (context) => {
    const store = await make(context);
    await store.write(numbered(3_000));
    const rows = store.scanAll(everything);
    await store.write(numbered(3_000).map(([key]) => [key, undefined]));
    assert.equal((await collect(rows)).length, 3_000);
    assert.deepEqual(await store.scan(everything), []);
    await store.write(numbered(3_000));
    for await (const [key] of store.scanAll(everything)) {
      assert.deepEqual(key, bytes('k000000'));
      break;
    }
  });
}

function registerViews(name: string, make: MakeStore): void {
  test(`${name}: a view shows the rows of its moment, however it is read`, async (context) => {
    const store = await make(context);
    await store.write([
      [bytes('a'), bytes('1')],
      [bytes('b'), bytes('2')],
    ]);
    const view = store.view();
    await store.write([
      [bytes('a'), bytes('changed')],
      [bytes('b'), undefined],
      [bytes('c'), bytes('new')],
    ]);
    assert.deepEqual(view.get(bytes('a')), bytes('1'));
    assert.deepEqual(await view.getMany([bytes('b'), bytes('c')]), [bytes('2'), undefined]);
    assert.deepEqual(await view.scan(everything), [
      [bytes('a'), bytes('1')],
      [bytes('b'), bytes('2')],
    ]);
    assert.deepEqual(await view.scan({ ...everything, reverse: true, limit: 1 }), [[bytes('b'), bytes('2')]]);
    assert.deepEqual(await collect(view.scanAll(everything)), await view.scan(everything));
    await view.close();
    assert.deepEqual(keysOf(await store.scan(everything)), ['a', 'c']);
  });

  test(`${name}: a closed view answers nothing, a closed store gives no view`, async (context) => {
    const store = await make(context);
    await store.write([[bytes('a'), bytes('1')]]);
    const view = store.view();
    await view.close();
    assert.throws(() => view.get(bytes('a')));
    await assert.rejects(async () => view.getMany([bytes('a')]));
    await assert.rejects(async () => view.scan(everything));
    assert.deepEqual(store.get(bytes('a')), bytes('1'));
    await store.close();
    assert.throws(() => store.view(), BrokenInvariant);
  });

  test(`${name}: a view that is open ends with the store`, async (context) => {
    const store = await make(context);
    await store.write([[bytes('a'), bytes('1')]]);
    const view = store.view();
    await store.close();
    assert.throws(() => view.get(bytes('a')));
    await view.close();
  });
}

function registerRefusals(name: string, make: MakeStore): void {
  test(`${name}: rows that cannot be read to their end change nothing`, async (context) => {
    const store = await make(context);
    const rows = function* (): Generator<Row> {
      yield [bytes('a'), bytes('1')];
      throw new Error('no more rows');
    };
    await assert.rejects(store.write(rows(), { seq: 1n, hash: new Uint8Array(32) }), /no more rows/);
    assert.equal(store.get(bytes('a')), undefined);
    assert.equal(store.acknowledgedHead(), undefined);
    await store.write([[bytes('a'), bytes('2')]], { seq: 1n, hash: new Uint8Array(32) });
    assert.deepEqual(store.get(bytes('a')), bytes('2'));
  });

  test(`${name}: keys, ranges, limits and heads out of bounds are bugs`, async (context) => {
    const store = await make(context);
    const badKeys = [new Uint8Array(0), Uint8Array.of(0xff), new Uint8Array(storeLimits.keyBytesMax + 1)];
    for (const key of badKeys) {
      assert.throws(() => store.get(key), BrokenInvariant);
      await assert.rejects(store.getMany([key]), BrokenInvariant);
      await assert.rejects(
        store.write([
          [bytes('a'), bytes('1')],
          [key, bytes('1')],
        ]),
        BrokenInvariant,
      );
    }
    assert.equal(store.get(bytes('a')), undefined);
    const beyond = { gte: bytes('a'), lt: Uint8Array.of(0xff, 0) };
    await assert.rejects(store.scan(beyond), BrokenInvariant);
    assert.throws(() => store.scanAll(beyond), BrokenInvariant);
    for (const limit of [0, -1, 1.5, Number.NaN, storeLimits.scanRowsMax + 1]) {
      await assert.rejects(store.scan({ ...everything, limit }), BrokenInvariant);
    }
    const hash = new Uint8Array(32);
    await store.write([], { seq: 5n, hash });
    for (const head of [
      { seq: 5n, hash },
      { seq: 4n, hash },
      { seq: 6n, hash: new Uint8Array(31) },
    ]) {
      await assert.rejects(store.write([], head), BrokenInvariant);
    }
    await assert.rejects(store.write([], { seq: 2n ** 64n, hash }), BrokenInvariant);
  });

  test(`${name}: a closed store answers nothing; closing twice is no harm`, async (context) => {
    const store = await make(context);
    await store.write([[bytes('a'), bytes('1')]]);
    const last = store.write([[bytes('b'), bytes('2')]]);
    await store.close();
    await last;
    await store.close();
    assert.throws(() => store.get(bytes('a')), BrokenInvariant);
    await assert.rejects(store.getMany([bytes('a')]), BrokenInvariant);
    await assert.rejects(store.scan(everything), BrokenInvariant);
    await assert.rejects(store.write([[bytes('a'), bytes('1')]]), BrokenInvariant);
  });
}

function registerModel(name: string, make: MakeStore): void {
  const key = fc.uint8Array({ minLength: 1, maxLength: 3, max: 3 });
  const value = fc.option(fc.uint8Array({ maxLength: 8 }), { nil: undefined });
  const batches = fc.array(fc.array(fc.tuple(key, value), { maxLength: 12 }), { maxLength: 6 });

  test(`${name}: behaves as a sorted map does`, async (context) => {
    const store = await make(context);
    await fc.assert(
      fc.asyncProperty(batches, key, key, fc.boolean(), async (written, low, high, reverse) => {
        const model = new Map<string, Uint8Array>();
        for (const batch of written) {
          await store.write(batch);
          for (const [rowKey, rowValue] of batch) {
            if (rowValue === undefined) model.delete(hexOf(rowKey));
            else model.set(hexOf(rowKey), rowValue);
          }
        }
        const inside = [...model].filter(([text]) => text >= hexOf(low) && text < hexOf(high)).sort();
        const expected = reverse ? inside.reverse() : inside;
        const scanned = await store.scan({ gte: low, lt: high, reverse });
        assert.deepEqual(
          scanned.map(([rowKey, rowValue]) => [hexOf(rowKey), rowValue]),
          expected,
        );
        for (const [text, rowValue] of model) {
          assert.deepEqual(store.get(Uint8Array.from(Buffer.from(text, 'hex'))), rowValue);
        }
        await store.write(
          [...model.keys()].map((text) => [Uint8Array.from(Buffer.from(text, 'hex')), undefined]),
        );
        assert.deepEqual(await store.scan(everything), []);
      }),
      { numRuns: 40 },
    );
  });
}

const hexOf = (key: Uint8Array): string => Buffer.from(key).toString('hex');
