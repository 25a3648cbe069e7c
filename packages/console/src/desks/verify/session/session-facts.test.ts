import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAllWords } from '../../../words/catalogue.ts';
import { leftText } from './left-text.ts';
import { readError, readTakenBack, refusalWords } from './refusal-words.ts';
import { changedSince, countChecks, sessionStanding } from './session-facts.ts';

const en = await loadAllWords('en');

const { reasons, next } = en.verify.result;
const revokedNow = 'status: credential revoked in ledger 40';

test('what is forged or copied is that first, whatever the ledger says of the credential', () => {
  const proof = 'bbsProof: the proof does not hold';
  const forged = refusalWords([proof, 'revealedAttributes: degree is not as signed', revokedNow], en);
  assert.equal(forged.reason, reasons.revealedAttributes);
  assert.equal(forged.next, next.revealedAttributes);
  assert.equal(forged.takenBack?.state, 'revoked');
  assert.equal(refusalWords([proof, revokedNow], en).reason, reasons.bbsProof);
  assert.equal(refusalWords(['holderSignature: is wrong', revokedNow], en).reason, reasons.holderSignature);
  assert.equal(refusalWords(['challenge: is another one', revokedNow], en).reason, reasons.challenge);
});

test('nobody is said to have changed what cannot be checked without a record of this ledger', () => {
  const failed = ['bbsProof: the proof does not hold', 'revealedAttributes: degree is not as signed'];
  const elsewhere = 'status: the credential says that it is recorded in another registry';
  const foreign = refusalWords([...failed, elsewhere], en);
  assert.equal(foreign.reason, reasons.elsewhere);
  assert.equal(foreign.next, next.elsewhere);
  const unknown = 'status: the ledger does not know the credential';
  assert.equal(refusalWords([...failed, unknown], en).reason, reasons.notOnLedger);
  const copied = 'challenge: the challenge is another than expected';
  assert.equal(refusalWords([...failed, elsewhere, copied], en).reason, reasons.challenge);
});

test('a challenge that whoever checks did not say is a gap of theirs, and hides nothing that the ledger says', () => {
  const unsaid = 'challenge: the presentation is for a challenge, and none was expected';
  const told = refusalWords([unsaid, revokedNow], en);
  assert.equal(told.reason, reasons.revoked);
  assert.equal(told.next, next.status);
  assert.equal(refusalWords(['challenge: the domain is another than expected'], en).reason, reasons.domain);
  assert.equal(refusalWords(['challenge: the presentation has no domain'], en).reason, reasons.domain);
  assert.equal(refusalWords([unsaid, 'bbsProof: the proof does not hold'], en).reason, reasons.bbsProof);
});

test('a new credential is advised only where nothing but the status failed', () => {
  assert.equal(refusalWords([revokedNow], en).next, next.revoked);
  const both = refusalWords([revokedNow, 'disclosure: city was not asked for'], en);
  assert.equal(both.reason, reasons.revoked);
  assert.equal(both.next, next.status);
});

test('the reason that says most comes first', () => {
  const { reason, details } = refusalWords(
    ['disclosure: name was not asked for', 'status: credential revoked in ledger 42'],
    en,
  );
  assert.equal(reason, 'The credential was revoked.');
  assert.deepEqual(details, ['Name was not asked for.']);
  assert.equal(refusalWords(['challenge: is another one'], en).reason, en.verify.result.reasons.challenge);
  assert.equal(
    refusalWords(['challenge: the presentation is for a challenge, and none was expected'], en).reason,
    en.verify.result.reasons.challengeMissing,
  );
  assert.equal(refusalWords(['something new: happened'], en).reason, en.verify.result.reasons.unknown);
  assert.equal(refusalWords([], en).reason, en.verify.result.reasons.unknown);
});

