import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import {
  type Account,
  HeadRecordSchema,
  type LedgerHeader,
  LedgerHeaderSchema,
  ValidatorSetSchema,
} from '@symbolon/core/proto/ledger_pb';
import { LevelStore } from '../store/level-store.ts';
import type { AcknowledgedHead, Row, Store, StoreView } from '../store/store.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { person, richest, validatorPerson } from '../testing/people.ts';
import { addBlock, openTestChain, testRules, verified } from '../testing/test-chain.ts';
import type { Chain } from './chain.ts';
import { ChainDamaged, findBlock, findRecord, readBlock, readLatestRecords } from './chain-reader.ts';
import { hashPairs } from './hash-pairs.ts';
import { blockRow, headRow, stateRow, treeNodeRow, validatorsRow } from './rows.ts';
import { proveState } from './state-proof.ts';

const payment = (nonce: bigint, to = 'bob', amount = 1_000n) =>
  verified({ nonce, operations: [operation('payCoin', { destAddress: person(to).address, amount })] });

/** Headers from the store and from memory differ in how their bytes are held, not in what they say. */
const bytesOf = (header: LedgerHeader) => encodeHex(toBinary(LedgerHeaderSchema, header));

const accountOf = (chain: Chain, address: string) =>
  chain.state.read(stateKeys.account(address)) as Account | undefined;

async function addBlocks(chain: Chain, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await addBlock(chain, [payment(chain.head.txCount + 1n, `somebody ${index % 7}`)]);
  }
}

function tempFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-chain-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Notes which rows the chain asks for one at a time. */
class WatchedStore extends MemoryStore {
  readAlone: string[] = [];

  override view(): StoreView {
    const view = super.view();
    return {
      get: (key) => {
        this.readAlone.push(Buffer.from(key).toString());
        return view.get(key);
      },
      getMany: (keys) => view.getMany(keys),
      scan: (range) => view.scan(range),
      scanAll: (range) => view.scanAll(range),
      close: () => view.close(),
    };
  }
}

/** Rows that can be read before their write is confirmed, as from a disk whose answer is still under way. */
class SlowStore extends MemoryStore {
  #confirmation = Promise.resolve();
  #written = Promise.withResolvers<void>();

  /** The next writes are confirmed when the answer is called. */
  holdConfirmation(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#confirmation = promise;
    this.#written = Promise.withResolvers();
    return resolve;
  }

  untilWritten(): Promise<void> {
    return this.#written.promise;
  }

  override async write(rows: Iterable<Row>, head?: AcknowledgedHead): Promise<void> {
    await super.write(rows, head);
    this.#written.resolve();
    await this.#confirmation;
  }
}

describe('a new chain', () => {
  test('has one block and one account, the same for everybody with its parameters', async () => {
    const [one, other] = [await openTestChain(), await openTestChain()];
    assert.equal(one.head.seq, 1n);
    assert.equal(one.accountCount, 1n);
    assert.equal(bytesOf(one.head), bytesOf(other.head));
    assert.equal(accountOf(one, richest.address)?.balance, 10n ** 17n);
    assert.equal(accountOf(one, validatorPerson.address), undefined);
  });

  test('is another one when any parameter is', async () => {
    const { head } = await openTestChain();
    const variations = [
      { chainId: 1 },
      { slogan: 'x' },
      { genesisBalance: 1 },
      { genesisAddress: person('bob').address },
      { validators: [person('bob').address] },
      { fees: { gasPrice: 2 } },
      { fees: { issueAssetGas: 1 } },
    ];
    const hashes = new Set([encodeHex(head.hash)]);
    for (const genesis of variations)
      hashes.add(encodeHex((await openTestChain(testRules(genesis))).head.hash));
    assert.equal(hashes.size, variations.length + 1);
  });
});

