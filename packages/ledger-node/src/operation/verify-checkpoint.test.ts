/** A chain proved as far as a checkpoint, and then from there: what is found, and what the checkpoint is trusted for. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { AccountSchema, BlockRecordSchema, TransactionEnvStoreSchema } from '@symbolon/core/proto/ledger_pb';
import { ChainDamaged, readRecords } from '../chain/chain-reader.ts';
import { blockRow, positionRow, recordRow, recordTags, stateRow } from '../chain/rows.ts';
import { LedgerNode } from '../node/node.ts';
import { filesOf, overwrite } from '../store/damage-fixture.ts';
import { LevelStore } from '../store/level-store.ts';
import { keysEnd, type Row, type Store } from '../store/store.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { person, richest, validatorPerson } from '../testing/people.ts';
import { signed, testRules } from '../testing/test-chain.ts';
import { type VerifyOrder, verifyStore } from './verify-chain.ts';
import { CheckpointDamaged, CheckpointError } from './verify-checkpoint.ts';

const rules = testRules();
const bob = person('bob');
const early = 4n;
const late = 7n;

describe('verifying from a checkpoint', () => {
  let room: string;
  /** The chain as it was at the earlier block, and at the later one. */
  const stores = new Map<bigint, Store>();
  let checkpoint: string;

  const run = (more: Partial<VerifyOrder> = {}) =>
    verifyStore(join(room, 'scratch'), { store: stores.get(late) as Store, rules, ...more });

  const everything = { gte: Uint8Array.of(0), lt: keysEnd };

  async function copyOf(store: Store, changes: Iterable<Row> = []): Promise<MemoryStore> {
    const copy = new MemoryStore();
    const rows: Row[] = [];
    for await (const row of store.scanAll(everything)) rows.push(row);
    await copy.write(rows);
    await copy.write(changes);
    return copy;
  }

  before(async () => {
    room = await mkdtemp(join(tmpdir(), 'symbolon-checkpoint-'));
    const store = new MemoryStore();
    const node = await LedgerNode.open({
      store,
      rules,
      validator: validatorPerson,
      settings: { blockIntervalMs: 1, signatureWorkers: 0 },
      onFailure: (error) => assert.fail(String(error)),
    });
    for (let nonce = 1n; node.chain.head.seq < late; nonce++) {
      const made = Promise.withResolvers<void>();
      const unwatch = node.watch({ block: () => made.resolve() });
      const pays = operation('payCoin', { destAddress: bob.address, amount: 1_000n * nonce });
      const { blob, signatures } = signed({ nonce, operations: [pays] });
      assert.equal((await node.submit(blob, signatures)).refusal, undefined);
      await made.promise;
      unwatch();
      if (node.chain.head.seq === early || node.chain.head.seq === late)
        stores.set(node.chain.head.seq, await copyOf(store));
    }
    await node.close();
    checkpoint = join(room, 'checkpoint');
    const { begunAt } = await run({ store: stores.get(early) as Store, save: checkpoint });
    assert.equal(begunAt, 1n);
  });

  after(() => rm(room, { recursive: true }));

  test('executes what came after it, and says what it was trusted for', async () => {
    const progress: bigint[] = [];
    const verified = await run({ from: checkpoint, onProgress: (done) => progress.push(done) });
    assert.deepEqual(progress, [5n, 6n, 7n]);
    assert.deepEqual([verified.blocks, verified.begunAt, verified.transactions], [late, early, late - 1n]);
    assert.deepEqual([verified.checkpoint?.block, verified.checkpoint?.begunAt], [early, 1n]);
    const full = await run();
    assert.deepEqual(verified.head, full.head);
    assert.equal(verified.stateRows, full.stateRows);
    assert.deepEqual([full.begunAt, full.checkpoint], [1n, undefined]);
    assert.ok(!(await readdir(room)).includes('scratch'));
  });

  test('makes the next one, which remembers where its run began', async () => {
    const next = join(room, 'next');
    await run({ from: checkpoint, save: next });
    const verified = await run({ from: next });
    assert.deepEqual([verified.begunAt, verified.checkpoint?.begunAt], [late, early]);
    await assert.rejects(run({ save: next }), CheckpointError, 'a checkpoint is never written over');
    await assert.rejects(
      run({ from: next, store: stores.get(early) as Store }),
      /the checkpoint is of block 7 .*, the chain ends at block 4/,
    );
  });

  test('keeps state and blocks, and no history', async () => {
    const state = join(room, 'looked-at');
    await cp(join(checkpoint, 'state'), state, { recursive: true });
    const store = await LevelStore.open(state);
    const tags = new Set<number>();
    for await (const [key] of store.scanAll(everything)) tags.add(key[0]);
    await store.close();
    assert.ok(tags.has(stateRow('')[0]) && tags.has(blockRow(1n)[0]));
    for (const tag of recordTags) assert.ok(!tags.has(tag));
  });

  test('leaves a checkpoint as it was', async () => {
    const files = async () =>
      Promise.all(
        (await readdir(checkpoint, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
          .map(async (path) => [path, await readFile(path)]),
      );
    const earlier = await files();
    await run({ from: checkpoint });
    assert.deepEqual(await files(), earlier);
  });

  const changes: Record<string, { change: (store: Store) => Promise<Row[]>; words: RegExp }> = {
    'a transaction before it': {
      change: async (store) => {
        const [record] = await readRecords(store, 3n, { limit: 1 });
        const data = record.transactionEnv?.signatures[0].signData as Uint8Array;
        data[0] ^= 1;
        return [[recordRow(3n, 0), toBinary(TransactionEnvStoreSchema, record)]];
      },
      words: /block 3 .*: it does not have the hash that it states/,
    },
    'a header before it': {
      change: async (store) => {
        const record = fromBinary(BlockRecordSchema, store.get(blockRow(2n)) as Uint8Array);
        if (record.header) record.header.closeTime += 1n;
        return [[blockRow(2n), toBinary(BlockRecordSchema, record)]];
      },
      words: /block 2 .*: it does not have the hash that it states/,
    },
    'a lost record before it': {
      change: async () => [[recordRow(3n, 0), undefined]],
      words: /block 3 .*: 1 transactions, 0 stored/,
    },
    'a lost place before it': {
      change: async (store) => {
        const [{ hash }] = await readRecords(store, 3n, { limit: 1 });
        return [[positionRow(hash), undefined]];
      },
      words: /is not found by its hash/,
    },
    'a record after it': {
      change: async (store) => {
        const [record] = await readRecords(store, 6n, { limit: 1 });
        record.errorCode = 93;
        return [[recordRow(6n, 0), toBinary(TransactionEnvStoreSchema, record)]];
      },
      words: /block 6 .*: the record of transaction [0-9a-f]{64} differs/,
    },
    'a balance': {
      change: async (store) => {
        const row = stateRow(stateKeys.account(richest.address));
        const entry = fromBinary(AccountSchema, store.get(row) as Uint8Array);
        return [[row, toBinary(AccountSchema, { ...entry, balance: 9n })]];
      },
      words: /state row "saccount\/.*" is not what the blocks lead to/,
    },
  };
  for (const [name, { change, words }] of Object.entries(changes)) {
    test(`names ${name} that was changed`, async () => {
      const store = stores.get(late) as Store;
      const changed = await copyOf(store, await change(store));
      await assert.rejects(run({ store: changed, from: checkpoint }), (error) => {
        assert.ok(error instanceof ChainDamaged, String(error));
        assert.match(error.message, words);
        return true;
      });
      assert.ok(!(await readdir(room)).includes('scratch'));
    });
  }

  test('does not go on from the checkpoint of another chain, or from what is none', async () => {
    await assert.rejects(run({ from: checkpoint, rules: testRules({ chainId: 9 }) }), /holds another chain/);
    await assert.rejects(run({ from: room }), CheckpointError);
    const bent = join(room, 'bent');
    await cp(checkpoint, bent, { recursive: true });
    const file = join(bent, 'checkpoint.json');
    const document = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...document, block: '3' }));
    await assert.rejects(
      run({ from: bent }),
      /The checkpoint .*bent is damaged: its state is not that of its block 3\n/,
    );
    await writeFile(file, JSON.stringify({ ...document, stateRoot: '0'.repeat(64) }));
    await assert.rejects(
      run({ from: bent }),
      /The checkpoint .*bent is damaged: its state is not that of its block 4\n/,
    );
    await writeFile(file, '{"format":2}');
    await assert.rejects(run({ from: bent }), CheckpointError);
  });

  const harms: Record<string, { file: RegExp; harm: (path: string) => Promise<void>; words: RegExp }> = {
    'with a changed bit in a table': {
      file: /\.ldb$/,
      harm: async (path) => overwrite(path, 100, Uint8Array.of((await readFile(path))[100] ^ 1)),
      words: /^table \d+\.ldb has a damaged block/,
    },
    'without a table': { file: /\.ldb$/, harm: (path) => rm(path), words: /^table \d+ is missing$/ },
    'with another manifest': {
      file: /^MANIFEST/,
      harm: async (path) => overwrite(path, 10, Uint8Array.of(0, 0, 0)),
      words: /MANIFEST-\d+ is damaged/,
    },
  };
  for (const [name, { file, harm, words }] of Object.entries(harms)) {
    test(`names a checkpoint ${name}, and leaves the chain out of it`, async () => {
      const damaged = join(room, 'damaged');
      await cp(checkpoint, damaged, { recursive: true });
      const state = join(damaged, 'state');
      const [chosen] = await filesOf(state, file);
      await harm(join(state, chosen));
      await assert.rejects(run({ from: damaged }), (error) => {
        assert.ok(error instanceof CheckpointDamaged, String(error));
        const [, damage] = /^The checkpoint (?:.*) is damaged: (.*)\n/.exec(error.message) ?? [];
        assert.match(damage, words);
        assert.match(error.message, /node's folder.*\n.*--save/);
        return true;
      });
      await rm(damaged, { recursive: true });
    });
  }
});
