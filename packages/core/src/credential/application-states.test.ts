import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BrokenInvariant } from '../basics/assert.ts';
import type { LedgerStatus } from '../documents/model.ts';
import { Fault } from '../faults/faults.ts';
import {
  type ApplicationState,
  applicationActs,
  applicationStates,
  credentialActs,
  credentialMove,
  mayActOnCredential,
  nextApplicationState,
  nextCredentialStatus,
  shownState,
} from './application-states.ts';
import { type Moves, moveOf } from './state-moves.ts';

const isFault = (code: string) => (error: unknown) => error instanceof Fault && error.code === code;

describe('states of an application', () => {
  const moves: Record<string, ApplicationState> = {
    'pending create': 'approved',
    'pending reject': 'rejected',
    'approved create': 'approved',
    'approved submit': 'submitting',
    'approved reject': 'rejected',
    'submitting recordIssued': 'issued',
    'submitting recordFailed': 'approved',
  };

  test('exactly these moves; every other is a fault', () => {
    for (const state of applicationStates)
      for (const act of applicationActs) {
        const next = moves[`${state} ${act}`];
        if (next) assert.equal(nextApplicationState(state, act), next);
        else assert.throws(() => nextApplicationState(state, act), isFault('stateForbids'));
      }
  });

  test('nobody sees that a submission is under way', () => {
    assert.equal(shownState.submitting, 'Approved');
    assert.equal(shownState.issued, 'Issued');
  });
});

test('an act that leads to two states cannot be one update', () => {
  const moves: Moves<'a' | 'b' | 'c', 'go' | 'end'> = {
    a: { go: 'b', end: 'c' },
    b: { go: 'c', end: 'c' },
    c: {},
  };
  assert.deepEqual(moveOf(moves, 'end'), { from: ['a', 'b'], to: 'c' });
  assert.throws(() => moveOf(moves, 'go'), BrokenInvariant);
});

describe('status of a credential', () => {
  const moves: Record<string, LedgerStatus> = {
    'active revoke': 'revoked',
    'active suspend': 'suspended',
    'suspended revoke': 'revoked',
    'suspended reinstate': 'active',
  };

  test('exactly these moves; revocation is for good', () => {
    for (const status of ['active', 'suspended', 'revoked', 'unknown'] as const)
      for (const act of credentialActs) {
        const next = moves[`${status} ${act}`];
        assert.equal(mayActOnCredential(status, act), next !== undefined);
        if (next) assert.equal(nextCredentialStatus(status, act), next);
        else assert.throws(() => nextCredentialStatus(status, act), isFault('statusForbids'));
      }
  });

  test('an act leads from these statuses to that one', () => {
    assert.deepEqual(credentialMove('revoke'), { from: ['active', 'suspended'], to: 'revoked' });
    assert.deepEqual(credentialMove('suspend'), { from: ['active'], to: 'suspended' });
    assert.deepEqual(credentialMove('reinstate'), { from: ['suspended'], to: 'active' });
  });
});
