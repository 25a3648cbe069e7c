import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labEn as lab } from '../../../words/en/lab.ts';
import { type Draft, isDraftProblem, newOperation, transactionOfDraft } from './draft.ts';
import { placeOfProblem } from './problem-place.ts';

const placeOf = (draft: Draft) => {
  const made = transactionOfDraft(draft, { nonce: 1n, chainId: '1' });
  assert.ok(isDraftProblem(made));
  const place = placeOfProblem(draft, made, lab);
  return place && [place.label, place.operation];
};
const ofAda = (...operations: Draft[]): Draft => ({ source_address: 'ada', operations });

test('what is missing or wrong is called as the form calls it', () => {
  assert.deepEqual(placeOf({}), ['Source', undefined]);
  assert.deepEqual(placeOf({ ...ofAda(newOperation('log')), nonce: 'x' }), ['Nonce', undefined]);
  assert.deepEqual(placeOf(ofAda()), ['Operations', undefined]);
  assert.deepEqual(placeOf(ofAda(newOperation('payCoin'))), ['To', 0]);
  const paid = { type: 7, pay_coin: { dest_address: 'oren', amount: '1' } };
  assert.deepEqual(placeOf(ofAda(paid, { ...paid, pay_coin: { dest_address: 'oren', amount: 'x' } })), [
    'Amount',
    1,
  ]);
  assert.deepEqual(placeOf(ofAda({ ...paid, source_address: {} })), ['For another account', 0]);
  assert.deepEqual(placeOf(ofAda(newOperation('upgradeContract'))), ['Contract', 0]);
  assert.deepEqual(
    placeOf(ofAda({ ...newOperation('upgradeContract'), upgrade_contract: { dest_address: 'shop' } })),
    [lab.fields.code, 0],
  );
});

test('an element of a list is of the field with the list', () => {
  const signers = [{ address: 'oren', weight: 'x' }];
  assert.deepEqual(placeOf(ofAda({ type: 9, set_privilege: { signers } })), [lab.fields.signers, 0]);
});

test('what no field says has no place', () => {
  assert.equal(placeOf(ofAda({ type: 77 })), undefined);
  assert.equal(placeOf({ ...ofAda(newOperation('log')), colour: 'red' }), undefined);
});
