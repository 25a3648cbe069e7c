import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  endedOfferStates,
  standardsOfferActs,
  standardsOfferAfter,
  standardsOfferMove,
  standardsOfferStates,
} from './standards-offer-states.ts';

const way = (...acts: readonly (typeof standardsOfferActs)[number][]) =>
  acts.reduce<(typeof standardsOfferStates)[number] | undefined>(
    (state, act) => state && standardsOfferAfter(state, act),
    'created',
  );

describe('states of an offer in the formats of the field', () => {
  test('the ways that lead to an end', () => {
    assert.equal(way('redeem', 'request', 'issue', 'accept'), 'accepted');
    assert.equal(way('redeem', 'request', 'defer', 'issue', 'fail'), 'failed');
    assert.equal(way('redeem', 'request', 'defer', 'deny'), 'denied');
    assert.equal(way('redeem', 'request', 'issue', 'accept', 'delete'), 'deleted');
    assert.equal(way('redeem', 'request', 'issue', 'issue', 'accept'), 'accepted');
    assert.equal(way('lock'), 'locked');
    assert.equal(way('withdraw'), 'withdrawn');
    assert.equal(way('expire'), 'expired');
  });

  test('nothing is skipped, and nothing goes back', () => {
    assert.equal(way('request'), undefined);
    assert.equal(way('issue'), undefined);
    assert.equal(way('redeem', 'redeem'), undefined);
    assert.equal(way('redeem', 'lock'), undefined);
    assert.equal(way('redeem', 'withdraw'), undefined);
    assert.equal(way('redeem', 'request', 'issue', 'expire'), undefined);
    assert.equal(way('redeem', 'request', 'issue', 'deny'), undefined);
    assert.equal(way('redeem', 'request', 'issue', 'accept', 'fail'), undefined);
  });

  test('from an end nothing leads on', () => {
    for (const state of endedOfferStates)
      for (const act of standardsOfferActs) {
        const next = standardsOfferAfter(state, act);
        assert.ok(next === undefined || next === state, `${state} ${act}`);
      }
  });

  test('every act leads to one state', () => {
    for (const act of standardsOfferActs) {
      const { from, to } = standardsOfferMove(act);
      assert.ok(from.length > 0 && standardsOfferStates.includes(to), act);
    }
  });
});
