import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { TransactionEnvStoreSchema } from '@symbolon/core/proto/ledger_pb';
import { MemoryStore } from '../testing/memory-store.ts';
import { validatorPerson } from '../testing/people.ts';
import { addBlock, openTestChain, testRules, verified } from '../testing/test-chain.ts';
import {
  ChainDamaged,
  countRecords,
  findBlock,
  findRecord,
  readBlock,
  readFees,
  readLatestRecords,
  readRecords,
  readValidators,
} from './chain-reader.ts';
import { blockRow, recordRow } from './rows.ts';

const note = (nonce: bigint) =>
  verified({ nonce, operations: [operation('log', { topic: `${nonce}`, datas: [] })] });

/** Blocks 2 and 3 with three notes each. */
async function twoBlocks() {
  const store = new MemoryStore();
  const chain = await openTestChain(testRules(), store);
  const first = await addBlock(chain, [note(1n), note(2n), note(3n)]);
  const second = await addBlock(chain, [note(4n), note(5n), note(6n)]);
  return { store, records: [...first.executed.records, ...second.executed.records], head: second.header };
}

const hashes = (records: readonly { hash: Uint8Array }[]) => records.map(({ hash }) => encodeHex(hash));

describe('blocks', () => {
  test('are found by number', async () => {
    const { store, head } = await twoBlocks();
    assert.equal(encodeHex(readBlock(store, 3n).header.hash), encodeHex(head.hash));
    assert.equal(readBlock(store, 3n).rowCount, 3);
    assert.deepEqual(
      [0n, -1n, 4n].map((seq) => findBlock(store, seq)),
      [undefined, undefined, undefined],
    );
    assert.throws(() => readBlock(store, 4n), ChainDamaged);
  });

  test('that are stored under another number are damage, not an answer', async () => {
    const { store } = await twoBlocks();
    await store.write([
      [blockRow(3n), store.get(blockRow(2n))],
      [blockRow(2n), Uint8Array.of()],
    ]);
    for (const seq of [2n, 3n]) assert.throws(() => findBlock(store, seq), /is stored without its header/);
  });

  test('lead to their fees and validators', async () => {
    const { store, head } = await twoBlocks();
    assert.equal(readFees(store, head)?.gasPrice, 1n);
    assert.deepEqual(
      readValidators(store, head)?.validators.map(({ address }) => address),
      [validatorPerson.address],
    );
    assert.equal(readFees(store, { ...head, feesHash: new Uint8Array(32) }), undefined);
  });
});

describe('records', () => {
  test('of a block come in its order, in parts if asked', async () => {
    const { store, records } = await twoBlocks();
    assert.deepEqual(hashes(await readRecords(store, 2n, { limit: 100 })), hashes(records.slice(0, 3)));
    assert.deepEqual(
      hashes(await readRecords(store, 2n, { start: 1, limit: 1 })),
      hashes(records.slice(1, 2)),
    );
    assert.deepEqual(await readRecords(store, 2n, { start: 3, limit: 10 }), []);
    assert.deepEqual(await readRecords(store, 2n, { limit: 0 }), []);
    assert.deepEqual(await readRecords(store, 9n, { limit: 10 }), []);
  });

  test('are found by hash, and the newest first', async () => {
    const { store, records } = await twoBlocks();
    for (const record of records) {
      const found = findRecord(store, record.hash);
      assert.deepEqual(found && [encodeHex(found.hash), found.ledgerSeq], [
        encodeHex(record.hash),
        record.ledgerSeq,
      ]);
    }
    assert.equal(findRecord(store, new Uint8Array(32)), undefined);
    assert.deepEqual(
      hashes(await readLatestRecords(store, { start: 0, limit: 4, bytesMax: 1_000_000 })),
      hashes(records).reverse().slice(0, 4),
    );
    const rowBytes = toBinary(TransactionEnvStoreSchema, records[5]).length;
    const few = await readLatestRecords(store, { start: 0, limit: 4, bytesMax: 2 * rowBytes });
    assert.deepEqual(hashes(few), hashes(records).reverse().slice(0, 2));
    assert.equal((await readLatestRecords(store, { start: 0, limit: 4, bytesMax: 1 })).length, 1);
    const later = await readLatestRecords(store, { start: 3, limit: 2, bytesMax: 1_000_000 });
    assert.deepEqual(hashes(later), hashes(records).reverse().slice(3, 5));
    assert.deepEqual(await Promise.all([4, 9].map((most) => countRecords(store, most))), [4, 6]);
    assert.deepEqual(await readLatestRecords(new MemoryStore(), { start: 0, limit: 4, bytesMax: 1 }), []);
  });

  test('that are missing where their hash says they are, are damage', async () => {
    const { store, records } = await twoBlocks();
    await store.write([[recordRow(3n, 1), undefined]]);
    assert.throws(() => findRecord(store, records[4].hash), /transaction [0-9a-f]{64} of block 3 is missing/);
  });
});
