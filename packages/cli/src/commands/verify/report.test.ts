import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTerminal } from '../../terminal/terminal.ts';
import { ageText } from './facts.ts';
import { checksOf, reportJson, reportLines, type VerificationReport } from './report.ts';

function shownOn(hasColours: boolean, report: VerificationReport): string {
  let text = '';
  const out = (more: string): void => {
    text += more;
  };
  const terminal = createTerminal({ out, err: out, isWatched: false, hasColours });
  const lines = reportLines(terminal, report);
  assert.ok(!lines.some((line) => line.includes('\n')), 'a line is one line');
  terminal.print(lines);
  return text.trimEnd();
}
const reportText = (report: VerificationReport): string => shownOn(false, report);
const shownInColours = (report: VerificationReport): string => shownOn(true, report);

const good: VerificationReport = {
  verified: true,
  checks: checksOf([]),
  credentials: [
    {
      id: 'did:zid:01',
      name: 'Degree\u001b[31m',
      issuer: 'did:zid:02',
      holder: 'did:zid:03',
      validFrom: '2020-01-01T00:00:00Z',
      validUntil: '2030-01-01T00:00:00Z',
      shared: { degree: 'BSc' },
      proved: [{ attribute: 'points', min: 100 }],
      told: [],
      hidden: ['name'],
    },
  ],
  presented: [
    {
      issuer: { id: 'did:zid:02', name: 'University\u001b[31m', nameSource: 'trustList' },
      issuerTrust: 'trusted',
      holder: 'did:zid:03',
      template: { id: 'did:zid:04', name: 'Degree', version: '1.0.0' },
      validFrom: '2020-01-01T00:00:00Z',
      validUntil: '2030-01-01T00:00:00Z',
      status: { state: 'active', ledgerSeq: '7' },
      revealed: { degree: 'BSc' },
      ranges: [
        { attribute: 'points', text: '>= 100' },
        { attribute: 'birthDate', age: { minAge: 18 }, text: '18 or older' },
      ],
    },
  ],
  by: 'service',
  hasRequest: true,
  hasAsked: true,
  hasChallenge: true,
  statusTransactions: [],
};
const bad = (check: string, detail: string, more: Partial<VerificationReport> = {}): VerificationReport => ({
  ...good,
  verified: false,
  checks: checksOf([{ check, detail }]),
  ...more,
});

