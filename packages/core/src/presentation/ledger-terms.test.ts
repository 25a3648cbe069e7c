import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  binding,
  facts,
  issuerBbsKey,
  parsed,
  recordedTemplate,
  recordedTerms,
  request,
  sampleCredential,
  samplePresentation,
  stranger,
  template,
  verdictOn,
} from '../credential/testing/sample-credentials.ts';
import type { PresentationCheck } from '../documents/model.ts';
import type { VerificationFacts } from './presentation-facts.ts';

const good = samplePresentation();

const failing = (presentation: unknown, known: VerificationFacts = facts): readonly PresentationCheck[] => {
  const { checks } = verdictOn(presentation, known);
  return (Object.keys(checks) as PresentationCheck[]).filter((name) => checks[name].state === 'failed');
};

describe('what the ledger recorded', () => {
  const recorded = (terms: object, more: Partial<VerificationFacts> = {}) =>
    verdictOn(good, {
      ...facts,
      status: (frame) => ({
        status: 'active',
        issuedAt: '2026-01-01T00:00:00Z',
        terms: { ...recordedTerms(frame), ...terms },
      }),
      ...more,
    }).errors;

  test('every term of the entry is the one shown', () => {
    const other = `did:zid:${'ee'.repeat(32)}`;
    const cases: readonly [object, string][] = [
      [{ credential: other }, 'identifier'],
      [{ template: other }, 'template'],
      [{ templateVersion: '0.9' }, 'version of the template'],
      [{ validFrom: '2025-01-01T00:00:00Z' }, 'beginning of validity'],
      [{ validUntil: '2026-01-01T00:00:01Z' }, 'end of validity'],
    ];
    assert.deepEqual(recorded({}), []);
    for (const [terms, word] of cases)
      assert.deepEqual(recorded(terms), [`status: the ledger has recorded another ${word}`]);
  });

  test('an entry of which nothing is known is no entry', () => {
    const bare = { ...facts, status: () => ({ status: 'active' as const }) };
    assert.ok(failing(good, bare).includes('status'));
  });

  test('the template is registered by this issuer, with this name and these attributes', () => {
    const registered = (changes: object) =>
      recorded(
        {},
        {
          template: (frame) => {
            const found = recordedTemplate(frame);
            return found && { ...found, ...changes };
          },
        },
      );
    const [first, ...others] = template.attributes;
    const cases: readonly [object, string][] = [
      [{ issuer: stranger.did }, 'the template is of another issuer'],
      [{ name: 'Residence permit' }, 'the template has another name on the ledger'],
      [{ attributes: others }, 'the template has other attributes on the ledger'],
      [{ attributes: [...others, first] }, 'the template has other attributes on the ledger'],
      [
        { attributes: [{ ...first, format: 'text' }, ...others] },
        'the template has other attributes on the ledger',
      ],
      [{ version: '2.0.0' }, 'the ledger has another template under this name'],
    ];
    for (const [changes, words] of cases) assert.deepEqual(registered(changes), [`status: ${words}`]);
    assert.deepEqual(recorded({}, { template: () => undefined }), [
      'status: the ledger does not know the template',
    ]);
  });

  test('a template goes by the name that its identifier is the hash of', () => {
    const renamed = samplePresentation(request, binding, [
      parsed(sampleCredential({ template: { ...template, name: 'Passport' } })),
    ]);
    const registered: VerificationFacts = {
      ...facts,
      template: (frame) => {
        const found = recordedTemplate(frame);
        return found && { ...found, name: 'Passport' };
      },
    };
    const words = "status: the template's identifier is not that of its issuer and name";
    assert.deepEqual(verdictOn(renamed, registered).errors, [words]);
  });

  test('a proof that opens another commitment, or none, is no proof', () => {
    const bad = [
      'bbsProof: BBS+ proof invalid',
      'revealedAttributes: the values shown are not confirmed by the proof',
    ];
    assert.deepEqual(recorded({ commitment: new Uint8Array(48).fill(0x8c) }), bad);
    const accepting = {
      template: (frame: Parameters<VerificationFacts['template']>[0]) => {
        const found = recordedTemplate(frame);
        return found && { ...found, acceptsUnbound: true };
      },
    };
    assert.deepEqual(recorded({ commitment: undefined }, accepting), bad);
  });

  describe('an entry that binds no contents', () => {
    const unbound = samplePresentation(request, binding, [parsed(sampleCredential({ contents: null }))]);
    const known = (acceptsUnbound: boolean, key: object = {}): VerificationFacts => ({
      ...facts,
      status: (frame) => {
        const { commitment: _none, ...terms } = recordedTerms(frame);
        return { status: 'active', issuedAt: '2026-01-01T00:00:00Z', terms };
      },
      template: (frame) => {
        const found = recordedTemplate(frame);
        return found && { ...found, acceptsUnbound };
      },
      issuerKeys: () => ({ publicKey: issuerBbsKey, ...key }),
    });

    test('counts only where its template says so', () => {
      assert.deepEqual(verdictOn(unbound, known(true)).errors, []);
      assert.deepEqual(verdictOn(unbound, known(false)).errors, [
        'status: the ledger has recorded no commitment to the contents',
      ]);
    });

    test('never counts with a key that others may have', () => {
      for (const since of ['2025-01-01T00:00:00Z', '2026-05-01T00:00:00Z'])
        assert.deepEqual(failing(unbound, known(true, { compromisedSince: since })), ['bbsProof']);
    });
  });

  test('a compromised key: what was bound before counts, what was recorded since then does not', () => {
    const since = (compromisedSince: string) =>
      failing(good, { ...facts, issuerKeys: () => ({ publicKey: issuerBbsKey, compromisedSince }) });
    assert.deepEqual(since('2026-01-01T00:00:01Z'), []);
    assert.deepEqual(since('2026-01-01T00:00:00Z'), ['bbsProof']);
    assert.deepEqual(since('some time'), ['bbsProof']);
  });
});
