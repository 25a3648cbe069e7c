/** Requests with an idempotency key whose database goes away before it hears how they have ended. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from '@symbolon/host/database/common/database-error';
import type { Queries } from '../database/schema.ts';
import { freshClock, freshVault, sqliteRecords } from '../database/testing/records.ts';
import { renewWorker } from '../database/workers.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { createIdempotencyStore } from './idempotency.ts';

const request = { key: 'k', caller: 'key:one', fingerprint: 'f' };
const answer = { status: 200, contentType: 'text/plain', text: 'done' };
const failing = new DatabaseError('failed', 'nobody there');

async function storeOf(context: TestContext) {
  const database = await sqliteRecords(context);
  await renewWorker(database, 'worker');
  let trouble: { readonly before?: Error; readonly after?: Error } = {};
  // Statements fail before they are done, or are done and nobody hears of it.
  const queries = new Proxy(database.kysely, {
    get(target, name) {
      const made = Reflect.get(target, name);
      if (typeof made !== 'function') return made;
      return (...args: unknown[]) => failingAt(made.apply(target, args), () => trouble);
    },
  });
  const ending = new AbortController();
  context.after(() => ending.abort());
  const store = createIdempotencyStore({
    queries: queries as Queries,
    vault: freshVault(),
    clock: freshClock(),
    worker: 'worker',
    signal: ending.signal,
  });
  return {
    store,
    ending,
    fail: (next: typeof trouble) => {
      trouble = next;
    },
  };
}

/** A statement as it is built, whose execution fails as long as it is told to. */
function failingAt(statement: unknown, trouble: () => { before?: Error; after?: Error }): unknown {
  if (typeof statement !== 'object' || statement === null) return statement;
  return new Proxy(statement, {
    get(target, name) {
      const made = Reflect.get(target, name);
      if (typeof made !== 'function') return made;
      return (...args: unknown[]) => {
        if (!String(name).startsWith('execute')) return failingAt(made.apply(target, args), trouble);
        const { before, after } = trouble();
        if (before) return Promise.reject(before);
        const done = made.apply(target, args) as Promise<unknown>;
        return after ? done.then(() => Promise.reject(after)) : done;
      };
    },
  });
}

const whileAway = () => sleep(recordLimits.idempotencyRetryMs * 3);

async function untilGone(begin: () => Promise<{ outcome: string }>): Promise<string> {
  for (let turn = 0; turn < 100; turn++) {
    const { outcome } = await begin();
    if (outcome !== 'inProgress') return outcome;
    await sleep(50);
  }
  return 'inProgress';
}

test('a key that could not be released is, when the database is back', async (context) => {
  const { store, fail } = await storeOf(context);
  const begun = await store.begin(request);
  assert.ok(begun.outcome === 'go');
  fail({ before: failing });
  await assert.rejects(begun.release(), failing);
  await whileAway();
  fail({});
  assert.equal(await untilGone(() => store.begin(request)), 'go');
});

test('an answer that could not be kept is, and told again', async (context) => {
  const { store, fail } = await storeOf(context);
  const begun = await store.begin(request);
  assert.ok(begun.outcome === 'go');
  fail({ before: failing });
  await assert.rejects(begun.finish(answer), failing);
  await whileAway();
  fail({});
  assert.equal(await untilGone(() => store.begin(request)), 'replay');
});

test('a beginning of which nobody has heard is taken back', async (context) => {
  const { store, fail } = await storeOf(context);
  fail({ after: failing });
  await assert.rejects(store.begin(request), failing);
  fail({});
  assert.equal(await untilGone(() => store.begin(request)), 'go');
});

test('what is wrong otherwise is not tried again, nor is anything after the end', async (context) => {
  const { store, fail, ending } = await storeOf(context);
  const begun = await store.begin(request);
  assert.ok(begun.outcome === 'go');
  fail({ before: new DatabaseError('check', 'a defect') });
  await assert.rejects(begun.release());
  fail({});
  await whileAway();
  assert.equal((await store.begin(request)).outcome, 'inProgress');
  fail({ before: failing });
  await assert.rejects(begun.release(), failing);
  ending.abort();
  fail({});
  await whileAway();
  assert.equal((await store.begin(request)).outcome, 'inProgress');
});