describe('a report', () => {
  test('has six ticks and what was seen', () => {
    const lines = reportText(good);
    assert.equal(lines.match(/✔/g)?.length, 6);
    assert.match(lines, /\nVERIFIED {3}saw: degree = "BSc", points >= 100, birthDate: 18 or older\n/);
    assert.match(lines, /\n {2}issued by "University\S+ \(your name for it\), did:zid:02: trusted\n/);
    assert.match(lines, /"Degree" 1\.0\.0, did:zid:04\n/);
    assert.match(lines, /active, ledger 7\n/);
    assert.ok(!lines.includes('\u001b'), 'no escape code, of ours or of others');
    assert.ok(shownInColours(good).includes('\u001b[32m✔'));
  });

  test('does not count as compared what nobody asked for', () => {
    const lines = reportText({ ...good, hasRequest: false, hasAsked: false });
    assert.match(lines, /–\s+as asked for\s+nothing was asked for: --ask/);
    const trusted = reportText({ ...good, hasRequest: true, hasAsked: false });
    assert.match(trusted, /✔\s+origin as asked for\s+what to show: nothing was asked for\n/);
  });

  test('says which of two credentials answers, and what to do where none does alone', () => {
    const [seen] = good.presented;
    assert.ok(seen);
    const presented = [
      { ...seen, answersRequest: true },
      { ...seen, revealed: {}, ranges: [], answersRequest: false },
    ];
    const lines = reportText({ ...good, presented });
    assert.match(lines, /\n {2}\[1\] "Degree" 1\.0\.0, did:zid:04: answers what you asked for\n/);
    assert.match(lines, /\n {2}\[2\] "Degree" 1\.0\.0, did:zid:04\n/);
    const [first] = reportJson({ ...good, presented }).credentials as { answersRequest?: boolean }[];
    assert.equal(first?.answersRequest, true);
    const refused = reportText(
      bad('disclosure', 'a single request is about one credential, and 2 answer it'),
    );
    assert.match(refused, /must come from one credential/);
  });

  test('has no name of a template that the verdict leaves out', () => {
    const [seen] = good.presented;
    assert.ok(seen);
    const { id, version } = seen.template;
    const nameless = { ...good, presented: [{ ...seen, template: { id, version } }] };
    assert.ok(JSON.stringify(reportJson(good)).includes('"name":"Degree'));
    assert.ok(!JSON.stringify(reportJson(nameless)).includes('"name":"Degree'));
  });

  test('keeps two credentials apart, and says who was not asked for', () => {
    const [seen] = good.presented;
    assert.ok(seen);
    const other = { ...seen, issuer: { id: 'did:zid:09' }, issuerTrust: 'not asked' as const, ranges: [] };
    const lines = reportText({ ...good, presented: [seen, other] });
    assert.match(lines, /saw: \[1\] degree = "BSc", .*, \[2\] degree = "BSc"\n/);
    assert.match(lines, /issued by did:zid:09: not asked for: anybody can issue/);
  });

  test('of a bad presentation says why and what to do, and shows nothing of it', () => {
    const report = bad('status', 'credential revoked in ledger 9', { statusTransactions: ['ab12'] });
    const lines = reportText(report);
    assert.match(lines, /✖\s+status on ledger\s+credential revoked in ledger 9/);
    assert.match(lines, /NOT VERIFIED {3}credential revoked in ledger 9\n/);
    assert.match(
      lines,
      /\n {2}It calls itself "Degree\S+ by did:zid:02; nothing of it is confirmed\.\n {2}The holder needs/,
    );
    assert.match(lines, /transaction ab12/);
    assert.ok(!lines.includes('BSc'));
    assert.ok(!JSON.stringify(reportJson(report)).includes('BSc'));
  });

  test('says what to do about failures that have a remedy of their own', () => {
    const told = (check: string, detail: string) => reportText(bad(check, detail));
    assert.match(
      told('challenge', 'the presentation is for a domain, and none was expected'),
      /--domain TEXT/,
    );
    assert.match(told('status', 'credential suspended in ledger 9'), /reinstates/);
    assert.match(told('bbsProof', "the issuer's key was compromised when the credential was issued"), /anew/);
    assert.match(told('disclosure', 'the issuer did:zid:02 is not one of those trusted'), /--trust DID/);
  });

  test('says that nothing is known where the facts are silent', () => {
    const basis = {
      service: 'https://a.example',
      node: 'https://b.example',
      ledgerSeq: '7',
      blockHash: 'ab'.repeat(32),
    };
    const fetchedAt = '2030-01-01T00:00:00Z';
    const file = 'older facts.json';
    const facts = { file, fetchedAt, ageSeconds: 7_300, areIncomplete: true, basis, collector: 'did:zid:05' };
    const lines = reportText(bad('status', 'the ledger does not know the credential', { facts }));
    assert.match(lines, /NOT VERIFIED +older facts\.json says nothing about this credential/);
    assert.match(lines, /symbolon verify facts FILE --out 'older facts\.json' --force/);
    assert.doesNotMatch(
      lines,
      /the ledger does not know/,
      'the ledger was not asked, and the holder did nothing',
    );
    assert.match(lines, /2 hours old/);
    assert.match(lines, /collected\n {2}by did:zid:05,\n {2}from https:\/\/a\.example, ledger 7 \(abab/);
  });
});

test('what rests on a proof that failed is not checked', () => {
  const stateOf = (failed: string) =>
    Object.fromEntries(checksOf([{ check: failed, detail: 'x' }]).map(({ check, state }) => [check, state]));
  assert.equal(stateOf('bbsProof').revealedAttributes, 'notChecked');
  assert.equal(stateOf('revealedAttributes').bbsProof, 'notChecked');
  const unsigned = stateOf('holderSignature');
  assert.deepEqual([unsigned.bbsProof, unsigned.revealedAttributes], ['notChecked', 'notChecked']);
  assert.deepEqual([stateOf('status').bbsProof, stateOf('status').status], ['ok', 'failed']);
  assert.ok(checksOf([{ check: 'newer', detail: 'x' }]).every(({ state }) => state === 'ok'));
});

test('ages are told in the largest unit that fits', () => {
  const told = [-5, 0, 1, 59, 60, 3_599, 3_600, 86_399, 86_400, 864_000].map(ageText);
  assert.deepEqual(told, [
    '0 seconds',
    '0 seconds',
    '1 second',
    '59 seconds',
    '1 minute',
    '59 minutes',
    '1 hour',
    '23 hours',
    '1 day',
    '10 days',
  ]);
});
