/** Whether a ledger is the one that is known, by what it shows of its chain: every way to be another, and what then waits. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Fault } from '@symbolon/core/faults';
import { codes } from '@symbolon/core/ledger/codes';
import { systemClock } from '@symbolon/host/clock';
import { openDatabase } from '@symbolon/host/database/open-database';
import { LedgerError, SdkError } from '@symbolon/sdk/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger-client';
import { serviceMigrations } from '../store/migrations.ts';
import { readKnownChain } from '../store/own-chain.ts';
import type { ServiceSchema } from '../store/schema.ts';
import { guardClient } from './guarded-client.ts';
import { changeOf, createOwnChain } from './own-chain.ts';

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

/** A ledger of nothing but hashes. */
function fakeLedger(blocks: string[]) {
  const state = { blocks, submitted: 0, isAway: false };
  const client = {
    async getLedger({ seq = state.blocks.length }: { seq?: number } = {}) {
      if (state.isAway) throw new SdkError('timedOut', 'away', { hint: 'none' });
      const hash = state.blocks[Number(seq) - 1];
      if (hash === undefined) throw new LedgerError(codes.notFound, 'none', {}, 'getLedger');
      return { error_code: 0, result: { header: { seq: Number(seq), hash } } };
    },
    async submitTransaction() {
      state.submitted += 1;
      return { error_code: 0 };
    },
    async getTransactionHistory() {
      return { error_code: 0, result: { transactions: [{ ledger_seq: state.blocks.length }] } };
    },
    async getAccountBase() {
      return { error_code: 0 };
    },
  } as unknown as LedgerClient;
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

describe('the own chain', () => {
  test('is remembered as far as it was seen, by all processes', async (context) => {
    const { state, chain, open, queries } = await watched(context, ['a', 'b']);
    assert.equal((await readKnownChain(queries))?.hash, 'b');
    state.blocks = ['a', 'b', 'c'];
    await chain.look();
    assert.deepEqual(await readKnownChain(queries), { genesis: 'a', seq: 3, hash: 'c', since: 0 });
    const other = open();
    state.blocks = ['a', 'b'];
    await assert.rejects(other.confirm(), isChanged);
    assert.match(other.problem ?? '', /was rolled back: it is at block 2, and was at block 3/);
  });

  test('gets nothing when it is another, from the first moment on', async (context) => {
    const { state, client, chain, told } = await watched(context, ['a', 'b']);
    state.blocks = ['a', 'x', 'y'];
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
    state.blocks = ['a', 'x', 'y', 'z'];
    await assert.rejects(client.getTransactionHistory({ hash: '00' }), isChanged);
    assert.equal((await readKnownChain(queries))?.hash, 'c');
  });

  test('is not doubted because a ledger does not answer', async (context) => {
    const { state, chain } = await watched(context, ['a']);
    state.isAway = true;
    await assert.rejects(chain.look(), SdkError);
    assert.equal(chain.problem, undefined);
    await assert.rejects(chain.confirmFacts(), { code: 'ledgerUnreachable' });
  });
});
