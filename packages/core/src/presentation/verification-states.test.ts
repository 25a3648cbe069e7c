import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../faults/faults.ts';
import {
  isOpenVerification,
  nextVerificationState,
  openVerificationStates,
  type VerificationState,
  verificationActs,
  verificationMove,
} from './verification-states.ts';

test('an open session can be fetched again and again, and ends once', () => {
  assert.equal(nextVerificationState('CREATED', 'fetch'), 'FETCHED');
  assert.equal(nextVerificationState('FETCHED', 'fetch'), 'FETCHED');
  assert.equal(nextVerificationState('FETCHED', 'accept'), 'VERIFIED');
  assert.equal(nextVerificationState('FETCHED', 'refuse'), 'FAILED');
  assert.equal(nextVerificationState('CREATED', 'abort'), 'ABORTED');
  assert.equal(nextVerificationState('CREATED', 'expire'), 'EXPIRED');
  assert.deepEqual(openVerificationStates, ['CREATED', 'FETCHED']);
  for (const act of verificationActs) assert.deepEqual(verificationMove(act).from, ['CREATED', 'FETCHED']);
});

test('nothing moves an ended session, and an expired one says that it is', () => {
  const ended: readonly VerificationState[] = ['VERIFIED', 'FAILED', 'ABORTED', 'EXPIRED'];
  for (const state of ended) {
    assert.equal(isOpenVerification(state), false);
    for (const act of verificationActs)
      assert.throws(
        () => nextVerificationState(state, act),
        (error) =>
          error instanceof Fault && error.code === (state === 'EXPIRED' ? 'sessionExpired' : 'sessionClosed'),
      );
  }
});
