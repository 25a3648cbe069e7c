import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { noHandIns, withAnswer, withHandIn, withoutDraft } from './hand-ins.ts';

const signed = {} as SignedTransaction;
const waiting = { state: 'waiting', hash: 'ab' } as const;

test('an answer that comes when the draft is begun anew is told, and is none of the new draft', () => {
  const left = withoutDraft(withHandIn(noHandIns, 1, signed), false);
  const answered = withAnswer(left, 1, waiting);
  assert.equal(answered.current, undefined);
  assert.deepEqual(answered.all, [{ id: 1, signed, first: waiting }]);
  const next = withAnswer(withHandIn(left, 2, signed), 1, waiting);
  assert.equal(next.current, 2);
  assert.deepEqual(
    next.all.map(({ id, first }) => [id, first]),
    [
      [1, waiting],
      [2, undefined],
    ],
  );
});

test('what is settled ends with its draft, and what is handed in again is told once', () => {
  const sent = withAnswer(withHandIn(noHandIns, 1, signed), 1, waiting);
  assert.deepEqual(withoutDraft(sent, true), noHandIns);
  assert.deepEqual(
    withHandIn(sent, 2, signed).all.map(({ id }) => id),
    [2],
  );
});
