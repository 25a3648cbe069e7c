/**
 * What every database must do, whichever it is: `database.test.ts` runs this suite on SQLite, and
 * `test/service/database.test.ts` on SQLite in a file and on a real PostgreSQL.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseJson, stringifyJson } from '@symbolon/wire/json/json';
import fc from 'fast-check';
import { type Generated, sql } from 'kysely';
import type { Database, DatabaseOptions } from './database.ts';
import {
  DatabaseError,
  type DatabaseErrorKind,
  DatabaseTooNew,
  isUniqueViolation,
} from './database-error.ts';
import type { Migration } from './migrate.ts';

export interface ConformanceTables {
  person: {
    id: Generated<number>;
    name: string;
    age: number | null;
    photo: Uint8Array | null;
    is_known: number;
    facts: string;
  };
  pet: { name: string; person_id: number };
  counter: { name: string; value: number };
}

/** Answers a way to open one and the same fresh database any number of times; each is closed after the test. */
export type MakeDatabase = (
  context: TestContext,
) => Promise<(options?: DatabaseOptions) => Promise<Database<ConformanceTables>>>;

const migrations: readonly Migration[] = [
  {
    name: '0001-people',
    statements: ({ serial, text, integer, bytes, strict }) => [
      `create table person (id ${serial}, name ${text} not null unique, age ${integer} check (age >= 0),
        photo ${bytes}, is_known ${integer} not null, facts ${text} not null) ${strict}`,
      `create table pet (name ${text} primary key, person_id ${integer} not null references person (id)) ${strict}`,
    ],
  },
  {
    name: '0002-counters',
    statements: ({ text, integer, strict }) => [
      `create table counter (name ${text} primary key, value ${integer} not null) ${strict}`,
    ],
  },
];

const ann = { name: 'ann', age: 30, photo: null, is_known: 1, facts: '{}' };

async function fresh(make: MakeDatabase, context: TestContext, options?: DatabaseOptions) {
  const database = await (await make(context))(options);
  await database.migrate(migrations);
  return database;
}

const ofKind = (kind: DatabaseErrorKind) => (error: unknown) => {
  assert.ok(error instanceof DatabaseError, String(error));
  assert.equal(error.kind, kind, error.message);
  return true;
};

export function registerDatabaseConformance(name: string, make: MakeDatabase): void {
  registerValues(name, make);
  registerErrors(name, make);
  registerTransactions(name, make);
  registerContention(name, make);
  registerMigrations(name, make);
}

