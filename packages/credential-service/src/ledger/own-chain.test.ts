/** Whether a ledger is the one that is known, by what it shows of its chain: every way to be another, and what then waits. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { openDatabase } from '@symbolon/host/database/open-database';
import { systemClock } from '@symbolon/host/work/clock';
import { LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { JsonObject } from '@symbolon/wire/json/json';
import { serviceMigrations } from '../database/migrations.ts';
import type { ServiceSchema } from '../database/schema.ts';
import { ownChainLimits } from '../limits/service-limits.ts';
import { guardClient } from './guarded-client.ts';
import { changeOf, createOwnChain } from './own-chain.ts';
import { acceptChain, readKnownChain } from './own-chain-rows.ts';

const known = { genesis: 'g', seq: 7, hash: 'h7', since: 0 };

describe('a chain', () => {
  const cases = [
    ['the same block', { genesis: 'g', head: { seq: 7, hash: 'h7' }, hashAtKnown: 'h7' }, undefined],
    ['later blocks', { genesis: 'g', head: { seq: 9, hash: 'h9' }, hashAtKnown: 'h7' }, undefined],
    ['fewer blocks', { genesis: 'g', head: { seq: 6, hash: 'h6' }, hashAtKnown: undefined }, 'rolledBack'],
    ['its first block', { genesis: 'g', head: { seq: 1, hash: 'g' }, hashAtKnown: undefined }, 'emptied'],
    ['another block', { genesis: 'g', head: { seq: 9, hash: 'x9' }, hashAtKnown: 'x7' }, 'forked'],
    ['another first block', { genesis: 'x', head: { seq: 9, hash: 'x9' }, hashAtKnown: 'x7' }, 'replaced'],
    [
      'a short other chain',
      { genesis: 'x', head: { seq: 2, hash: 'x2' }, hashAtKnown: undefined },
      'replaced',
    ],
  ] as const;
  for (const [name, seen, change] of cases)
    test(`with ${name} is ${change ?? 'the one'}`, () => assert.equal(changeOf(known, seen), change));
});

const notFound = { error_code: codes.notFound, error_desc: 'none', result: null };
/** Of a transaction that is executed in block `e` alone. */
const hashOnFork = 'ee';
const executed = { hash: '00', error_code: 0, error_desc: '', actual_fee: 0, close_time: 0, tx_size: 0 };

/** What a node of nothing but hashes answers; an account is on it from its third block on. */
function answerOf(blocks: readonly string[], url: string): JsonObject {
  const { pathname, searchParams } = new URL(url, 'http://node');
  const found = (result: JsonObject) => ({ error_code: 0, error_desc: '', result });
  if (pathname === '/getAccountBase') return blocks.length > 2 ? found({ address: 'z' }) : notFound;
  if (searchParams.get('hash') === hashOnFork && !blocks.includes('e')) return notFound;
  if (pathname === '/getTransactionHistory')
    return found({
      total_count: 1,
      transactions: [{ ...executed, transaction: {}, ledger_seq: blocks.length }],
    });
  const seq = Number(searchParams.get('seq') ?? blocks.length);
  const hash = blocks[seq - 1];
  return hash === undefined ? notFound : found({ header: { seq, hash } });
}

/** Instead of the newest block, where there is such a thing. */
const headOf = (header: JsonObject | undefined, url: string): JsonObject | undefined =>
  header && url === '/getLedger' ? { error_code: 0, error_desc: '', result: { header } } : undefined;

/** Nodes behind one address: the next request is for the first of `others`, if there is any. */
function fakeLedger(blocks: string[]) {
  const state = {
    blocks,
    others: [] as string[][],
    submitted: 0,
    isAway: false,
    isBroken: false,
    batches: [] as string[][],
    meanwhile: async () => {},
    head: undefined as JsonObject | undefined,
  };
  const client = createLedgerClient(async (_method, path, body): Promise<JsonObject> => {
    if (state.isAway) throw new SdkError('timedOut', 'away', { hint: 'none' });
    if (state.isBroken) {
      state.isBroken = false;
      throw new SdkError('unreachable', 'the connection broke', { hint: 'none' });
    }
    if (path === '/submitTransaction') {
      state.submitted += 1;
      return { error_code: 0, error_desc: '', result: null, results: [], success_count: 1 };
    }
    const node = state.others.shift() ?? state.blocks;
    const { items } = body as { items: { url: string }[] };
    state.batches.push(items.map(({ url }) => url));
    await state.meanwhile();
    return {
      error_code: 0,
      error_desc: '',
      results: items.map(({ url }) => headOf(state.head, url) ?? answerOf(node, url)),
    };
  });
  return { state, client };
}

async function watched(context: TestContext, blocks: string[]) {
  const database = await openDatabase<ServiceSchema>('sqlite::memory:', { onIdleError: () => undefined });
  context.after(() => database.close());
  await database.migrate(serviceMigrations);
  const { state, client } = fakeLedger(blocks);
  const told: (string | undefined)[] = [];
  const open = () =>
    createOwnChain({
      client,
      queries: database.kysely,
      clock: systemClock,
      onChange: (problem) => told.push(problem),
    });
  const chain = open();
  await chain.look();
  return { state, client: guardClient(client, chain), chain, told, open, queries: database.kysely };
}

