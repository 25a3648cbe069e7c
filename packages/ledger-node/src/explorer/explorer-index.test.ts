import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { isRefusal } from '@symbolon/wire/http/envelope';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { explorerRoutes } from '@symbolon/wire/ledger/explorer/routes';
import type { Chain } from '../chain/chain.ts';
import { readRecords, storedTransaction } from '../chain/chain-reader.ts';
import { rowsOfState } from '../chain/rows.ts';
import { LevelStore } from '../store/level-store.ts';
import type { Store } from '../store/store.ts';
import { busyChain, type Naive, naiveWalk } from '../testing/busy-chain.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { richest } from '../testing/people.ts';
import { ExplorerIndex } from './explorer-index.ts';
import { parseBlockRows, readBlockRows } from './fed-block.ts';
import { answerFromIndex, type IndexRequest, type IndexRouteName } from './index-queries.ts';

async function indexOf(chain: Chain, store: Store, to = chain.head.seq): Promise<ExplorerIndex> {
  const index = new ExplorerIndex(store, chain.rules);
  for (let seq = index.reached.totals.seq + 1n; seq <= to; seq++)
    await index.add(parseBlockRows(await readBlockRows(chain.rows, seq)), async () => {});
  return index;
}

describe('the index', () => {
  let chain: Chain;
  let naive: Naive;
  const store = new MemoryStore();

  before(async () => {
    chain = await busyChain({ seed: 7, blocks: 40 });
    naive = await naiveWalk(chain);
    await indexOf(chain, store);
  });

  async function ask<Name extends IndexRouteName>(
    name: Name,
    request: IndexRequest<Name>,
  ): Promise<JsonObject> {
    const answer = await answerFromIndex(store, name, { request, headSeq: chain.head.seq });
    assert.ok(!isRefusal(answer), JSON.stringify(answer));
    const reply = parseJson(answer) as JsonObject;
    explorerRoutes[name].reply.parse(reply);
    return reply.result as JsonObject;
  }

  /** Every page of a list, of so many items each. */
  async function all<Name extends IndexRouteName>(
    name: Name,
    member: string,
    request: Omit<IndexRequest<Name>, 'cursor' | 'limit'>,
    limit = 7,
  ): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = await ask(name, { ...request, cursor, limit } as unknown as IndexRequest<Name>);
      items.push(...(page[member] as JsonObject[]));
      assert.ok((page[member] as JsonObject[]).length <= limit);
      if (page.next_cursor === null) return items;
      cursor = page.next_cursor as string;
    }
  }

  const hashes = (items: readonly JsonObject[]) => items.map(({ hash }) => hash);

  test('lists every transaction that a walk over the blocks finds, newest first', async () => {
    const listed = await all('getTransactions', 'transactions', { which: 'all', seq: undefined });
    assert.deepEqual(hashes(listed), naive.all.map(({ hash }) => hash).reverse());
    assert.ok(
      naive.all.some(({ isTriggered }) => isTriggered) && naive.all.some(({ errorCode }) => errorCode),
    );
    const signed = await all('getTransactions', 'transactions', { which: 'signed', seq: undefined }, 1);
    assert.deepEqual(
      hashes(signed),
      naive.all.flatMap(({ hash, isTriggered }) => (isTriggered ? [] : [hash])).reverse(),
    );
    const failed = await all('getTransactions', 'transactions', { which: 'failed', seq: undefined });
    assert.deepEqual(
      hashes(failed),
      naive.all.flatMap(({ hash, errorCode }) => (errorCode ? [hash] : [])).reverse(),
    );
    for (let seq = 1n; seq <= chain.head.seq; seq++) {
      const ofBlock = await all('getTransactions', 'transactions', { which: 'all', seq }, 3);
      assert.deepEqual(
        hashes(ofBlock),
        naive.all.flatMap((one) => (one.seq === seq ? [one.hash] : [])),
      );
    }
  });

  test('shows each as its record has it', async () => {
    const listed = await all('getTransactions', 'transactions', { which: 'all', seq: undefined });
    for (let seq = 2n; seq <= chain.head.seq; seq++) {
      for (const [index, record] of (await readRecords(chain.rows, seq, { limit: 10_000 })).entries()) {
        const transaction = storedTransaction(record);
        const short = listed.find(({ hash }) => hash === encodeHex(record.hash));
        assert.deepEqual(
          [
            short?.ledger_seq,
            short?.index,
            short?.error_code,
            short?.actual_fee,
            short?.nonce,
            short?.source_address,
          ],
          [
            Number(seq),
            index,
            record.errorCode,
            Number(record.actualFee),
            Number(transaction.nonce),
            transaction.sourceAddress,
          ],
        );
        assert.equal(short?.operation_count, transaction.operations.length);
      }
    }
  });

  test('lists the transactions of each account', async () => {
    for (const [address, own] of naive.byAccount) {
      const listed = await all('getAccountTransactions', 'transactions', { address }, 5);
      assert.deepEqual(
        listed.map(({ hash, roles }) => [hash, [...(roles as string[])].sort()]),
        [...own].reverse().map(({ hash, roles }) => [hash, [...roles].sort()]),
        address,
      );
    }
  });

  test('lists the accounts of the state, with their number of transactions', async () => {
    const listed = await all('getAccounts', 'accounts', { contractsOnly: false }, 4);
    assert.deepEqual(listed.map(({ address }) => address).sort(), [...naive.accounts.keys()].sort());
    for (const { address, is_contract: isContract, transaction_count: count } of listed) {
      assert.equal(isContract, naive.accounts.get(address as string)?.isContract);
      assert.equal(count, naive.byAccount.get(address as string)?.length ?? 0);
    }
    const seqs = listed.map(({ created_seq: seq }) => Number(seq));
    assert.deepEqual(
      seqs,
      [...seqs].sort((a, b) => b - a),
    );
    const contracts = await all('getAccounts', 'accounts', { contractsOnly: true });
    assert.deepEqual(
      contracts.map(({ address }) => address).sort(),
      [...naive.accounts].flatMap(([address, { isContract }]) => (isContract ? [address] : [])).sort(),
    );
  });

  test('has the figures of every block', async () => {
    const listed = await all('getLedgerFigures', 'ledgers', { from: 1n, to: undefined });
    assert.deepEqual(
      listed.map(({ seq, transaction_count, failed_count, triggered_count, operation_count, fees }) => ({
        seq,
        transaction_count,
        failed_count,
        triggered_count,
        operation_count,
        fees,
      })),
      [...naive.figures].reverse(),
    );
    const some = await all('getLedgerFigures', 'ledgers', { from: 3n, to: 9n }, 2);
    assert.deepEqual(
      some.map(({ seq }) => seq),
      [9, 8, 7, 6, 5, 4, 3],
    );
    assert.deepEqual(await all('getLedgerFigures', 'ledgers', { from: 900n, to: undefined }), []);
  });

  test('knows the balance of every account before and after each transaction', async () => {
    const balances = new Map<string, bigint>([[richest.address, chain.rules.parameters.genesisBalance]]);
    const validators = new Set(chain.validators.validators.map(({ address }) => address));
    for (const { hash, isTriggered } of naive.all) {
      if (isTriggered) continue;
      const effects = await ask('getTransactionEffects', { hash: Buffer.from(hash, 'hex') });
      assert.equal(effects.hash, hash);
      for (const { address, balance, is_created: isCreated } of effects.accounts as JsonObject[]) {
        // What validators earn is no transaction's.
        if (!balance || validators.has(address as string)) continue;
        const { before: old, after } = balance as JsonObject;
        assert.equal(BigInt(old as number), balances.get(address as string) ?? 0n);
        assert.equal(isCreated === true, !balances.has(address as string));
        balances.set(address as string, BigInt(after as number));
      }
    }
    for (const [address, balance] of balances)
      if (!validators.has(address)) assert.equal(balance, chain.state.account(address)?.balance);
  });

  test('has executed itself into the state of the chain', async () => {
    const [range] = rowsOfState;
    const [expected, own] = await Promise.all(
      [chain.rows, store].map((rows) => rows.scan({ ...range, limit: 10_000 })),
    );
    assert.deepEqual(own, expected);
  });

  test('shows logs, storage and what was triggered', async () => {
    const found: JsonObject[] = [];
    for (const { hash, isTriggered } of naive.all) {
      const effects = await ask('getTransactionEffects', { hash: Buffer.from(hash, 'hex') });
      if (isTriggered) assert.ok((effects.triggered as JsonObject[]).some((one) => one.hash === hash));
      else if ((effects.triggered as JsonObject[]).length > 0) found.push(effects);
    }
    const [effects] = found;
    assert.ok((effects.logs as JsonObject[]).some(({ topic }) => topic === '<b>called</b>'));
    const stored = (effects.accounts as JsonObject[]).find(({ metadatas }) => metadatas);
    assert.deepEqual(stored?.metadatas, [
      { key: 'count', before: null, after: { value: '1', value_chars: 1, version: 1 } },
    ]);
  });

  test('finds by number, by hash, by address, and by how these begin', async () => {
    const kinds = async (text: string) =>
      ((await ask('searchLedger', { text })).results as JsonObject[]).map(({ kind }) => kind);
    assert.deepEqual(await kinds('3'), ['block']);
    assert.deepEqual(await kinds('900'), []);
    const { hash } = naive.all[0];
    assert.deepEqual(await kinds(hash), ['transaction']);
    for (const length of [4, 5, 8, 63]) {
      const { results } = await ask('searchLedger', { text: hash.slice(0, length).toUpperCase() });
      assert.ok((results as JsonObject[]).some((result) => result.hash === hash));
    }
    assert.deepEqual(await kinds(encodeHex(chain.head.hash)), ['block']);
    assert.deepEqual(await kinds(richest.address), ['account']);
    assert.deepEqual(await kinds(`${richest.address}x`), []);
    assert.ok((await kinds('ZTX3')).length >= 3);
    assert.deepEqual(await kinds('\ud800\ud800\ud800\ud800'), []);
  });

  test('refuses cursors of another list, changed ones and no cursors at all', async () => {
    const { next_cursor: cursor } = await ask('getTransactions', {
      which: 'signed',
      seq: undefined,
      cursor: undefined,
      limit: 1,
    });
    assert.ok(typeof cursor === 'string');
    const flipped = `${cursor[0] === 'A' ? 'B' : 'A'}${cursor.slice(1)}`;
    for (const bad of [flipped, cursor.slice(1), `${cursor}=`, '', 'x', '\u0000']) {
      const request = { which: 'signed', seq: undefined, cursor: bad, limit: 1 } as const;
      const answer = await answerFromIndex(store, 'getTransactions', { request, headSeq: 1n });
      assert.ok(isRefusal(answer) && answer.code === 2, bad);
    }
    const elsewhere = { address: richest.address, cursor, limit: 1 };
    const answer = await answerFromIndex(store, 'getAccountTransactions', {
      request: elsewhere,
      headSeq: 1n,
    });
    assert.ok(isRefusal(answer) && answer.code === 2);
  });

  test('goes on from a cursor where it was, whatever blocks have come', async () => {
    const shorter = new MemoryStore();
    await indexOf(chain, shorter, 20n);
    const request = { which: 'signed', seq: undefined, cursor: undefined, limit: 5 } as const;
    const first = parseJson(
      (await answerFromIndex(shorter, 'getTransactions', { request, headSeq: 20n })) as string,
    );
    const cursor = ((first as JsonObject).result as JsonObject).next_cursor as string;
    const [early, late] = await Promise.all(
      [shorter, store].map(async (rows) => {
        const answer = await answerFromIndex(rows, 'getTransactions', {
          request: { ...request, cursor },
          headSeq: 20n,
        });
        return ((parseJson(answer as string) as JsonObject).result as JsonObject).transactions;
      }),
    );
    assert.deepEqual(late, early);
  });

  test('is the same whether it is made at once or goes on after each opening', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'symbolon-explorer-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    for (const to of [1n, 2n, 17n, 18n, chain.head.seq]) {
      const level = await LevelStore.open(folder, { isScratch: true });
      await indexOf(chain, level, to);
      await level.close();
    }
    const level = await LevelStore.open(folder);
    const everything = { gte: Uint8Array.of(0), lt: Uint8Array.of(0xff), limit: 10_000 };
    assert.deepEqual(await level.scan(everything), await store.scan(everything));
    await level.close();
  });

  test('adds no block that ends differently when it is executed again', async () => {
    const index = await indexOf(chain, new MemoryStore(), 2n);
    const block = parseBlockRows(await readBlockRows(chain.rows, 3n));
    const [first, ...others] = block.records;
    const lying = { ...block, records: [{ ...first, actualFee: first.actualFee + 1n }, ...others] };
    await assert.rejects(
      index.add(lying, async () => {}),
      /ends differently/,
    );
    const fourth = parseBlockRows(await readBlockRows(chain.rows, 4n));
    await assert.rejects(
      index.add(fourth, async () => {}),
      /does not follow/,
    );
  });
});
