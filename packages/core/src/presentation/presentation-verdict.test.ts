import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  binding,
  examinePresentation,
  facts,
  parsed,
  sampleCredential,
  samplePresentation,
  template,
} from '../credential/testing/sample-credentials.ts';
import { presentationChecks } from '../documents/model.ts';
import { concludeVerdict, rangeNote } from './presentation-verdict.ts';

describe('verdicts', () => {
  test('errors are in the order of the checks and say what each is', () => {
    const late = { ...facts, now: Date.UTC(2030, 0, 1), expectedChallenge: 'other', request: [] };
    const { errors } = concludeVerdict(examinePresentation(samplePresentation(), late), [false]);
    assert.deepEqual(
      errors.map((error) => error.split(':')[0]),
      ['bbsProof', 'revealedAttributes', 'disclosure', 'status', 'challenge'],
    );
    assert.ok(errors.includes('bbsProof: BBS+ proof invalid'));
    assert.ok(errors.includes('status: expired credential'));
  });

  test('all six checks are told', () => {
    const { checks } = concludeVerdict(examinePresentation(samplePresentation(), facts), [true]);
    assert.deepEqual(Object.keys(checks), [...presentationChecks]);
    assert.ok(Object.values(checks).every(({ state }) => state === 'ok'));
  });

  test('a proof that shows no value casts no doubt on values', () => {
    const silent = samplePresentation({ revealAttributes: [], ranges: [] });
    const { errors } = concludeVerdict(examinePresentation(silent, facts), [false]);
    assert.deepEqual(errors, ['bbsProof: BBS+ proof invalid']);
  });

  test('an attribute that an old template calls like a member of the credential is told apart from it', () => {
    const { id, name, version, issuer } = template;
    const attribute = {
      key: 'issuer',
      label: 'Issuer',
      type: 'text',
      format: 'string',
      mandatory: true,
    } as const;
    const old = { id, name, version, issuer, attributes: [attribute] };
    const credential = parsed(sampleCredential({ template: old, values: { issuer: 'A famous university' } }));
    const shown = samplePresentation({ revealAttributes: ['issuer'], ranges: [] }, binding, [credential]);
    const { vcDetails, credentials } = concludeVerdict(
      examinePresentation(shown, {
        ...facts,
        request: undefined,
        template: () => ({ ...old, acceptsUnbound: false }),
      }),
      [true],
    );
    assert.deepEqual(vcDetails, { 'credentialSubject.issuer': 'A famous university' });
    assert.equal(credentials?.[0].issuer.id, issuer);
  });

  test('of a refused presentation, who it says it is from, and no value', () => {
    const { claimed, credentials, vcDetails } = concludeVerdict(
      examinePresentation(samplePresentation(), facts),
      [false],
    );
    assert.deepEqual([credentials, vcDetails], [undefined, undefined]);
    assert.deepEqual(claimed, [
      {
        id: `did:zid:${'ab'.repeat(32)}`,
        issuer: template.issuer,
        template: { id: template.id, version: template.version },
        validFrom: '2026-01-01T00:00:00Z',
        validUntil: '2027-01-01T00:00:00Z',
        status: { state: 'active' },
      },
    ]);
  });

  test('notes of ranges', () => {
    assert.equal(rangeNote({ attribute: 'age', min: 18 }), 'range proof ok: >= 18');
    assert.equal(rangeNote({ attribute: 'age', min: 0, max: 65 }), 'range proof ok: >= 0 and <= 65');
  });
});