const isChanged = (error: unknown): boolean => error instanceof Fault && error.code === 'ledgerChanged';
const transaction = { items: [{ transaction_blob: '00' }] };

const isMissing = (error: unknown): boolean => error instanceof LedgerError && error.code === codes.notFound;

describe('the own chain', () => {
  test('is remembered as far as it was seen, by all processes', async (context) => {
    const { state, chain, open, queries } = await watched(context, ['a', 'b']);
    assert.equal((await readKnownChain(queries))?.hash, 'b');
    state.blocks = ['a', 'b', 'c'];
    await chain.look();
    assert.deepEqual(await readKnownChain(queries), { genesis: 'a', seq: 3, hash: 'c', since: 0 });
    const other = open();
    state.blocks = ['a', 'b'];
    await assert.rejects(
      other.ask(async () => undefined),
      isChanged,
    );
    assert.match(other.problem ?? '', /was rolled back: it is at block 2, and was at block 3/);
  });

  test('gets nothing when it is another, from the first moment on', async (context) => {
    const { state, client, chain, told } = await watched(context, ['a', 'b']);
    state.blocks = ['a', 'e', 'f'];
    await assert.rejects(client.submitTransaction(transaction), isChanged);
    assert.equal(state.submitted, 0);
    await assert.rejects(client.getAccountBase({ address: 'z' }), isChanged);
    assert.equal(chain.changes, 1);
    state.blocks = ['a', 'b', 'c'];
    await chain.look();
    await client.submitTransaction(transaction);
    assert.equal(state.submitted, 1);
    assert.equal(told.length, 2);
    assert.equal(told[1], undefined);
  });

  test('is remembered with the block of a receipt before anybody hears of it', async (context) => {
    const { state, client, queries } = await watched(context, ['a', 'b']);
    state.blocks = ['a', 'b', 'c'];
    await client.getTransactionHistory({ hash: '00' });
    assert.equal((await readKnownChain(queries))?.seq, 3);
    state.blocks = ['a', 'd', 'e', 'f'];
    await assert.rejects(client.getTransactionHistory({ hash: '00' }), isChanged);
    assert.equal((await readKnownChain(queries))?.hash, 'c');
  });

  test('is remembered with the block of a receipt although more was known before', async (context) => {
    const { state, client, queries } = await watched(context, ['a', 'b', 'c', 'd']);
    await acceptChain(queries, { genesis: 'a', block: { seq: 2, hash: 'b' }, now: 0 });
    state.blocks = ['a', 'b', 'e'];
    await client.getTransactionHistory({ hash: '00' });
    assert.equal((await readKnownChain(queries))?.hash, 'e');
  });

  test('is not doubted because a ledger does not answer', async (context) => {
    const { state, chain } = await watched(context, ['a']);
    state.isAway = true;
    await assert.rejects(chain.look(), SdkError);
    assert.equal(chain.problem, undefined);
    await assert.rejects(
      chain.ask(async () => undefined),
      SdkError,
    );
  });
});

