import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CredentialDeed } from '@symbolon/sdk/sentences/registry-sayings';
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
  const issuing = { ...executed, deeds: ['issue'] } as const;
  assert.deepEqual(credentialLife({ status: 'Active', record }, issuing), [
    { name: 'issued', at: issuedAt, block: 14, isThis: true },
  ]);
  assert.deepEqual(credentialLife({ status: 'Revoked', record: { ...record, ledgerSeq: '20' } }, issuing), [
    { name: 'issued', at: issuedAt, block: 14, isThis: true },
    { name: 'revoked', block: 20 },
  ]);
  const later = { block: 20, at: at + 60_000, hasFailed: false, deeds: ['revoke'] } as const;
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

test('what a transaction did is told by what it called, though all of it was in one second', () => {
  const issuedAt = Date.parse(record.issuedAt);
  const lifeBy = (...deeds: CredentialDeed[]) =>
    credentialLife({ status: 'Revoked', record }, { ...executed, deeds });
  assert.deepEqual(lifeBy('revoke'), [
    { name: 'issued', at: issuedAt },
    { name: 'revoked', block: 14, at, isThis: true },
  ]);
  assert.deepEqual(lifeBy('issue'), [
    { name: 'issued', at: issuedAt, block: 14, isThis: true },
    { name: 'revoked', block: 14 },
  ]);
  assert.deepEqual(lifeBy('suspend'), [
    { name: 'issued', at: issuedAt },
    { name: 'revoked', block: 14 },
  ]);
  assert.deepEqual(lifeBy('issue', 'revoke'), [
    { name: 'issued', at: issuedAt, block: 14, isThis: true },
    { name: 'revoked', block: 14, at, isThis: true },
  ]);
});

test('what was handed in again has issued nothing', () => {
  const again = { block: 15, at: at + 100, hasFailed: false, deeds: ['issue'] } as const;
  const life = [
    { name: 'issued', at: Date.parse(record.issuedAt) },
    { name: 'active', block: 14 },
  ];
  assert.deepEqual(credentialLife({ status: 'Active', record }, again), life);
  assert.deepEqual(credentialLife({ status: 'Active', record }, { ...again, at: at + 60_000 }), life);
});
