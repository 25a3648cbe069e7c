/** Turns at an issuer's account: one at a time, the next kept for whoever has to sign anew, nobody kept for ever. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIssuerLines } from './issuer-lines.ts';

const { signal } = new AbortController();
const account = 'issuer';

describe('a line', () => {
  test('lets one blob at a time, first come, first served; other accounts go on', async () => {
    const lines = createIssuerLines();
    const order: string[] = [];
    const take = (purpose: string, at = account) =>
      lines.inTurn({ account: at, purpose, signal }, async () => {
        order.push(`${purpose} begins`);
        await sleep(5);
        order.push(`${purpose} ends`);
      });
    await Promise.all([take('A'), take('B'), take('C')]);
    assert.deepEqual(order, ['A begins', 'A ends', 'B begins', 'B ends', 'C begins', 'C ends']);
    let isOther = false;
    await lines.inTurn({ account, purpose: 'D', signal }, async () => {
      await lines.inTurn({ account: 'another', purpose: 'E', signal }, async () => {
        isOther = true;
      });
    });
    assert.ok(isOther);
  });

  test('keeps the next turn for a blob that is being signed', async () => {
    const lines = createIssuerLines(60_000);
    const order: string[] = [];
    const take = (purpose: string, work = () => {}) =>
      lines.inTurn({ account, purpose, signal }, async () => {
        order.push(purpose);
        work();
      });
    await take('first', () => lines.keepTurn({ account, purpose: 'signed anew' }));
    const waiting = take('waits');
    await sleep(5);
    assert.deepEqual(order, ['first']);
    await Promise.all([take('signed anew'), waiting]);
    assert.deepEqual(order, ['first', 'signed anew', 'waits']);
  });

  test('stands still as long as one turn lasts', async () => {
    const lines = createIssuerLines();
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = lines.inTurn({ account, purpose: 'A', signal }, () => promise);
    const second = lines.inTurn({ account, purpose: 'B', signal }, async () => lines.stillMs(account));
    await sleep(30);
    assert.ok(lines.stillMs(account) >= 25);
    resolve();
    assert.ok((await second) < 25, 'a turn has begun');
    await first;
    assert.equal(lines.stillMs('another'), 0);
  });

  test('gives the turn to the next when nobody comes', async () => {
    const lines = createIssuerLines(10);
    await lines.inTurn({ account, purpose: 'A', signal }, async () =>
      lines.keepTurn({ account, purpose: 'never' }),
    );
    assert.equal(await lines.inTurn({ account, purpose: 'B', signal }, async () => 'done'), 'done');
  });

  test('a turn that fails is over; who stops waiting leaves', async () => {
    const lines = createIssuerLines();
    const ending = new AbortController();
    const failing = lines.inTurn({ account, purpose: 'A', signal }, () => Promise.reject(new Error('no')));
    const leaving = lines.inTurn({ account, purpose: 'B', signal: ending.signal }, async () => 'never');
    ending.abort();
    await assert.rejects(failing, /no/);
    await assert.rejects(leaving, { name: 'AbortError' });
    assert.equal(await lines.inTurn({ account, purpose: 'C', signal }, async () => 'done'), 'done');
  });
});