describe('nodes behind one address', () => {
  const [old, good, fork] = [
    ['a', 'b'],
    ['a', 'b', 'c'],
    ['a', 'b', 'e'],
  ];

  test('of which one is behind are asked until the other answers', async (context) => {
    const { state, client, chain } = await watched(context, good);
    for (const others of [[old], [old, old, fork]]) {
      state.others = [...others];
      const { result } = await client.getAccountBase({ address: 'z' });
      assert.equal(result?.address, 'z');
    }
    assert.equal(chain.problem, undefined);
  });

  test('that are all behind say nothing, although one has come up when it is looked at', async (context) => {
    const { state, client } = await watched(context, good);
    state.others = Array(5).fill(old);
    await assert.rejects(
      client.getAccountBase({ address: 'z' }),
      (error) => isChanged(error) && /The nodes at the ledger's address differ/.test(String(error)),
    );
  });

  test('of which one lacks what another process has seen are not believed', async (context) => {
    const { state, client, open } = await watched(context, old);
    await assert.rejects(client.getAccountBase({ address: 'z' }), isMissing);
    state.blocks = good;
    await open().look();
    state.others = [old];
    assert.equal((await client.getAccountBase({ address: 'z' })).result?.address, 'z');
  });

  test('are looked at one by one: no block of one is remembered for the chain of another', async (context) => {
    const { state, chain, queries } = await watched(context, good);
    state.others = [fork];
    await chain.look();
    assert.deepEqual(await readKnownChain(queries), { genesis: 'a', seq: 3, hash: 'c', since: 0 });
  });

  test('tell of a transaction together with the block that is remembered', async (context) => {
    const { state, client, queries } = await watched(context, old);
    state.batches = [];
    state.blocks = good;
    state.others = [fork];
    await client.getTransactionHistory({ hash: hashOnFork });
    assert.equal((await readKnownChain(queries))?.hash, 'e');
    assert.equal(state.batches.length, 1);
    await assert.rejects(client.getTransactionHistory({ hash: hashOnFork }), isChanged);
  });

  test('tell of a transaction when the one whose block was remembered meanwhile has it', async (context) => {
    const { state, client, queries } = await watched(context, old);
    state.blocks = good;
    state.others = [fork];
    state.meanwhile = () => acceptChain(queries, { genesis: 'a', block: { seq: 3, hash: 'c' }, now: 0 });
    await assert.rejects(client.getTransactionHistory({ hash: hashOnFork }), isMissing);
    assert.equal((await readKnownChain(queries))?.hash, 'c');
  });

  test('tell of a transaction with its block also when another was remembered meanwhile', async (context) => {
    const { state, client, queries } = await watched(context, old);
    state.blocks = ['a', 'b', 'c', 'd'];
    state.others = [fork];
    let isFirst = true;
    state.meanwhile = async () => {
      if (isFirst) await acceptChain(queries, { genesis: 'a', block: { seq: 3, hash: 'c' }, now: 0 });
      isFirst = false;
    };
    const { result } = await client.getTransactionHistory({ hash: '00' });
    assert.equal(result?.transactions[0]?.ledger_seq, 4);
    assert.equal((await readKnownChain(queries))?.seq, 4);
  });

  test('tell nothing of a chain that was given up meanwhile', async (context) => {
    for (const since of [undefined, 7]) {
      const { state, client, queries } = await watched(context, good);
      let isFirst = true;
      state.meanwhile = async () => {
        if (isFirst)
          await acceptChain(queries, {
            genesis: 'a',
            block: { seq: 2, hash: 'f' },
            now: 0,
            ...(since !== undefined && { since }),
          });
        isFirst = false;
      };
      await assert.rejects(client.getTransactionHistory({ hash: '00' }), isChanged);
    }
  });

  test('are not believed when their newest block is none', async (context) => {
    const { state, client, queries } = await watched(context, old);
    for (const hash of ['', undefined]) {
      state.blocks = good;
      state.head = { seq: 3, ...(hash !== undefined && { hash }) };
      await assert.rejects(client.getTransactionHistory({ hash: '00' }), SdkError);
      assert.equal((await readKnownChain(queries))?.hash, 'b');
    }
    state.head = undefined;
    await client.getTransactionHistory({ hash: '00' });
    assert.equal((await readKnownChain(queries))?.hash, 'c');
  });

  test('are asked once more over a new connection when the old one breaks', async (context) => {
    const { state, client } = await watched(context, good);
    state.isBroken = true;
    assert.equal((await client.getAccountBase({ address: 'z' })).result?.address, 'z');
  });
});

describe('what is looked up in the same moment', () => {
  test('takes one request, in which nothing is asked twice', async (context) => {
    const { state, client } = await watched(context, ['a', 'b', 'c']);
    state.batches = [];
    const [base, missing, ...heads] = await Promise.all([
      client.getAccountBase({ address: 'z' }),
      client.getLedger({ seq: 9 }).catch((error) => error),
      client.getLedger({}),
      client.getLedger({}),
    ]);
    assert.equal(base.result?.address, 'z');
    assert.ok(isMissing(missing), 'what one gets is its own');
    assert.deepEqual(
      heads.map(({ result }) => result?.header.hash),
      ['c', 'c'],
    );
    assert.deepEqual(state.batches, [
      ['/getLedger?seq=3', '/getAccountBase?address=z', '/getLedger?seq=9', '/getLedger'],
    ]);
  });

  test('is dropped together where the node lacks the block, and asked again', async (context) => {
    const { state, client } = await watched(context, ['a', 'b', 'c']);
    state.batches = [];
    state.others = [['a', 'b']];
    const found = await Promise.all(['y', 'z'].map((address) => client.getAccountBase({ address })));
    assert.equal(found.length, 2);
    const [dropped, ...again] = state.batches;
    const questions = ['/getAccountBase?address=y', '/getAccountBase?address=z'];
    assert.deepEqual(dropped, ['/getLedger?seq=3', ...questions]);
    // Each waits for itself before it asks again, so they need not meet again.
    assert.deepEqual(
      again
        .flat()
        .filter((url) => url !== '/getLedger?seq=3')
        .sort(),
      questions,
    );
  });

  test('is spread over requests that hold only so much', async (context) => {
    const { state, client } = await watched(context, ['a', 'b', 'c']);
    state.batches = [];
    const { lookUpsTogetherMax } = ownChainLimits;
    const addresses = Array.from({ length: lookUpsTogetherMax + 1 }, (_, index) => `z${index}`);
    await Promise.all(addresses.map((address) => client.getAccountBase({ address })));
    assert.deepEqual(
      state.batches.map((urls) => urls.length),
      [lookUpsTogetherMax + 1, 2],
    );
  });
});