test('who took a credential back, when and why is read once, and the rest of the sentence stands nowhere', () => {
  const since = '2026-11-18T01:02:03Z';
  const told = `status: credential revoked in ledger 42 (since ${since}, transaction ${'ab'.repeat(32)}, reason: made (twice), by mistake)`;
  const { reason, next, details, takenBack } = refusalWords([told], en);
  assert.equal(reason, en.verify.result.reasons.revoked);
  assert.equal(next, en.verify.result.next.revoked);
  assert.deepEqual(details, []);
  const revoked = {
    state: 'revoked',
    since: Date.parse(since),
    block: 42,
    reason: 'made (twice), by mistake',
  };
  assert.deepEqual(takenBack, revoked);
  assert.deepEqual(readTakenBack(`${told.slice('status: '.length)} (credential 2 of 3)`), revoked);
  assert.deepEqual(readTakenBack('credential suspended (credential 1 of 2)'), { state: 'suspended' });
  assert.equal(readTakenBack('the ledger does not know the credential'), undefined);
  const both = ['status: credential suspended in ledger 1', 'status: credential revoked in ledger 2'];
  assert.equal(refusalWords(both, en).takenBack?.block, 2);
});

test('a status is told for what it is', () => {
  const reasonOf = (detail: string): string => refusalWords([`status: ${detail}`], en).reason;
  const { reasons } = en.verify.result;
  assert.equal(reasonOf('expired credential'), reasons.expired);
  assert.equal(reasonOf('the credential is not valid yet (credential 1 of 2)'), reasons.notYet);
  assert.equal(reasonOf('the ledger does not know the credential'), reasons.notOnLedger);
  assert.equal(reasonOf('something else'), reasons.status);
});

test('what was shown beyond what was asked is named', () => {
  const { excess } = refusalWords(
    [
      'disclosure: name was not asked for',
      'disclosure: a range of grade was not asked for',
      'request: age is not shown',
    ],
    en,
  );
  assert.deepEqual(excess, ['name']);
});

test('errors are taken apart, checks counted, states known', () => {
  assert.deepEqual(readError('challenge: a: b'), { check: 'challenge', detail: 'a: b' });
  assert.deepEqual(readError('no check at all'), { check: undefined, detail: 'no check at all' });
  assert.deepEqual(countChecks([{ passed: true }, { passed: null }, { passed: false }]), {
    passed: 1,
    idle: 1,
  });
  assert.equal(sessionStanding({ status: 'VERIFIED' }), 'VERIFIED');
  assert.equal(sessionStanding({ status: 'SOMETHING' }), 'unknown');
});

test('who ended a session without an answer is said, and never guessed', () => {
  const wordsOf = (abortedBy?: 'verifier' | 'wallet'): string =>
    en.verify.session.states[sessionStanding({ status: 'ABORTED', ...(abortedBy && { abortedBy }) })];
  assert.equal(wordsOf('verifier'), 'You cancelled the request');
  assert.equal(wordsOf('wallet'), 'Declined in a wallet');
  assert.equal(wordsOf(), 'Ended without an answer');
});

test('time that is left is read at a glance', () => {
  assert.deepEqual([272_000, 59_001, 0, -5, 3_725_000].map(leftText), [
    '4:32',
    '1:00',
    '0:00',
    '0:00',
    '1:02:05',
  ]);
});

test('what became of a credential after its check is told by what is worst', () => {
  const now = Date.parse('2026-11-18T12:00:00Z');
  const told = (status: string, validUntil = '2027-01-01T00:00:00Z') => ({ status, record: { validUntil } });
  assert.equal(changedSince([told('Active')], now), undefined);
  assert.equal(changedSince([told('Active'), told('Suspended')], now), 'suspended');
  assert.equal(changedSince([told('Suspended'), told('Revoked')], now), 'revoked');
  assert.equal(changedSince([told('Active', '2026-11-18T11:00:00Z')], now), 'expired');
  assert.equal(changedSince([told('Missing')], now), 'other');
});
