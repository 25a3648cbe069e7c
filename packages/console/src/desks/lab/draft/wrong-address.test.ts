import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDraft, newOperation, withBodyMember } from './draft.ts';
import { notAddress, wrongAddress } from './wrong-address.ts';

const good = 'ZTX3Ta7d4GyAXD41H2kFCTd2eXhDesM83rvC3';
const paying = (to: string, source = good) => ({
  ...newDraft(source),
  operations: [withBodyMember(newOperation('payCoin'), { name: 'payCoin', path: ['dest_address'] }, to)],
});

test('what is no address is told at its member, and nothing said yet is no wrong one', () => {
  assert.equal(wrongAddress(paying('')), undefined);
  assert.deepEqual(wrongAddress(paying('Mira')), {
    path: 'operations[0].pay_coin.dest_address',
    reason: notAddress,
  });
  assert.deepEqual(wrongAddress(paying('', 'ada')), { path: 'source_address', reason: notAddress });
});
