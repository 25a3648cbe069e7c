import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import {
  AccountSchema,
  BlockRecordSchema,
  HeadRecordSchema,
  PbftProofSchema,
  PbftSchema,
  type TransactionEnvStore,
  TransactionEnvStoreSchema,
} from '@symbolon/core/proto/ledger_pb';
import { ChainDamaged, readRecords } from '../chain/chain-reader.ts';
import {
  blockRow,
  headRow,
  positionRow,
  recordRow,
  rowsOfBuckets,
  stateRow,
  treeBucketRow,
} from '../chain/rows.ts';
import { LedgerNode } from '../node/node.ts';
import { verifyLedgerSignature } from '../signatures/ed25519.ts';
import type { VerifySignature } from '../signatures/signers.ts';
import type { Row, Store } from '../store/store.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { person, richest, validatorPerson } from '../testing/people.ts';
import { signed, testRules } from '../testing/test-chain.ts';
import { verifyChain } from './verify-chain.ts';

const bob = person('bob');
const rules = testRules();
const original = new MemoryStore();
const verify: VerifySignature = async (key, signature, message) =>
  verifyLedgerSignature(key, signature, message);
const blocks = 6n;
/** Made in block 5, called in block 6. */
const contractCode =
  '"use strict"; function init(input) { Chain.store("k", input); return true; } function main(input) { Chain.tlog("called", input); Chain.store("k", input); return true; }';
const contractAddress = rules.keys.addressOfText(`${richest.address}-4-0`);

/** The chain with some rows changed, in a store of its own. */
async function changed(
  change: (store: Store) => Iterable<Row> | Promise<Iterable<Row>>,
): Promise<MemoryStore> {
  const store = new MemoryStore();
  const rows: Row[] = [];
  for await (const row of original.scanAll({ gte: Uint8Array.of(0), lt: Uint8Array.of(255) })) rows.push(row);
  await store.write(rows);
  await store.write(await change(store));
  return store;
}

const run = (store: Store, more: Partial<Parameters<typeof verifyChain>[0]> = {}) =>
  verifyChain({ store, scratch: new MemoryStore(), rules, verify, ...more });

async function changeRecord(store: Store, change: (record: TransactionEnvStore) => void): Promise<Row[]> {
  const [record] = await readRecords(store, 3n, { limit: 1 });
  change(record);
  return [[recordRow(3n, 0), toBinary(TransactionEnvStoreSchema, record)]];
}

function changeBlock(store: Store, change: (record: ReturnType<typeof readStored>) => void): Row[] {
  const record = readStored(store);
  change(record);
  return [[blockRow(3n), toBinary(BlockRecordSchema, record)]];
}

const readStored = (store: Store) => fromBinary(BlockRecordSchema, store.get(blockRow(3n)) as Uint8Array);

