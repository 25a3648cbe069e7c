import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeEntry, newAccount, stateKeys } from '@symbolon/core/ledger/terms/state';
import type { Account } from '@symbolon/core/proto/ledger_pb';
import { MemoryStore } from '../testing/memory-store.ts';
import { CommittedState } from './committed-state.ts';
import { stateRow } from './rows.ts';

const key = (name: string) => stateKeys.account(name);

/** A state over a store that counts how often it is asked. */
async function stateWith(names: readonly string[], entriesMax: number) {
  const store = new MemoryStore();
  await store.write(names.map((name) => [stateRow(key(name)), encodeEntry(newAccount(name, 1n))]));
  let reads = 0;
  const rowsTogether: number[] = [];
  const state = new CommittedState(
    {
      get: (row) => {
        reads++;
        return store.get(row);
      },
      getMany: (rows) => {
        rowsTogether.push(rows.length);
        return store.getMany(rows);
      },
    },
    entriesMax,
  );
  return { state, store, reads: () => reads, rowsTogether };
}

const balance = (state: CommittedState, name: string) =>
  (state.read(key(name)) as Account | undefined)?.balance;

describe('the committed state', () => {
  test('reads an entry from the store once', async () => {
    const { state, reads } = await stateWith(['a'], 10);
    assert.equal(balance(state, 'a'), 1n);
    assert.equal(balance(state, 'a'), 1n);
    assert.equal(reads(), 1);
  });

  test('brings what will be read together, each once, and nothing it has or cannot have', async () => {
    const { state, reads, rowsTogether } = await stateWith(['a', 'b', 'c'], 10);
    state.read(key('a'));
    await state.preload(['a', 'b', 'c', 'b', 'nobody', '\ud800', 'x'.repeat(5_000)].map(key));
    assert.deepEqual(rowsTogether, [3]);
    for (const name of ['a', 'b', 'c']) assert.equal(balance(state, name), 1n);
    assert.equal(reads(), 1);
    assert.equal(balance(state, 'nobody'), undefined);
    await state.preload(['a', 'b', 'c'].map(key));
    assert.deepEqual(rowsTogether, [3]);
  });

  test('keeps nothing of a preload during which a block became durable', async () => {
    const { state, reads } = await stateWith(['a', 'b', 'c'], 10);
    const preloaded = state.preload(['a', 'b', 'c'].map(key));
    state.advance(
      new Map([
        [key('a'), newAccount('a', 9n)],
        [key('b'), null],
      ]),
    );
    await preloaded;
    assert.equal(balance(state, 'a'), 9n);
    assert.equal(reads(), 0);
    // Deleted and untouched alike are asked of the store again.
    state.read(key('b'));
    state.read(key('c'));
    assert.equal(reads(), 2);
  });

  test('holds nothing under a name that is no text', async () => {
    const { state, reads } = await stateWith(['a'], 10);
    for (const name of ['\ud800', 'a\udc00', '\udc00\ud800']) assert.equal(balance(state, name), undefined);
    assert.equal(state.stored(key('\ud800')), undefined);
    assert.equal(reads(), 0);
  });

  test('does not remember what is not there', async () => {
    const { state, reads, store } = await stateWith([], 10);
    assert.equal(state.read(key('nobody')), undefined);
    await store.write([[stateRow(key('nobody')), encodeEntry(newAccount('nobody', 5n))]]);
    assert.equal(balance(state, 'nobody'), 5n);
    assert.equal(reads(), 2);
  });

  test('learns of changes when told, deletions included', async () => {
    const { state, reads } = await stateWith(['a', 'b'], 10);
    state.read(key('a'));
    state.read(key('b'));
    state.advance(new Map([[key('a'), newAccount('a', 9n)]]));
    assert.equal(balance(state, 'a'), 9n);
    state.advance(new Map([[key('b'), null]]));
    // The store would have deleted it as well; here it is asked, which is what matters.
    assert.equal(balance(state, 'b'), 1n);
    assert.equal(reads(), 3);
  });

  test('keeps no more than its limit, the newest', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const { state, reads } = await stateWith(names, 2);
    for (const name of names) state.read(key(name));
    assert.equal(reads(), 4);
    state.read(key('c'));
    state.read(key('d'));
    assert.equal(reads(), 4);
    state.read(key('a'));
    assert.equal(reads(), 5);
  });

  test('does not have what no row can be called', async () => {
    const { state, reads } = await stateWith([], 10);
    assert.equal(state.read(key('x'.repeat(5_000))), undefined);
    assert.equal(state.read(key('\u{10ffff}'.repeat(2_000))), undefined);
    assert.equal(reads(), 0);
  });

  test('fails loudly on an entry that is damaged', async () => {
    const { state, store } = await stateWith([], 10);
    await store.write([[stateRow(key('a')), Uint8Array.of(255, 255)]]);
    assert.throws(() => state.read(key('a')));
    await store.write([[stateRow('nothing/known'), Uint8Array.of()]]);
    assert.throws(() => state.read('nothing/known'), /of no known kind/);
  });
});