function registerValues(name: string, make: MakeDatabase): void {
  test(`${name}: values come back as they went in`, async (context) => {
    const { kysely } = await fresh(make, context);
    const facts = { big: 2n ** 60n, list: [1, 'ä', null] };
    const photo = Buffer.from('xxphotoxx').subarray(2, 7);
    const age = Number.MAX_SAFE_INTEGER;
    const { id } = await kysely
      .insertInto('person')
      .values({ name: 'zoë 😀', age, photo, is_known: 1, facts: stringifyJson(facts) })
      .returning('id')
      .executeTakeFirstOrThrow();
    assert.equal(id, 1);
    const row = await kysely.selectFrom('person').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual(row.photo, Uint8Array.from(Buffer.from('photo')));
    assert.deepEqual([row.name, row.age, row.is_known], ['zoë 😀', age, 1]);
    assert.deepEqual(parseJson(row.facts), facts);
    const counted = await kysely
      .selectFrom('person')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .execute();
    assert.deepEqual(counted, [{ n: 1 }]);
  });

  test(`${name}: any text and bytes survive`, async (context) => {
    const { kysely } = await fresh(make, context);
    const anything = fc.record({
      facts: fc.string({ unit: 'grapheme', maxLength: 200 }).filter((text) => !text.includes('\0')),
      photo: fc.uint8Array({ maxLength: 300 }),
    });
    await kysely.insertInto('person').values(ann).execute();
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        await kysely.updateTable('person').set(value).execute();
        const [row] = await kysely.selectFrom('person').select(['facts', 'photo']).execute();
        assert.deepEqual(row, { ...value });
      }),
      { numRuns: 50 },
    );
  });

  test(`${name}: writes tell how many rows they changed, upserts work, text sorts by its bytes`, async (context) => {
    const { kysely } = await fresh(make, context);
    for (const person of ['b', 'a', 'B', 'ä'])
      await kysely
        .insertInto('person')
        .values({ ...ann, name: person })
        .execute();
    const updated = await kysely
      .updateTable('person')
      .set({ age: 1 })
      .where('name', '<', 'b')
      .executeTakeFirst();
    assert.equal(updated.numUpdatedRows, 2n);
    const sorted = await kysely.selectFrom('person').select('name').orderBy('name').execute();
    assert.deepEqual(
      sorted.map((row) => row.name),
      ['B', 'a', 'b', 'ä'],
    );
    const upsert = (value: number) =>
      kysely
        .insertInto('counter')
        .values({ name: 'x', value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    await upsert(1);
    await upsert(2);
    assert.deepEqual(await kysely.selectFrom('counter').selectAll().execute(), [{ name: 'x', value: 2 }]);
  });
}

function registerErrors(name: string, make: MakeDatabase): void {
  test(`${name}: violations are told by kind, without values`, async (context) => {
    const { kysely } = await fresh(make, context);
    await kysely.insertInto('person').values(ann).execute();
    const insert = (values: object) =>
      kysely
        .insertInto('person')
        .values({ ...ann, name: 'secret-name', ...values })
        .execute();
    const failed = await insert({ name: 'ann' }).catch((error) => error);
    assert.ok(isUniqueViolation(failed));
    assert.doesNotMatch(JSON.stringify({ ...failed, message: failed.message }), /\bann\b/);
    await assert.rejects(insert({ facts: null }), ofKind('notNull'));
    await assert.rejects(insert({ age: -1 }), ofKind('check'));
    await assert.rejects(
      kysely.insertInto('pet').values({ name: 'rex', person_id: 99 }).execute(),
      ofKind('foreignKey'),
    );
    await assert.rejects(sql`select * from nothing`.execute(kysely), ofKind('other'));
    const odd = await insert({ age: 'secret-value' }).catch((error) => error);
    assert.ok(odd instanceof DatabaseError);
    assert.doesNotMatch(odd.message, /secret/);
    assert.equal(isUniqueViolation(new Error('x')), false);
    assert.equal((await kysely.selectFrom('person').select('name').execute()).length, 1);
  });

  test(`${name}: parameters of no column type are refused before they leave`, async (context) => {
    const { kysely } = await fresh(make, context);
    const insert = (values: object) =>
      kysely
        .insertInto('person')
        .values({ ...ann, ...values })
        .execute();
    for (const odd of ['a\0b', '\ud800']) await assert.rejects(insert({ name: odd }), ofKind('text'));
    for (const odd of [1.5, Number.NaN, 2 ** 53, 2n ** 63n, new Date(), { a: 1 }])
      await assert.rejects(insert({ name: odd }), ofKind('other'));
    await assert.rejects(insert({ age: true }), DatabaseError);
  });
}

function registerTransactions(name: string, make: MakeDatabase): void {
  test(`${name}: a transaction is kept as a whole or not at all`, async (context) => {
    const database = await fresh(make, context);
    const add = (value: number, fail: boolean) =>
      database.transaction(async (tx) => {
        await tx
          .insertInto('counter')
          .values({ name: `c${value}`, value })
          .execute();
        if (fail) throw new Error('changed my mind');
        return value;
      });
    assert.equal(await add(1, false), 1);
    await assert.rejects(add(2, true), /changed my mind/);
    await assert.rejects(add(1, false), isUniqueViolation);
    assert.deepEqual(await database.kysely.selectFrom('counter').select('name').execute(), [{ name: 'c1' }]);
  });

  test(`${name}: nobody sees what is not committed`, async (context) => {
    const open = await make(context);
    const [one, other] = [await open(), await open()];
    await one.migrate(migrations);
    const count = async ({ kysely }: typeof one) =>
      (await kysely.selectFrom('counter').selectAll().execute()).length;
    await one.transaction(async (tx) => {
      await tx.insertInto('counter').values({ name: 'x', value: 1 }).execute();
      assert.equal(await count(other), 0);
    });
    assert.deepEqual([await count(one), await count(other)], [1, 1]);
  });

  test(`${name}: a transaction that takes too long is rolled back and others go on`, async (context) => {
    const database = await fresh(make, context, { transactionTimeoutMs: 150 });
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.insertInto('counter').values({ name: 'slow', value: 1 }).execute();
        await delay(400);
        await tx.insertInto('counter').values({ name: 'slow2', value: 1 }).execute();
      }),
    );
    await database.kysely.insertInto('counter').values({ name: 'next', value: 1 }).execute();
    assert.deepEqual(await database.kysely.selectFrom('counter').select('name').execute(), [
      { name: 'next' },
    ]);
  });
}

