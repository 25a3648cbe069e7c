import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  facts,
  issuer,
  now,
  recordedTerms,
  samplePresentation,
  stranger,
  template,
  verdictOn,
} from '../credential/testing/sample-credentials.ts';
import { isBirthKey } from './age-claims.ts';
import type { VerificationFacts } from './presentation-facts.ts';
import type { TrustFacts, VerifierTrust } from './trust-rules.ts';

const knowing = (trust: TrustFacts, more: Partial<VerificationFacts> = {}) =>
  verdictOn(samplePresentation(), { ...facts, ...more, trust });
const asking = (asked: VerifierTrust) => knowing({ asked });
const shown = (trust: TrustFacts, more: Partial<VerificationFacts> = {}) => {
  const { credentials, errors } = knowing(trust, more);
  assert.deepEqual(errors, []);
  return credentials?.[0] ?? assert.fail();
};
const otherTemplate = `did:zid:${'0'.repeat(64)}`;

describe('whom a verifier trusts', () => {
  test('the issuer, for every template or for this one', () => {
    for (const trusted of [{ did: issuer.did }, { did: issuer.did, templates: [template.id] }])
      assert.equal(shown({ asked: { issuers: [{ did: stranger.did }, trusted] } }).issuerTrust, 'trusted');
    assert.equal(shown({}).issuerTrust, 'not asked');
    assert.equal(shown({ asked: { templates: [template.id] } }).issuerTrust, 'not asked');
  });

  test('somebody else: check 4 fails and names the issuer', () => {
    const { verified, checks, errors, credentials, vcDetails } = asking({ issuers: [{ did: stranger.did }] });
    assert.deepEqual(
      [verified, checks.disclosure.state, credentials, vcDetails],
      [false, 'failed', undefined, undefined],
    );
    assert.deepEqual(errors, [`disclosure: the issuer ${issuer.did} is not one of those trusted`]);
  });

  test('the issuer for another template, or nobody at all', () => {
    const words = `the template "Residence Permit" (${template.id})`;
    const elsewhere = { issuers: [{ did: issuer.did, templates: [otherTemplate] }] };
    assert.deepEqual(asking(elsewhere).errors, [
      `disclosure: the issuer ${issuer.did} is not trusted for ${words}`,
    ]);
    assert.deepEqual(asking({ templates: [otherTemplate] }).errors, [
      `disclosure: ${words} is not one of those wanted`,
    ]);
    assert.equal(asking({ issuers: [] }).verified, false);
    assert.equal(asking({ templates: [] }).verified, false);
  });

  test('an issuer that stands twice: the narrower entry holds', () => {
    const narrow = { did: issuer.did, templates: [otherTemplate] };
    for (const issuers of [
      [narrow, { did: issuer.did }],
      [{ did: issuer.did }, narrow],
    ])
      assert.equal(asking({ issuers }).verified, false);
    assert.equal(asking({ issuers: [{ did: issuer.did }, { did: issuer.did }] }).verified, true);
  });

  test('each credential in its place; a place without a word asks nothing', () => {
    assert.equal(knowing({ asked: [{ issuers: [{ did: stranger.did }] }] }).verified, false);
    assert.equal(knowing({ asked: [undefined] }).verified, true);
  });
});

describe('what a verdict calls an issuer', () => {
  const own = (name: string): TrustFacts => ({ ownName: (did) => (did === issuer.did ? name : undefined) });

  test("the verifier's name first, then the issuer's own", () => {
    const asked = { issuers: [{ did: issuer.did, name: 'Our university' }] };
    const listed = { id: issuer.did, name: 'Our university', nameSource: 'trustList' };
    assert.deepEqual(shown({ ...own('University of Example'), asked }).issuer, listed);
    const published = { id: issuer.did, name: 'University of Example', nameSource: 'issuer' };
    assert.deepEqual(shown(own('University of Example')).issuer, published);
    assert.deepEqual(shown({}).issuer, { id: issuer.did });
  });

  test('no name that looks like another one of the list, or of somebody who has it', () => {
    const asked = {
      issuers: [{ did: stranger.did, name: 'University of Example' }, { did: issuer.did }],
    };
    for (const name of ['University of Example', 'UNIVERSlTY-OF-EXAMPLE', 'Unіvеrsіtу of Example'])
      assert.deepEqual(shown({ ...own(name), asked }).issuer, { id: issuer.did }, name);
    const isOthers = (did: string, name: string) => did === issuer.did && name === 'Ministry';
    assert.deepEqual(shown({ ...own('Ministry'), isOthers }).issuer, { id: issuer.did });
    assert.deepEqual(shown(own('\u202eyrtsiniM')).issuer, { id: issuer.did });
  });

  test('no name of a template that looks like another one', () => {
    const { id, name, version } = template;
    assert.deepEqual(shown({}).template, { id, name, version });
    assert.deepEqual(shown({ isOthers: () => true }).template, { id, version });
    const listed = { did: stranger.did, name: name.toUpperCase() };
    const asked = { issuers: [{ did: issuer.did }, listed] };
    assert.deepEqual(shown({ asked }).template, { id, version });
  });
});

describe('ranges and status', () => {
  test('an age by a date of birth is told in years', () => {
    const [range] = shown({}).ranges;
    assert.deepEqual(range, {
      attribute: 'birthDate',
      max: '2008-06-15',
      age: { minAge: 18 },
      text: '18 or older',
    });
  });

  test("only a name of the holder's own date of birth makes an age of bounds", () => {
    for (const key of [
      'birthDate',
      'birthdate',
      'birth_date',
      'dateOfBirth',
      'date_of_birth',
      'DOB',
      'birthday',
    ])
      assert.ok(isBirthKey(key), key);
    for (const key of [
      'childBirthDate',
      'motherDateOfBirth',
      'birthCertificateIssued',
      'birthDateOfChild',
      'bornInto',
      'birth_date_2',
      'birthPlaceSince',
      'firstBirthday',
    ])
      assert.ok(!isBirthKey(key), key);
  });

  test('a holder who dates the presentation ahead grows no older', () => {
    const early = { ...facts, now: Date.UTC(2025, 5, 15, 12) };
    const examined = verdictOn(samplePresentation(), { ...early, now: Date.UTC(2026, 5, 14, 12) });
    assert.equal(examined.credentials?.[0].ranges[0].text, '<= 2008-06-15, so 17 or older');
    assert.ok(now > early.now);
  });

  test('the status with its block', () => {
    const since = '2026-01-02T00:00:00Z';
    const status = (frame: { id: string }) =>
      ({ status: 'active', issuedAt: since, since, ledgerSeq: '17', terms: recordedTerms(frame) }) as const;
    assert.deepEqual(shown({}, { status }).status, { state: 'active', ledgerSeq: '17', since });
  });
});
