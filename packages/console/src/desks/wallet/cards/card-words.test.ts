import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsed } from '@symbolon/core/credential/testing/sample-credentials';
import { clockGapMs } from '../../../parts/card/credential-standing.ts';
import {
  canBeShown,
  cardProps,
  cardStanding,
  labelOfKey,
  ledgerBlocks,
  unknownBecause,
} from './card-words.ts';
import type { KeptCard } from './kept-cards.ts';

const credential = parsed();
const validUntil = Date.parse(credential.credential.validUntil);
const validFrom = Date.parse(credential.credential.validFrom);
const card = (status: KeptCard['word']['status']) => ({
  parsed: credential,
  names: { template: 'Sample', labels: {} },
  word: { status, at: 0 },
});

test('nothing that the ledger does not confirm looks good', () => {
  const before = validUntil - 1;
  assert.equal(cardStanding(card('active'), before), 'Active');
  assert.equal(cardStanding(card('suspended'), before), 'Suspended');
  assert.equal(cardStanding(card('unknown'), before), 'Unknown');
  assert.equal(cardStanding(card('active'), validUntil), 'Expired');
  assert.equal(cardStanding(card('revoked'), validUntil), 'Revoked');
  assert.equal(cardStanding(card('active'), validFrom - clockGapMs - 1), 'NotYet');
  assert.equal(cardStanding(card('unknown'), validFrom - clockGapMs - 1), 'Unknown');
  const unknown = cardProps(card('unknown'), { language: 'en', now: before });
  assert.notEqual(unknown.state, 'Active');
});

test('a card that nobody will accept again is not offered to be shown', () => {
  assert.deepEqual(
    (['Active', 'NotYet', 'Suspended', 'Unknown', 'Expired', 'Revoked'] as const).filter(canBeShown),
    ['Active', 'NotYet', 'Suspended', 'Unknown'],
  );
});

test('the block of a change is not the one in which a card was recorded', () => {
  const at = 0;
  assert.deepEqual(ledgerBlocks({ status: 'active', at, block: 7, recordedIn: 7 }), [
    { name: 'recorded', block: 7 },
  ]);
  assert.deepEqual(ledgerBlocks({ status: 'revoked', at, block: 31, recordedIn: 7 }), [
    { name: 'recorded', block: 7 },
    { name: 'revoked', block: 31 },
  ]);
  assert.deepEqual(ledgerBlocks({ status: 'revoked', at, block: 31 }), [{ name: 'revoked', block: 31 }]);
  assert.deepEqual(ledgerBlocks({ status: 'active', at, block: 31 }), [{ name: 'active', block: 31 }]);
  assert.deepEqual(ledgerBlocks({ status: 'unknown', at }), []);
});

test('a card that the ledger does not know is of another one where it names another registry', () => {
  const own = credential.credential.credentialStatus.id.split(/[:#]/)[3] ?? '';
  const why = (status: KeptCard['word']['status'], credentialRegistry?: string) =>
    unknownBecause(card(status), credentialRegistry === undefined ? undefined : { credentialRegistry });
  assert.equal(why('unknown', own), 'notRecorded');
  assert.equal(why('unknown', own.toLowerCase()), 'otherLedger');
  assert.equal(why('unknown'), 'notRecorded', 'nobody has said which registry it is');
  assert.equal(why('active', 'ZTX1'), undefined);
});

test('a key that nobody named reads as words', () => {
  assert.equal(labelOfKey('graduatedOn'), 'Graduated on');
  assert.equal(labelOfKey('student_number'), 'Student number');
});