describe('preparing', () => {
  test('changes nothing, however often it is done', async () => {
    const chain = await openTestChain();
    const before = chain.head;
    const first = await chain.prepare([payment(1n)], 1_000n);
    const second = await chain.prepare([payment(1n)], 1_000n);
    assert.deepEqual(second.closed.header, first.closed.header);
    const other = await chain.prepare([payment(1n, 'carol')], 1_000n);
    assert.notDeepEqual(other.closed.header.accountTreeHash, first.closed.header.accountTreeHash);
    assert.equal(chain.head, before);
    assert.equal(accountOf(chain, person('bob').address), undefined);
    const committed = await chain.commit(first, Uint8Array.of(1));
    assert.equal(committed.header.seq, 2n);
  });

  test('reads the accounts that transactions name together', async () => {
    const store = new WatchedStore();
    const names = ['bob', 'carol', 'dave'];
    const first = await openTestChain(testRules(), store);
    await addBlock(
      first,
      names.map((name, index) => payment(BigInt(index) + 1n, name)),
    );
    const chain = await openTestChain(testRules(), store);
    store.readAlone = [];
    await chain.prepare(
      names.map((name, index) => payment(BigInt(index) + 4n, name)),
      chain.head.closeTime + 1n,
    );
    const accounts = store.readAlone.filter((row) => row.startsWith('saccount/'));
    assert.deepEqual(
      accounts,
      [`saccount/${validatorPerson.address}`],
      'only the one that no transaction names',
    );
  });

  test('lets others have their turn between its steps', async () => {
    const chain = await openTestChain();
    let turns = 0;
    let isPrepared = false;
    const count = (): void => {
      turns++;
      if (!isPrepared) setImmediate(count);
    };
    setImmediate(count);
    await chain.prepare([payment(1n)], 1_000n);
    isPrepared = true;
    assert.ok(turns >= 3, `${turns} turns`);
  });

  test('leaves out what does not belong, and says why', async () => {
    const chain = await openTestChain();
    const prepared = await chain.prepare([payment(2n), payment(1n)], 1_000n);
    assert.deepEqual(
      prepared.executed.dropped.map(({ refusal }) => refusal.code),
      [99],
    );
    assert.equal(prepared.executed.records.length, 1);
  });
});

describe('committing', () => {
  test('makes everything visible at once: head, state, records, counters', async () => {
    const chain = await openTestChain();
    const block = await addBlock(chain, [payment(1n), payment(2n, 'carol')]);
    assert.equal(chain.head, block.header);
    assert.equal(chain.head.txCount, 2n);
    assert.equal(accountOf(chain, person('bob').address)?.balance, 1_000n);
    // Bob, Carol and the validator, who got the fees.
    assert.equal(chain.accountCount, 4n);
    const [first] = block.executed.records;
    assert.equal(
      accountOf(chain, validatorPerson.address)?.balance,
      first.actualFee + block.executed.records[1].actualFee,
    );
  });

  test('shows nothing of a block that is on disk already, until all of it can be shown', async () => {
    const store = new SlowStore();
    const chain = await openTestChain(testRules(), store);
    await addBlock(chain, [payment(1n)]);
    const { hash } = payment(2n, 'carol').signed;
    const shown = async () => ({
      seq: chain.head.seq,
      accounts: chain.accountCount,
      nonce: accountOf(chain, richest.address)?.nonce,
      hasRecord: findRecord(chain.rows, hash) !== undefined,
      hasBlock: findBlock(chain.rows, 3n) !== undefined,
      latest: (await readLatestRecords(chain.rows, { start: 0, limit: 9, bytesMax: 1_000_000 })).length,
      isCarolHere: accountOf(chain, person('carol').address) !== undefined,
      provenFor: (await proveState(chain, stateKeys.account(person('carol').address), hashPairs)).header.seq,
    });
    const before = await shown();
    assert.deepEqual(before, {
      seq: 2n,
      accounts: 3n,
      nonce: 1n,
      hasRecord: false,
      hasBlock: false,
      latest: 1,
      isCarolHere: false,
      provenFor: 2n,
    });
    const confirm = store.holdConfirmation();
    const added = addBlock(chain, [payment(2n, 'carol')]);
    await store.untilWritten();
    assert.ok(findRecord(store, hash), 'on disk');
    assert.deepEqual(await shown(), before);
    confirm();
    await added;
    assert.deepEqual(await shown(), {
      seq: 3n,
      accounts: 4n,
      nonce: 2n,
      hasRecord: true,
      hasBlock: true,
      latest: 2,
      isCarolHere: true,
      provenFor: 3n,
    });
  });

  test('shows nothing of a block whose write failed', async () => {
    const store = new MemoryStore();
    const chain = await openTestChain(testRules(), store);
    const { head } = chain;
    const prepared = await chain.prepare([payment(1n)], 1_000n);
    await store.close();
    await assert.rejects(chain.commit(prepared, Uint8Array.of(1)));
    assert.equal(chain.head, head);
    assert.equal(chain.accountCount, 1n);
  });
});

