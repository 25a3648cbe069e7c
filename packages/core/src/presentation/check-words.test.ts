import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PresentationCheck, presentationChecks } from '../documents/model.ts';
import { tellChecks } from './check-words.ts';
import type { CheckResult, PresentedCredential, Verdict } from './presentation-verdict.ts';

const ok: CheckResult = { state: 'ok', failures: [] };
const allOf = (changed: Partial<Record<PresentationCheck, CheckResult>> = {}) =>
  ({ ...Object.fromEntries(presentationChecks.map((name) => [name, ok])), ...changed }) as Verdict['checks'];

const presented: PresentedCredential = {
  id: 'did:zid:01',
  issuer: { id: 'did:zid:02' },
  issuerTrust: 'trusted',
  holder: 'did:zid:03',
  template: { id: 'did:zid:04', version: '1' },
  validFrom: 'f',
  validUntil: 'u',
  status: { state: 'active', ledgerSeq: '7' },
  revealed: { grade: 'A secret' },
  ranges: [{ attribute: 'born', max: '2000-01-01', text: 't' }],
};
const whole = { asked: 'contents', hasChallenge: true } as const;
const good: Verdict = { verified: true, checks: allOf(), errors: [], credentials: [presented] };

test('passed checks say what was found, and nothing of a value', () => {
  const told = tellChecks(good, whole);
  assert.deepEqual(
    told.map(({ name, passed }) => [name, passed]),
    presentationChecks.map((name) => [name, true]),
  );
  const facts = Object.fromEntries(told.map((one) => [one.name, one.facts]));
  assert.deepEqual(facts.status, { state: 'active', ledgerSeq: '7' });
  assert.deepEqual(facts.revealedAttributes, { shown: 'grade' });
  assert.deepEqual(facts.disclosure, { issuerTrust: 'trusted', proved: 'born' });
  assert.ok(!JSON.stringify(told).includes('secret'));
  assert.ok(told.every(({ words }) => /^[A-Z].*\.$/.test(words)));
});

test('of several credentials each fact says of which', () => {
  const two = { ...good, credentials: [presented, { ...presented, holder: 'did:zid:09' }] };
  const [holder] = tellChecks(two, whole);
  assert.deepEqual(holder.facts, { '0.holder': 'did:zid:03', '1.holder': 'did:zid:09' });
});

test('what had nothing to compare with has not passed', () => {
  const told = tellChecks(good, { asked: 'nothing', hasChallenge: false });
  const idle = told.filter(({ passed }) => passed === null).map(({ name }) => name);
  assert.deepEqual(idle, ['disclosure', 'challenge']);
  const [origin] = tellChecks(good, { asked: 'origin', hasChallenge: true }).filter(
    ({ name }) => name === 'disclosure',
  );
  assert.deepEqual([origin.passed, origin.words.includes('what to show was not said')], [true, true]);
});

test('failures are told with what was found beside the verdict, and only the ledger is quoted', () => {
  const { id, issuer, template, validFrom, validUntil } = presented;
  const refused: Verdict = {
    verified: false,
    checks: allOf({
      status: { state: 'failed', failures: ['credential revoked'] },
      bbsProof: { state: 'notChecked', failures: [] },
    }),
    errors: [],
    claimed: [
      {
        id,
        issuer: issuer.id,
        template,
        validFrom,
        validUntil,
        status: { state: 'revoked', ledgerSeq: '9' },
      },
    ],
  };
  const failures = [{ check: 'challenge', detail: 'a derived proof is for another nonce' }] as const;
  const told = tellChecks(refused, { ...whole, failures });
  const by = (name: PresentationCheck) => told.find((one) => one.name === name);
  assert.deepEqual(
    [by('status')?.passed, by('status')?.words, by('status')?.facts],
    [false, 'Credential revoked.', { state: 'revoked', ledgerSeq: '9' }],
  );
  assert.deepEqual([by('bbsProof')?.passed, by('bbsProof')?.facts], [null, {}]);
  assert.deepEqual(by('challenge')?.words, 'A derived proof is for another nonce.');
  assert.equal(by('challenge')?.passed, false);
});
