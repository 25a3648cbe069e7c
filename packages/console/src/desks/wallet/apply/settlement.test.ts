import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paymentLimits } from '@symbolon/core/limits/payments';
import { readPaymentStanding } from './settlement.ts';

const sentAt = 1_000_000;
const lateAt = sentAt + paymentLimits.offerSeconds * 1_000 + 1;

test('what is issued is issued, with the transaction that paid it', () => {
  const told = { status: 'ISSUED', outcome: 'known', vcId: 'did:zid:aa', txHash: 'ff' } as const;
  assert.deepEqual(readPaymentStanding(told, sentAt, sentAt), {
    kind: 'issued',
    vcId: 'did:zid:aa',
    txHash: 'ff',
  });
});

test('a payment that has not come may still come, and is no failure as long as the service would take it', () => {
  const told = { status: 'REQUIRED', outcome: 'known' } as const;
  assert.equal(readPaymentStanding(told, sentAt, sentAt + 1).kind, 'unknown');
  assert.equal(readPaymentStanding(told, sentAt, lateAt).kind, 'failed');
});

test('what is not known, and what is paid but not issued yet, is not known however late it is', () => {
  const settling = { status: 'REQUIRED', outcome: 'unknown' } as const;
  const settled = { status: 'SETTLED', outcome: 'known', txHash: 'ff' } as const;
  for (const told of [settling, settled])
    assert.equal(readPaymentStanding(told, sentAt, lateAt).kind, 'unknown');
});

test('a failure says why, and which transaction it is about', () => {
  const told = { status: 'FAILED', outcome: 'known', reason: 'it was used', txHash: 'ff' } as const;
  assert.deepEqual(readPaymentStanding(told, sentAt, sentAt), {
    kind: 'failed',
    reason: 'it was used',
    txHash: 'ff',
  });
});
