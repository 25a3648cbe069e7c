import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuerKeyRows } from './key-rows.ts';

const key = (number: number, more = {}) => ({
  number,
  type: 'Bls12381G2Key2020' as const,
  publicKey: new Uint8Array(96).fill(number),
  validFrom: 1_000 + number,
  ...more,
});

test('published, kept and ended keys are one list', () => {
  const published = [
    key(1, { endedAt: 2_000 }),
    key(2),
    { ...key(3), type: 'X25519KeyAgreementKey2020' as const },
  ];
  const [second] = issuerKeyRows([key(2)], []);
  const held = [
    { publicKeyMultibase: second?.publicKeyMultibase ?? '', since: '2026-01-01T00:00:00Z' },
    { publicKeyMultibase: 'zNew', since: '2026-02-01T00:00:00Z' },
  ];
  const rows = issuerKeyRows(published, held);
  assert.deepEqual(
    rows.map(({ number, state, isHeld }) => [number, state, isHeld]),
    [
      [2, 'published', true],
      [undefined, 'kept', true],
      [1, 'ended', false],
    ],
  );
  assert.equal(rows[2]?.endedAt, 2_000_000);
});