describe('opening a stored chain', () => {
  test('gives the same head, root and counters, and goes on from there', async (context) => {
    const folder = tempFolder(context);
    const rules = testRules();
    const store = await LevelStore.open(folder);
    const chain = await openTestChain(rules, store);
    await addBlocks(chain, 60);
    const { head, accountCount } = chain;
    await store.close();

    const again = await LevelStore.open(folder);
    context.after(() => again.close());
    const reopened = await openTestChain(rules, again);
    assert.equal(bytesOf(reopened.head), bytesOf(head));
    assert.equal(reopened.accountCount, accountCount);
    assert.deepEqual(accountOf(reopened, person('somebody 3').address)?.balance, 9_000n);
    await addBlocks(reopened, 2);
    assert.equal(reopened.head.seq, head.seq + 2n);

    // The same blocks on a chain that was never closed end at the same root.
    const neverClosed = await openTestChain(rules);
    await addBlocks(neverClosed, 60);
    await addBlocks(neverClosed, 2);
    assert.equal(bytesOf(neverClosed.head), bytesOf(reopened.head));
  });

  test('refuses a chain with other parameters', async () => {
    const store = new MemoryStore();
    await openTestChain(testRules(), store);
    await assert.rejects(openTestChain(testRules({ slogan: 'other' }), store), (error) => {
      assert.ok(error instanceof ChainDamaged);
      assert.match(error.message, /holds another chain/);
      return true;
    });
  });

  test('refuses a store that lost its end', async () => {
    const rules = testRules();
    const store = new MemoryStore();
    const chain = await openTestChain(rules, store);
    await addBlocks(chain, 2);
    const older = rowsOf(store);
    await addBlocks(chain, 1);
    // As if the newest batch had never been: the rows are the old ones, the note of what was confirmed is not.
    await store.write([...(await allKeys(store)).map((key): Row => [key, undefined]), ...(await older)]);
    await assert.rejects(
      openTestChain(rules, store),
      /truncated: it ends at block 3, but block 4 was acknowledged/,
    );
  });

  const validatorsOf = (store: Store) => validatorsRow(readBlock(store, 4n).header.validatorsHash);
  const damages: Record<string, { change: (store: Store) => Iterable<Row>; words: RegExp }> = {
    'without a block': { change: () => [[blockRow(3n), undefined]], words: /block 3 is missing/ },
    'with a block that belongs elsewhere': {
      change: (store) => [[blockRow(3n), store.get(blockRow(2n))]],
      words: /block 3 is stored without its header/,
    },
    'whose head row names another block': {
      change: (store) => {
        const head = fromBinary(HeadRecordSchema, store.get(headRow) as Uint8Array);
        return [[headRow, toBinary(HeadRecordSchema, { ...head, hash: new Uint8Array(32) })]];
      },
      words: /block 4 is not the one its successor names/,
    },
    'without its validators': {
      change: (store) => [[validatorsOf(store), undefined]],
      words: /the validators of block 4 are not the ones that it names/,
    },
    'with other validators': {
      change: (store) => {
        const others = create(ValidatorSetSchema, { validators: [{ address: richest.address }] });
        return [[validatorsOf(store), toBinary(ValidatorSetSchema, others)]];
      },
      words: /the validators of block 4 are not the ones that it names/,
    },
    'whose state tree has another root': {
      change: (store) => [[treeNodeRow('', ''), store.get(treeNodeRow('', '')) && undefined]],
      words: /root/,
    },
  };
  for (const [name, { change, words }] of Object.entries(damages)) {
    test(`refuses one ${name}`, async () => {
      const store = new MemoryStore();
      const rules = testRules();
      await addBlocks(await openTestChain(rules, store), 3);
      await store.write(change(store));
      await assert.rejects(openTestChain(rules, store), words);
    });
  }

  test('notices a changed account only where it is used: proofs and verification are for that', async () => {
    const store = new MemoryStore();
    const rules = testRules();
    await addBlocks(await openTestChain(rules, store), 1);
    await store.write([[stateRow(stateKeys.account(richest.address)), Uint8Array.of()]]);
    const chain = await openTestChain(rules, store);
    assert.equal(accountOf(chain, richest.address)?.balance, 0n);
  });
});

const everything = { gte: Uint8Array.of(0), lt: Uint8Array.of(255) };

async function rowsOf(store: Store): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const [key, value] of store.scanAll(everything)) rows.push([key.slice(), value.slice()]);
  return rows;
}

const allKeys = async (store: Store): Promise<Uint8Array[]> => (await rowsOf(store)).map(([key]) => key);
