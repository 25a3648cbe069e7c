import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import fc from 'fast-check';
import { registerListConformance } from '../desks/lists.conformance.ts';
import { registerOwnChainConformance } from '../ledger/own-chain-rows.conformance.ts';
import { registerOfferConformance } from '../offers/offers.conformance.ts';
import { registerOpenidConformance } from '../openid-issuance/openid-rows.conformance.ts';
import { registerPaymentsConformance } from '../payments/payment-rows.conformance.ts';
import { registerSessionConformance } from '../sessions/sessions.conformance.ts';
import { versionKeyOf } from '../templates/template-rows.ts';
import { registerTrustConformance } from '../trust/trust.conformance.ts';
import { registerRecordsConformance } from './records.conformance.ts';
import { registerStoreConformance } from './store.conformance.ts';
import { sqliteRecords } from './testing/records.ts';

registerStoreConformance('sqlite', sqliteRecords);
registerRecordsConformance('sqlite', sqliteRecords);
registerOwnChainConformance('sqlite', sqliteRecords);
registerSessionConformance('sqlite', sqliteRecords);
registerPaymentsConformance('sqlite', sqliteRecords);
registerOfferConformance('sqlite', sqliteRecords);
registerOpenidConformance('sqlite', sqliteRecords);
registerTrustConformance('sqlite', sqliteRecords);
registerListConformance('sqlite', sqliteRecords);

test('texts of versions sort as versions do', () => {
  const parts = fc.array(fc.integer({ min: 0, max: 999_999_999 }), { minLength: 1, maxLength: 4 });
  const compare = (left: number[], right: number[]) =>
    Math.sign(
      [0, 1, 2, 3].map((index) => (left[index] ?? 0) - (right[index] ?? 0)).find((sign) => sign !== 0) ?? 0,
    );
  fc.assert(
    fc.property(parts, parts, (left, right) => {
      const [a, b] = [versionKeyOf(left.join('.')), versionKeyOf(right.join('.'))];
      assert.equal(a < b ? -1 : a > b ? 1 : 0, compare(left, right));
    }),
  );
  assert.equal(versionKeyOf('1.0'), versionKeyOf('01'));
  for (const bad of ['', '1.', 'a', '1.2.3.4.5', '1234567890', '-1', '1,2'])
    assert.throws(() => versionKeyOf(bad), BrokenInvariant);
});