function registerContention(name: string, make: MakeDatabase): void {
  test(`${name}: transactions that read and write the same row lose nothing`, async (context) => {
    const open = await make(context);
    const databases = [await open(), await open()];
    await databases[0].migrate(migrations);
    await databases[0].kysely.insertInto('counter').values({ name: 'x', value: 0 }).execute();
    const raise = (database: Database<ConformanceTables>) =>
      database.transaction(async (tx) => {
        const { value } = await tx.selectFrom('counter').select('value').executeTakeFirstOrThrow();
        await tx
          .updateTable('counter')
          .set({ value: value + 1 })
          .execute();
      });
    await Promise.all(Array.from({ length: 40 }, (_, index) => raise(databases[index % 2])));
    assert.deepEqual(await databases[1].kysely.selectFrom('counter').select('value').execute(), [
      { value: 40 },
    ]);
  });

  test(`${name}: of many who insert the same, one succeeds, and others in line are not harmed`, async (context) => {
    const { kysely } = await fresh(make, context);
    const insert = (counter: string) =>
      kysely.insertInto('counter').values({ name: counter, value: 1 }).execute();
    const names = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? 'same' : `own${index}`));
    const outcomes = await Promise.allSettled(names.map(insert));
    const same = outcomes.filter((_, index) => index % 3 === 0);
    assert.equal(same.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of same)
      if (outcome.status === 'rejected') assert.ok(isUniqueViolation(outcome.reason));
    assert.ok(outcomes.every(({ status }, index) => index % 3 === 0 || status === 'fulfilled'));
    assert.equal((await kysely.selectFrom('counter').select('name').execute()).length, 201);
  });

  test(`${name}: rules that no single row shows hold among transactions`, async (context) => {
    const database = await fresh(make, context);
    const takeIfNone = (counter: string) =>
      database.transaction(async (tx) => {
        const taken = await tx.selectFrom('counter').select('name').execute();
        if (taken.length === 0) await tx.insertInto('counter').values({ name: counter, value: 1 }).execute();
      });
    await Promise.all(Array.from({ length: 10 }, (_, index) => takeIfNone(`c${index}`)));
    assert.equal((await database.kysely.selectFrom('counter').select('name').execute()).length, 1);
  });
}

function registerMigrations(name: string, make: MakeDatabase): void {
  test(`${name}: migrations run once, also when two start together`, async (context) => {
    const open = await make(context);
    const [one, other] = [await open(), await open()];
    const ran = await Promise.all([one.migrate(migrations), other.migrate(migrations)]);
    assert.deepEqual(ran.flat().sort(), ['0001-people', '0002-counters']);
    assert.deepEqual(await one.migrate(migrations), []);
    const further = { name: '0003-more', statements: () => ['create table more (id integer)'] };
    assert.deepEqual(await other.migrate([...migrations, further]), ['0003-more']);
    await assert.rejects(one.migrate(migrations), (error: Error) => {
      assert.ok(error instanceof DatabaseTooNew);
      assert.match(error.message, /newer program.*0003-more/);
      return true;
    });
  });

  test(`${name}: a migration that fails leaves nothing behind`, async (context) => {
    const database = await fresh(make, context);
    const broken = {
      name: '0003-broken',
      statements: () => ['create table half (id integer)', 'create table half (id integer)'],
    };
    await assert.rejects(database.migrate([...migrations, broken]), /0003-broken/);
    const tables = await database.kysely.introspection.getTables();
    assert.ok(!tables.some((table) => table.name === 'half'));
    assert.deepEqual(await database.migrate(migrations), []);
    await assert.rejects(database.migrate([migrations[1], migrations[0]]), /out of order/);
    await assert.rejects(database.migrate([{ ...migrations[0], name: 'x; drop' }]), /not the name/);
  });

  test(`${name}: a closed database says so`, async (context) => {
    const database = await fresh(make, context);
    await database.ping();
    await database.close();
    await assert.rejects(database.ping());
    await database.close();
  });
}
