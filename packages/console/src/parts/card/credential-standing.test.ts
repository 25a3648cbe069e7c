import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockGapMs, standingAt, termAt } from './credential-standing.ts';

const validity = { validFrom: '2026-03-01T00:00:00Z', validUntil: '2026-04-01T00:00:00Z' };
const [early, late] = [Date.parse(validity.validFrom) - 1, Date.parse(validity.validUntil)];

test('a credential is valid from its first moment, and until its last', () => {
  assert.equal(termAt(validity, early), 'notYet');
  assert.equal(termAt(validity, early + 1), 'valid');
  assert.equal(termAt(validity, late - 1), 'valid');
  assert.equal(termAt(validity, late), 'expired');
});

test('nothing is active before its time or after it', () => {
  const at = (now: number) =>
    (['Active', 'Suspended', 'Unknown', 'Revoked', 'Missing'] as const).map((status) =>
      standingAt({ status, ...validity }, now),
    );
  assert.deepEqual(at(early - clockGapMs), ['NotYet', 'Suspended', 'Unknown', 'Revoked', 'Missing']);
  assert.deepEqual(at(early - clockGapMs + 1), ['Active', 'Suspended', 'Unknown', 'Revoked', 'Missing']);
  assert.deepEqual(at(late), ['Expired', 'Expired', 'Expired', 'Revoked', 'Missing']);
});

test('what nobody has said is taken for no end and no beginning', () => {
  const unsaid = { validFrom: null, validUntil: null };
  assert.equal(standingAt({ status: 'Active', ...unsaid }, late), 'Active');
  assert.equal(standingAt({ status: 'Expired', ...unsaid }, late), 'Expired');
});
