/** How slots of status lists are taken, on every database: `slot-rows.test.ts` and `test/service/store-postgres.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceDatabase } from '../database/schema.ts';
import { did, freshId, issuer, type MakeRecords, start } from '../database/testing/records.ts';
import { statusListWorkLimits as limits } from '../limits/service-limits.ts';
import { findSignedList, keepSignedList } from './signed-list-rows.ts';
import { hasList, slotsBehind, slotsOf, takeSlots } from './slot-rows.ts';

const take = (
  database: ServiceDatabase,
  count: number,
  more: { slots?: number; vcId?: string; by?: string } = {},
) =>
  database.transaction((queries) =>
    takeSlots(queries, {
      issuer: more.by ?? issuer,
      vcId: more.vcId ?? freshId(),
      count,
      now: start,
      ...(more.slots && { slots: more.slots }),
    }),
  );

export function registerSlotConformance(name: string, make: MakeRecords): void {
  test(`${name}: fifty issuers at once, and no slot is given twice`, async (context) => {
    const database = await make(context);
    const vcIds = Array.from({ length: 50 }, freshId);
    const taken = await Promise.all(vcIds.map((vcId) => take(database, 4, { vcId, slots: 256 })));
    const all = taken.flat().map(({ list, slot }) => `${list}/${slot}`);
    assert.equal(all.length, 200);
    assert.equal(new Set(all).size, 200);
    for (const ones of taken) assert.equal(new Set(ones.map(({ list }) => list)).size, 1, 'one list');
    const rows = await slotsBehind(database.kysely, { issuer, list: 0 }, 0);
    assert.deepEqual(
      rows.map(({ place }) => place),
      rows.map((_row, index) => index + 1),
    );
    const own = await slotsOf(database.kysely, { issuer, list: 0 }, [vcIds[7]]);
    assert.deepEqual(own.map(({ slot }) => slot).sort(), taken[7].map(({ slot }) => slot).sort());
  });

  test(`${name}: slots of a list do not come in sequence, and a full list is followed by the next`, async (context) => {
    const database = await make(context);
    const slots = 64;
    const perList = Math.floor(slots * limits.takenShare);
    const taken = [];
    for (let index = 0; index < perList + 5; index++) taken.push(...(await take(database, 1, { slots })));
    assert.equal(taken.filter(({ list }) => list === 0).length, perList);
    assert.equal(taken.filter(({ list }) => list === 1).length, 5);
    const first = taken.slice(0, perList).map(({ slot }) => slot);
    assert.notDeepEqual(
      first,
      [...first].sort((a, b) => a - b),
    );
    assert.ok(first.every((slot) => slot >= 0 && slot < slots));
  });

  test(`${name}: what is rolled back has taken nothing; issuers have lists of their own`, async (context) => {
    const database = await make(context);
    const failing = database.transaction(async (queries) => {
      await takeSlots(queries, { issuer, vcId: freshId(), count: 3, now: start });
      throw new Error('the issue fails');
    });
    await assert.rejects(failing, /the issue fails/);
    assert.equal(await hasList(database.kysely, { issuer, list: 0 }), false);
    await take(database, 1);
    await take(database, 1, { by: did('c') });
    assert.equal((await slotsBehind(database.kysely, { issuer, list: 0 }, 0)).length, 1);
    assert.equal(await hasList(database.kysely, { issuer: did('c'), list: 0 }), true);
    assert.equal(await hasList(database.kysely, { issuer: did('d'), list: 0 }), false);
  });

  test(`${name}: a signed list never goes back to older facts`, async (context) => {
    const { kysely } = await make(context);
    const list = (seq: number) => ({
      uri: 'https://a.example/0',
      seq,
      text: `of ${seq}`,
      readAt: start,
      expiresAt: start + 1,
    });
    for (const seq of [5, 7, 6, 7]) await keepSignedList(kysely, list(seq));
    assert.equal((await findSignedList(kysely, 'https://a.example/0'))?.text, 'of 7');
  });
}
