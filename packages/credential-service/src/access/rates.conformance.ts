/** What buckets that several processes give from do on every database. Run like `database/store.conformance.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SharedBuckets } from '@symbolon/host/http/rate-sharing';
import {
  freshClock,
  freshVault,
  type MakeRecords,
  present,
  twentyTimes,
} from '../database/testing/records.ts';
import { sweepAll } from '../operation/sweep.ts';
import { createRateRows, type RateParts } from './rate-rows.ts';

const minute = 60_000;

export function registerRateConformance(name: string, make: MakeRecords): void {
  const rowsOf = (database: RateParts['database']): SharedBuckets =>
    createRateRows({ database, vault: freshVault(), clock: freshClock() });
  /** How long one bucket takes until it is full, after so much was given. */
  const give = async (rows: SharedBuckets, bucket: string, ms: number): Promise<number> =>
    present((await rows.add([{ bucket, ms }])).get(bucket));
  const assertAbout = (found: number, wanted: number): void =>
    assert.ok(found <= wanted && found > wanted - 20_000, `${found} is about ${wanted}`);

  test(`${name}: what is given adds up, each bucket for itself`, async (context) => {
    const rows = rowsOf(await make(context));
    assertAbout(await give(rows, 'light key a', minute), minute);
    assertAbout(await give(rows, 'light key a', minute), 2 * minute);
    assertAbout(await give(rows, 'light key b', minute), minute);
    assertAbout(await give(rows, 'heavy key a', 2 * minute), 2 * minute);
    assert.equal((await rows.add([])).size, 0);
    const both = await rows.add([
      { bucket: 'light key b', ms: 0 },
      { bucket: 'new', ms: 0.5 },
    ]);
    assertAbout(present(both.get('light key b')), minute);
    assert.ok(present(both.get('new')) >= 0 && present(both.get('new')) <= 0.5);
  });

  test(`${name}: of many at once nothing is lost`, async (context) => {
    const rows = rowsOf(await make(context));
    const names = Array.from({ length: 50 }, (_, index) => `bucket ${index}`);
    await twentyTimes(async (turn) => {
      // In every order: rows that are taken crosswise would stop each other.
      const given = names.map((_, index) => names[(index * 7 + turn * 13) % names.length] as string);
      await rows.add(given.map((bucket) => ({ bucket, ms: minute })));
    });
    const found = await rows.add(names.map((bucket) => ({ bucket, ms: 0 })));
    for (const bucket of names) {
      const ms = present(found.get(bucket));
      assert.ok(ms <= 20 * minute && ms > 19 * minute, `${bucket}: ${ms}`);
    }
  });

  test(`${name}: who it was cannot be read, and full buckets are forgotten`, async (context) => {
    const database = await make(context);
    const rows = rowsOf(database);
    await give(rows, 'light address 192.0.2.7', 1);
    await give(rows, 'light address 192.0.2.8', 60 * minute);
    const kept = await database.kysely.selectFrom('rates').selectAll().execute();
    assert.equal(kept.length, 2);
    assert.ok(kept.every(({ bucket }) => /^[\w-]{22}$/.test(bucket)));
    const now = Date.now();
    assert.equal((await sweepAll(database.kysely, now)).rates, 0, 'not at once');
    assert.equal((await sweepAll(database.kysely, now + 30 * minute)).rates, 1);
    assert.equal((await sweepAll(database.kysely, now + 90 * minute)).rates, 1);
  });

  test(`${name}: what was full is no debt and no treasure`, async (context) => {
    const rows = rowsOf(await make(context));
    await give(rows, 'a', 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assertAbout(await give(rows, 'a', minute), minute);
  });
}
