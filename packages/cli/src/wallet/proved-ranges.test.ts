import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { parsed } from '@symbolon/core/credential/testing/sample-credentials';
import type { RangeClaim } from '@symbolon/core/documents/model';
import { areTelling } from '@symbolon/sdk/orders/disclosure-plan';
import { walletLimits } from '../limits/command-limits.ts';
import { countRanges } from './proved-ranges.ts';
import { openWalletDatabase } from './wallet-database.ts';

const nowMs = Date.UTC(2026, 5, 15, 12);
const bound = (max: number, attribute = 'height') => ({ attribute, max });

async function openDatabase(context: TestContext) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-ranges-'));
  const database = await openWalletDatabase(folder);
  context.after(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return database;
}

test('a few bounds of an attribute are answered, as often as they are asked, and no others', async (context) => {
  const database = await openDatabase(context);
  const { rangesPerAttributeMax } = walletLimits;
  for (let max = 0; max < rangesPerAttributeMax; max++)
    countRanges(database, [bound(max), bound(max)], { nowMs });
  assert.throws(() => countRanges(database, [bound(100)], { nowMs }), /would tell the value/);
  assert.throws(
    () => countRanges(database, [{ attribute: 'height', min: 1 }], { nowMs }),
    /would tell the value/,
  );
  countRanges(database, [bound(0)], { nowMs });
  countRanges(database, [bound(100, 'income')], { nowMs });
});

test('more than a few at once are refused, and none of them is counted', async (context) => {
  const database = await openDatabase(context);
  const many = Array.from({ length: walletLimits.rangesPerAttributeMax + 1 }, (_, max) => bound(max));
  assert.throws(() => countRanges(database, many, { nowMs }), /would tell the value/);
  countRanges(database, many.slice(1), { nowMs });
});

test('another day begins anew', async (context) => {
  const database = await openDatabase(context);
  const many = Array.from({ length: walletLimits.rangesPerAttributeMax }, (_, max) => bound(max));
  countRanges(database, many, { nowMs });
  countRanges(database, [bound(99)], { nowMs: nowMs + 86_400_000 });
  assert.throws(() => countRanges(database, [...many, bound(98)], { nowMs: nowMs + 86_400_000 }));
});

test('a clock that goes back does not begin the day again', async (context) => {
  const database = await openDatabase(context);
  const many = Array.from({ length: walletLimits.rangesPerAttributeMax }, (_, max) => bound(max));
  countRanges(database, many, { nowMs });
  for (const earlierMs of [1, 2, 400].map((days) => nowMs - days * 86_400_000))
    assert.throws(() => countRanges(database, [bound(99)], { nowMs: earlierMs }), /would tell the value/);
});

test('bounds of one day that tell the value together are refused, and not counted', async (context) => {
  const database = await openDatabase(context);
  const { credential } = parsed();
  const { attributes } = credential.credentialSchema;
  const order = (...mayReveal: string[]) => ({
    nowMs,
    isTold: (attribute: string, claims: readonly RangeClaim[]) =>
      !mayReveal.includes(attribute) && areTelling(attributes, attribute, claims),
  });
  countRanges(database, [{ attribute: 'points', max: 250 }], order());
  const other = [{ attribute: 'points', min: 250 }];
  assert.throws(() => countRanges(database, other, order()), /would tell the value/);
  countRanges(database, [{ attribute: 'points', min: 100 }], order());
  countRanges(database, [{ attribute: 'points', min: 900 }], order());
  countRanges(database, other, order('points'));
});
