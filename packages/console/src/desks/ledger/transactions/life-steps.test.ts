import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialLife, transactionLife } from './life-steps.ts';

const at = Date.parse('2026-11-18T03:05:06.618Z');
const executed = { block: 14, at, hasFailed: false };
const record = { issuedAt: '2026-11-18T03:05:06Z', ledgerSeq: '14' };

test('a transaction waits for the block that carries the signatures of its own', () => {
  assert.deepEqual(transactionLife(executed, 14), [
    { name: 'executed', at, block: 14, isThis: true },
    { name: 'signed', block: 15, isWaiting: true },
  ]);
  assert.deepEqual(transactionLife({ ...executed, hasFailed: true }, 20), [
    { name: 'failed', at, block: 14, isThis: true },
    { name: 'signed', block: 15 },
  ]);
});

test('a credential was issued, and stands as its last change has left it', () => {
  const issuedAt = Date.parse(record.issuedAt);
  assert.deepEqual(credentialLife({ status: 'Active', record }, executed), [
    { name: 'issued', at: issuedAt, block: 14, isThis: true },
  ]);
  assert.deepEqual(credentialLife({ status: 'Revoked', record: { ...record, ledgerSeq: '20' } }, executed), [
    { name: 'issued', at: issuedAt, block: 14, isThis: true },
    { name: 'revoked', block: 20 },
  ]);
  const later = { block: 20, at: at + 60_000, hasFailed: false };
  assert.deepEqual(credentialLife({ status: 'Revoked', record: { ...record, ledgerSeq: '20' } }, later), [
    { name: 'issued', at: issuedAt },
    { name: 'revoked', block: 20, at: later.at, isThis: true },
  ]);
  // One that failed has changed nothing.
  assert.deepEqual(credentialLife({ status: 'Active', record }, { ...later, hasFailed: true }), [
    { name: 'issued', at: issuedAt },
    { name: 'active', block: 14 },
  ]);
});