describe('verifying', () => {
  let node: LedgerNode;

  /** Five blocks with payments, an asset, metadata, one transaction that failed, and a contract. */
  before(async () => {
    node = await LedgerNode.open({
      store: original,
      rules,
      validator: validatorPerson,
      settings: { blockIntervalMs: 1, signatureWorkers: 0 },
      onFailure: (error) => assert.fail(String(error)),
    });
    const pay = (amount: bigint) => operation('payCoin', { destAddress: bob.address, amount });
    const operations = [
      [pay(1_000n), operation('issueAsset', { code: 'CNY', amount: 5n })],
      [
        operation('setMetadata', { key: 'k', value: 'v' }),
        operation('setMetadata', { key: 'l', value: 'w' }),
      ],
      [pay(10n ** 18n)],
      [
        operation('createAccount', {
          contract: { payload: contractCode },
          priv: { thresholds: { txThreshold: 1n } },
          initInput: 'born',
        }),
      ],
      [operation('payCoin', { destAddress: contractAddress, input: 'called' }), pay(1n)],
    ];
    for (const [index, list] of operations.entries()) {
      const made = Promise.withResolvers<void>();
      const unwatch = node.watch({ block: () => made.resolve() });
      const { blob, signatures } = signed({ nonce: BigInt(index + 1), operations: list });
      assert.equal((await node.submit(blob, signatures)).refusal, undefined);
      await made.promise;
      unwatch();
    }
  });

  after(() => node.close());

  test('finds nothing wrong with a chain that was left alone, and tells how far it is', async () => {
    const progress: [bigint, bigint][] = [];
    const done = await run(original, { onProgress: (now, total) => progress.push([now, total]) });
    assert.deepEqual([done.blocks, done.transactions, done.head.seq], [blocks, 5n, blocks]);
    assert.ok(done.stateRows > 5);
    assert.deepEqual(progress, [
      [2n, blocks],
      [3n, blocks],
      [4n, blocks],
      [5n, blocks],
      [6n, blocks],
    ]);
    const records = await readRecords(original, 6n, { limit: 10 });
    assert.deepEqual(
      records.map(({ transactionEnv }) => transactionEnv?.trigger !== undefined),
      [false, true, true],
      'what the contract triggered is part of it',
    );
  });

  test('takes a chain of a version that kept no lists of keys', async () => {
    const store = await changed(async (copy) => {
      const rows: Row[] = [];
      for await (const [key] of copy.scanAll(rowsOfBuckets)) rows.push([key, undefined]);
      assert.ok(rows.length > 0);
      return rows;
    });
    assert.equal((await run(store)).blocks, blocks);
  });

  test('waits for a verifier that has too much to do', async () => {
    let refusals = 3;
    const busy: VerifySignature = async (...args) => (refusals-- > 0 ? undefined : verify(...args));
    assert.equal((await run(original, { verify: busy })).blocks, blocks);
  });

  test('does not accept another chain, or none', async () => {
    await assert.rejects(run(original, { rules: testRules({ chainId: 9 }) }), /holds another chain/);
    await assert.rejects(run(new MemoryStore()), /holds no chain/);
  });

  const account = stateRow(stateKeys.account(bob.address));
  const cases: Record<
    string,
    { change: (store: Store) => Iterable<Row> | Promise<Iterable<Row>>; words: RegExp }
  > = {
    'a balance': {
      change: (store) => {
        const entry = fromBinary(AccountSchema, store.get(account) as Uint8Array);
        return [[account, toBinary(AccountSchema, { ...entry, balance: 9n })]];
      },
      words: new RegExp(`state row "saccount/${bob.address}" is not what the blocks lead to`),
    },
    'a missing entry': {
      change: () => [[stateRow(stateKeys.metadata(richest.address, 'l')), undefined]],
      words: /state row "smetadata\/.*\/l" is (missing|not what)/,
    },
    'an entry too many': {
      change: () => [[stateRow(stateKeys.metadata(richest.address, 'zz')), Uint8Array.of(1)]],
      words: /state row ".*" is not what the blocks lead to/,
    },
    'the keys of a bucket': {
      change: () => [[treeBucketRow('', ''), new Uint8Array(32)]],
      words: /state row "k\\u0000" is not what the blocks lead to/,
    },
    'an outcome in history': {
      change: (store) =>
        changeRecord(store, (record) => {
          record.errorCode = 93;
        }),
      words: /block 3 .*: the record of transaction [0-9a-f]{64} differs/,
    },
    'a signature': {
      change: (store) =>
        changeRecord(store, (record) => {
          const data = record.transactionEnv?.signatures[0].signData as Uint8Array;
          data[0] ^= 1;
        }),
      words: /block 3 .*: transaction [0-9a-f]{64} does not belong in it: the signatures/,
    },
    'a blob': {
      change: (store) =>
        changeRecord(store, (record) => {
          if (record.transactionEnv) record.transactionEnv.transaction = Uint8Array.of(255);
        }),
      words: /cannot be read/,
    },
    'a lost record': {
      change: () => [[recordRow(3n, 0), undefined]],
      words: /block 3 .*: 1 transactions, 0 stored/,
    },
    'a triggered transaction that differs': {
      change: async (store) => {
        const [, , record] = await readRecords(store, 6n, { limit: 3 });
        record.errorDesc = 'changed';
        return [[recordRow(6n, 2), toBinary(TransactionEnvStoreSchema, record)]];
      },
      words: /block 6 .*: the record of transaction [0-9a-f]{64} differs/,
    },
    'a signed transaction dressed as a triggered one': {
      change: async (store) => {
        const [record, triggered] = await readRecords(store, 6n, { limit: 2 });
        if (record.transactionEnv) record.transactionEnv.trigger = triggered.transactionEnv?.trigger;
        return [[recordRow(6n, 0), toBinary(TransactionEnvStoreSchema, record)]];
      },
      words: /block 6 .*: 3 records where its transactions lead to 0/,
    },
    'a triggered transaction too many': {
      change: async (store) => {
        const [, triggered] = await readRecords(store, 6n, { limit: 2 });
        const stored = fromBinary(BlockRecordSchema, store.get(blockRow(6n)) as Uint8Array);
        return [
          [recordRow(6n, 3), toBinary(TransactionEnvStoreSchema, triggered)],
          [blockRow(6n), toBinary(BlockRecordSchema, { ...stored, rowCount: 4 })],
        ];
      },
      words: /block 6 .*: 4 records where its transactions lead to 3/,
    },
    'a lost place': {
      change: async (store) => {
        const [{ hash }] = await readRecords(store, 3n, { limit: 1 });
        return [[positionRow(hash), undefined]];
      },
      words: /is not found by its hash/,
    },
    'a header': {
      change: (store) =>
        changeBlock(store, (record) => {
          if (record.header) record.header.reserve = 'changed';
        }),
      words: /block 3 .*: the header is not what its transactions lead to/,
    },
    'a state root': {
      change: (store) =>
        changeBlock(store, (record) => {
          if (record.header) record.header.accountTreeHash = new Uint8Array(32);
        }),
      words: /block 3 .*: the state root is not what its transactions lead to/,
    },
    'a proof': {
      change: (store) =>
        changeBlock(store, (record) => {
          record.proof = new Uint8Array(0);
        }),
      words: /block 3 .*: no validator's proof/,
    },
    'a proof by somebody else': {
      change: (store) =>
        changeBlock(store, (record) => {
          const pbft = fromBinary(PbftProofSchema, record.proof).commits[0].pbft;
          assert.ok(pbft);
          const signature = { publicKey: bob.publicKey, signData: bob.sign(toBinary(PbftSchema, pbft)) };
          record.proof = toBinary(
            PbftProofSchema,
            create(PbftProofSchema, { commits: [{ pbft, signature }] }),
          );
        }),
      words: /no validator's proof/,
    },
    'a proof with a broken signature': {
      change: (store) =>
        changeBlock(store, (record) => {
          const proof = fromBinary(PbftProofSchema, record.proof);
          const data = proof.commits[0].signature?.signData as Uint8Array;
          data[5] ^= 1;
          record.proof = toBinary(PbftProofSchema, proof);
        }),
      words: /no validator's proof/,
    },
    'a count of accounts': {
      change: (store) => {
        const head = fromBinary(HeadRecordSchema, store.get(headRow) as Uint8Array);
        return [[headRow, toBinary(HeadRecordSchema, { ...head, accountCount: 77n })]];
      },
      words: /the head counts 77 accounts, there are 4/,
    },
    'a missing block': { change: () => [[blockRow(2n), undefined]], words: /block 2 is missing/ },
  };
  for (const [name, { change, words }] of Object.entries(cases)) {
    test(`names ${name} that was changed`, async () => {
      await assert.rejects(run(await changed(change)), (error) => {
        assert.ok(error instanceof ChainDamaged, String(error));
        assert.match(error.message, words);
        return true;
      });
    });
  }
});
