import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { authorizationMove } from './authorization-states.ts';

describe('states of an authorization', () => {
  test('lead from what was pushed to an answer, by a login and a decision', () => {
    assert.deepEqual(authorizationMove('begin'), { from: ['pushed'], to: 'begun' });
    assert.deepEqual(authorizationMove('grant'), { from: ['begun'], to: 'granted' });
    assert.deepEqual(authorizationMove('deny'), { from: ['begun'], to: 'denied' });
    assert.deepEqual(authorizationMove('answer'), { from: ['granted', 'denied'], to: 'answered' });
  });
});
