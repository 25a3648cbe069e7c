import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  binding,
  didMethod,
  examinePresentation,
  facts,
  holder,
  issuer,
  issuerBbsKey,
  parsed,
  recordedTerms,
  request,
  sampleCredential,
  samplePresentation,
  signAs,
  stranger,
  verdictOn,
} from '../credential/testing/sample-credentials.ts';
import type { Presentation, PresentationCheck, UnsignedPresentation } from '../documents/model.ts';
import { Fault } from '../faults/faults.ts';
import type { StatusFact, VerificationFacts } from './presentation-facts.ts';
import { concludeVerdict } from './presentation-verdict.ts';

const good = samplePresentation();
type Loose = Record<string, unknown> & {
  proof: Record<string, unknown>;
  verifiableCredential: (Record<string, Record<string, unknown>> & { id: unknown; issuer: unknown })[];
};

/** The presentation, changed and signed again: only the other checks can stop it. */
function forged(change: (presentation: Loose) => void, signer = holder): Presentation {
  const loose = structuredClone(good) as unknown as Loose;
  delete loose.proof.jws;
  change(loose);
  return signAs(signer, loose as unknown as UnsignedPresentation);
}

const failing = (presentation: unknown, known: VerificationFacts = facts): readonly PresentationCheck[] => {
  const { verified, checks, errors, vcDetails } = verdictOn(presentation, known);
  assert.equal(verified, errors.length === 0);
  assert.equal(vcDetails !== undefined, verified);
  return (Object.keys(checks) as PresentationCheck[]).filter((check) => checks[check].state === 'failed');
};

const isMalformed = (error: unknown) => error instanceof Fault && error.code === 'presentationMalformed';

describe('a good presentation', () => {
  test('is verified, with what it shows', () => {
    const verdict = verdictOn(JSON.parse(JSON.stringify(good)), { ...facts, request });
    assert.deepEqual(verdict.errors, []);
    assert.equal(verdict.verified, true);
    assert.deepEqual(verdict.vcDetails, {
      fullName: 'Zoë Example',
      children: 2,
      country: 'Elbonia',
      birthDate: 'range proof ok: <= 2008-06-15',
    });
    assert.equal(verdict.credentials?.[0].issuer.id, issuer.did);
  });

  test('several credentials: every key has its position', () => {
    const second = parsed(sampleCredential({ id: `did:zid:${'cd'.repeat(32)}` }));
    const two = samplePresentation(request, binding, [parsed(), second]);
    const { verified, vcDetails } = verdictOn(two);
    assert.equal(verified, true);
    assert.equal(vcDetails?.['0.fullName'], 'Zoë Example');
    assert.equal(vcDetails?.['1.birthDate'], 'range proof ok: <= 2008-06-15');
    assert.equal(vcDetails?.fullName, undefined);
    const onlySecond = (frame: { id: string }): StatusFact => ({
      status: frame.id === second.credential.id ? 'revoked' : 'active',
      terms: recordedTerms(frame),
    });
    assert.deepEqual(verdictOn(two, { ...facts, status: onlySecond }).errors, [
      'status: credential revoked (credential 2 of 2)',
    ]);
  });

  test('every proof must be there and good', () => {
    const examination = examinePresentation(good, facts);
    assert.equal(examination.proofOrders.length, 1);
    assert.equal(concludeVerdict(examination, [true]).verified, true);
    assert.equal(concludeVerdict(examination, [false]).verified, false);
    assert.equal(concludeVerdict(examination, ['true' as never]).verified, false);
    assert.throws(() => concludeVerdict(examination, []));
    assert.throws(() => concludeVerdict(examination, [true, true]));
    const none = concludeVerdict({ ...examination, proofOrders: [] }, []);
    assert.equal(none.verified, false);
    assert.equal(none.checks.bbsProof.state, 'notChecked');
  });
});

describe('the holder', () => {
  test('a signature by somebody else, and no proof is computed', () => {
    const stolen = forged(() => undefined, stranger);
    assert.deepEqual(failing(stolen), ['holderSignature']);
    assert.deepEqual(examinePresentation(stolen, facts).proofOrders, []);
    assert.deepEqual(verdictOn(stolen).errors, ['holderSignature: invalid holder signature']);
  });

  test('another holder presents, with or without changing the subject', () => {
    const claim = (one: Loose): void => {
      one.holder = stranger.did;
      one.proof.verificationMethod = `${stranger.did}#controllerKey`;
    };
    assert.deepEqual(failing(forged(claim, stranger)), ['holderSignature']);
    const all = forged((one) => {
      claim(one);
      one.verifiableCredential[0].credentialSubject.id = stranger.did;
    }, stranger);
    assert.deepEqual(failing(all), ['bbsProof', 'revealedAttributes']);
  });

  test("a key that is not the holder's", () => {
    const other = forged((one) => {
      one.proof.verificationMethod = `${stranger.did}#controllerKey`;
    });
    assert.deepEqual(failing(other), ['holderSignature']);
  });
});

describe('what was made for another occasion', () => {
  test('challenge and domain, both ways', () => {
    const cases: Partial<VerificationFacts>[] = [
      { expectedChallenge: 'c-2' },
      { expectedChallenge: undefined },
      { expectedDomain: 'other.example' },
      { expectedDomain: undefined },
      { expectedChallenge: 'C-1' },
    ];
    for (const changes of cases) assert.deepEqual(failing(good, { ...facts, ...changes }), ['challenge']);
    const bare = samplePresentation(request, { ...binding, challenge: undefined });
    assert.deepEqual(failing(bare), ['challenge']);
    assert.deepEqual(failing(bare, { ...facts, expectedChallenge: undefined }), []);
  });

  test('a proof is not moved to another challenge', () => {
    const moved = forged((one) => {
      one.proof.challenge = 'c-2';
    });
    assert.deepEqual(failing(moved, { ...facts, expectedChallenge: 'c-2' }), [
      'bbsProof',
      'revealedAttributes',
    ]);
  });
});

describe('status and validity', () => {
  test('every status but active', () => {
    const since = { since: '2026-02-01T00:00:00Z', transaction: 'ab12', reason: 'lost' };
    const said = (fact: StatusFact | undefined) =>
      verdictOn(good, { ...facts, status: (frame) => fact && { ...fact, terms: recordedTerms(frame) } })
        .errors;
    assert.deepEqual(said({ status: 'revoked' }), ['status: credential revoked']);
    assert.deepEqual(said({ status: 'suspended', ...since }), [
      'status: credential suspended (since 2026-02-01T00:00:00Z, transaction ab12, reason: lost)',
    ]);
    for (const status of [{ status: 'unknown' as const }, { status: 'Active' as never }])
      assert.deepEqual(said(status), ['status: the ledger does not know the credential']);
    assert.ok(said(undefined).includes('status: the ledger does not know the credential'));
  });

  test('before, at and after the edges', () => {
    const at = (now: number) => failing(good, { ...facts, now });
    const [from, until] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];
    assert.deepEqual([at(from - 1), at(from), at(until - 1), at(until)], [['status'], [], [], ['status']]);
    assert.deepEqual(at(Number.NaN), ['status']);
  });

  test("the issuer's key: unknown, of a wrong size, not valid when the ledger recorded the credential", () => {
    const withKey = (
      key: ReturnType<VerificationFacts['issuerKeys']>,
      more: Partial<VerificationFacts> = {},
    ) => failing(good, { ...facts, issuerKeys: () => key, ...more });
    assert.deepEqual(withKey(undefined), ['bbsProof']);
    assert.deepEqual(withKey({ publicKey: issuerBbsKey.subarray(1) }), ['bbsProof']);
    assert.deepEqual(withKey({ publicKey: issuerBbsKey, validUntil: '2026-01-01T00:00:00Z' }), ['bbsProof']);
    assert.deepEqual(withKey({ publicKey: issuerBbsKey, validUntil: '2026-01-01T00:00:01Z' }), []);
    assert.deepEqual(withKey({ publicKey: issuerBbsKey, validFrom: '2026-01-01T00:00:01Z' }), ['bbsProof']);
    assert.deepEqual(withKey({ publicKey: issuerBbsKey, validFrom: 'always' }), ['bbsProof']);
    const ended = { publicKey: issuerBbsKey, validUntil: '2026-02-01T00:00:00Z' };
    const undated = (frame: { id: string }): StatusFact => ({
      status: 'active',
      terms: recordedTerms(frame),
    });
    assert.deepEqual(withKey(ended, { status: undated }), ['bbsProof']);
    assert.deepEqual(withKey({ publicKey: new Uint8Array(96) }), ['bbsProof', 'revealedAttributes']);
  });
});

describe('what is disclosed', () => {
  const asked = (changes: object) => failing(good, { ...facts, request: { ...request, ...changes } });

  test('not more and not less than asked', () => {
    assert.deepEqual(asked({}), []);
    assert.deepEqual(asked({ revealAttributes: ['fullName', 'country'] }), ['disclosure']);
    assert.deepEqual(asked({ revealAttributes: [...request.revealAttributes, 'points'] }), ['disclosure']);
    assert.deepEqual(asked({ ranges: [] }), ['disclosure']);
    assert.deepEqual(asked({ ranges: [{ attribute: 'birthDate', max: '2008-06-14' }] }), ['disclosure']);
    assert.deepEqual(asked({ ranges: [...request.ranges, { attribute: 'points', min: 0 }] }), ['disclosure']);
    assert.deepEqual(asked({ ranges: [...request.ranges, { attribute: 'children', min: 2 }] }), []);
    assert.deepEqual(asked({ ranges: [...request.ranges, { attribute: 'children', min: 3 }] }), [
      'disclosure',
    ]);
  });

  test('one credential is not two', () => {
    const twice = samplePresentation(request, binding, [parsed(), parsed()]);
    assert.deepEqual(verdictOn(twice).errors, [
      'disclosure: the same credential is presented twice (credential 2 of 2)',
    ]);
  });

  test('a single request is answered by one credential alone', () => {
    const second = parsed(sampleCredential({ id: `did:zid:${'cd'.repeat(32)}` }));
    const nothing = { revealAttributes: [], ranges: [] };
    const named = { ...nothing, revealAttributes: ['fullName'] };
    const aged = { ...nothing, ranges: request.ranges };
    const both = { ...named, ...aged, revealAttributes: ['fullName'] };
    const verdictOf = (...shown: (typeof request)[]) =>
      verdictOn(samplePresentation(shown, binding, [parsed(), second]), { ...facts, request: both });
    const none = (many: number) =>
      `disclosure: a single request is about one credential, and none of the ${many} answers all of it alone; ask with an array, one request for each credential`;
    assert.deepEqual(verdictOf(named, aged).errors, [none(2)]);
    assert.deepEqual(verdictOf(named, nothing).errors, [
      'disclosure: a range of birthDate was asked for and is not proved',
      none(2),
    ]);
    const besides =
      'disclosure: a single request is about one credential, and another one answers it: this one may show nothing; ask with an array, one request for each credential';
    assert.deepEqual(verdictOf(both, named).errors, [`${besides} (credential 2 of 2)`]);
    assert.deepEqual(verdictOf(aged, both).errors, [`${besides} (credential 1 of 2)`]);
    const several =
      'disclosure: a single request is about one credential, and 2 answer it; ask with an array, one request for each credential';
    assert.deepEqual(verdictOf(both, both).errors, [several]);
    const answers = (...shown: (typeof request)[]) =>
      verdictOf(...shown).credentials?.map(({ answersRequest }) => answersRequest);
    assert.deepEqual(answers(nothing, both), [false, true]);
    assert.deepEqual(answers(both, nothing), [true, false]);
    assert.equal('answersRequest' in (verdictOn(good).credentials?.[0] ?? {}), false);
    const two = samplePresentation(nothing, binding, [parsed(), second]);
    assert.deepEqual(verdictOn(two, { ...facts, request: nothing }).errors, [several]);
  });

  test('one request for each credential', () => {
    assert.deepEqual(failing(good, { ...facts, request: [request] }), []);
    assert.deepEqual(failing(good, { ...facts, request: [request, request] }), ['disclosure']);
    assert.deepEqual(failing(good, { ...facts, request: [] }), ['disclosure']);
    const second = parsed(sampleCredential({ id: `did:zid:${'cd'.repeat(32)}` }));
    const two = samplePresentation(request, binding, [parsed(), second]);
    const less = { ...request, revealAttributes: ['fullName', 'country'] };
    assert.deepEqual(verdictOn(two, { ...facts, request: [request, less] }).errors, [
      'disclosure: children was not asked for (credential 2 of 2)',
    ]);
  });
});

describe('forgeries that the holder signs', () => {
  const onCredential = (change: (credential: Loose['verifiableCredential'][0]) => void) =>
    failing(forged((one) => change(one.verifiableCredential[0])));
  const onSubject = (members: object) =>
    onCredential(({ credentialSubject }) => void Object.assign(credentialSubject, members));
  const onProof = (change: (proof: Record<string, unknown>) => void) =>
    onCredential(({ proof }) => change(proof));
  const proofFails = ['bbsProof', 'revealedAttributes'];

  test('signing again alone changes nothing', () => {
    assert.deepEqual(failing(forged(() => undefined)), []);
  });

  test('values', () => {
    assert.deepEqual(onSubject({ country: 'Ruritania' }), proofFails);
    assert.deepEqual(onSubject({ points: -3 }), proofFails);
    assert.deepEqual(
      onCredential(({ credentialSubject }) => delete credentialSubject.country),
      proofFails,
    );
    const odd = [
      { children: '2' },
      { children: -0 },
      { children: 2.5 },
      { fullName: 'Zoe\u0308 Example' },
      { other: 'x' },
    ];
    for (const members of [...odd, { birthDate: '2023-02-29' }, { constructor: 'x' }])
      assert.ok(onSubject(members).includes('revealedAttributes'), JSON.stringify(members));
    const proto = JSON.parse(`{"id":"${holder.did}","__proto__":"x"}`) as Record<string, unknown>;
    const changed = onCredential((credential) => {
      credential.credentialSubject = proto;
    });
    assert.ok(changed.includes('revealedAttributes'));
  });

  test('ranges', () => {
    const ranges = (value: unknown) => onProof((proof) => Object.assign(proof, { ranges: value }));
    assert.deepEqual(ranges([{ attribute: 'birthDate', max: '2008-06-14' }]), proofFails);
    assert.deepEqual(ranges([{ attribute: 'birthDate', min: '2008-06-15' }]), proofFails);
    assert.deepEqual(ranges([{ attribute: 'points', max: 5 }]), proofFails);
    assert.deepEqual(
      onProof((proof) => {
        delete proof.ranges;
        delete proof.rangeMethod;
      }),
      proofFails,
    );
    const odd: unknown[] = [
      [{ attribute: 'birthDate' }],
      [{ attribute: 'fullName', max: 'x' }],
      [{ attribute: 'other', max: 1 }],
      [{ attribute: 'birthDate', max: '2023-02-29' }],
      [{ attribute: 'children', max: 5 }],
      [{ attribute: 'points', max: '5' }],
      [{ attribute: 'points', min: 5, max: 1 }],
      [
        { attribute: 'birthDate', max: '2008-06-15' },
        { attribute: 'birthDate', min: '1900-01-01' },
      ],
      [
        { attribute: 'points', max: 5 },
        { attribute: 'birthDate', max: '2008-06-15' },
      ],
    ];
    for (const value of odd) assert.deepEqual(ranges(value), ['bbsProof'], JSON.stringify(value));
    assert.deepEqual(
      onProof((proof) => void delete proof.ranges),
      ['bbsProof'],
    );
    assert.deepEqual(
      onProof((proof) => void delete proof.rangeMethod),
      ['bbsProof'],
    );
  });

  test("set membership only with the verifier's own parameters", () => {
    const parameters = Uint8Array.of(1, 2, 3);
    const made = samplePresentation(request, {
      ...binding,
      rangeParameters: { method: 'set-membership', parameters },
    });
    assert.deepEqual(failing(made), ['bbsProof']);
    assert.deepEqual(failing(made, { ...facts, ownRangeParameters: [Uint8Array.of(9)] }), ['bbsProof']);
    assert.deepEqual(failing(made, { ...facts, ownRangeParameters: [Uint8Array.of(9), parameters] }), []);
  });

  test('the frame', () => {
    const other = `did:zid:${'cd'.repeat(32)}`;
    const swapped = onCredential((credential) => {
      credential.id = other;
    });
    assert.deepEqual(swapped, [...proofFails, 'status']);
    const wholly = onCredential((credential) => {
      credential.id = other;
      credential.credentialStatus.id = String(credential.credentialStatus.id).replace(/#.*/, `#${other}`);
    });
    assert.deepEqual(wholly, proofFails);
    assert.deepEqual(
      onCredential((credential) => Object.assign(credential, { validUntil: '2099-01-01T00:00:00Z' })),
      [...proofFails, 'status'],
    );
    assert.deepEqual(
      onCredential(({ credentialSchema }) => Object.assign(credentialSchema, { version: '1.0.1' })),
      [...proofFails, 'status'],
    );
    assert.deepEqual(
      onCredential((credential) => Object.assign(credential, { issuer: stranger.did })),
      ['bbsProof', 'status'],
    );
    const reversed = onCredential((credential) =>
      Object.assign(credential, { validFrom: credential.validUntil, validUntil: credential.validFrom }),
    );
    assert.ok(reversed.includes('status'));
  });

  test('property: whatever leaf is changed, it is never verified', () => {
    const leaves: string[][] = [];
    const walk = (value: unknown, path: string[]): void => {
      if (typeof value === 'object' && value !== null)
        for (const [name, member] of Object.entries(value)) walk(member, [...path, name]);
      else leaves.push(path);
    };
    const { jws: _signature, ...options } = good.proof;
    walk({ ...good, proof: options }, []);
    const change = fc.oneof(
      fc.constantFrom(undefined, null, true, 0, -1, '', [], {}, 'x'),
      fc.string(),
      fc.integer(),
      fc.constantFrom('append', 'prepend', 'upper').map((how) => (old: unknown) => {
        if (how === 'upper') return String(old).toUpperCase();
        return how === 'append' ? `${old} ` : ` ${old}`;
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...leaves), change, (path, replacement) => {
        let isChanged = false;
        const attempt = () =>
          forged((one) => {
            let at = one as Record<string, unknown>;
            for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
            const last = path.at(-1) as string;
            const next = typeof replacement === 'function' ? replacement(at[last]) : replacement;
            isChanged = next !== at[last];
            if (next === undefined && !Array.isArray(at)) delete at[last];
            else at[last] = next ?? null;
          });
        const presentation = attempt();
        if (!isChanged || (path[0] === 'proof' && path[1] === 'created')) return;
        try {
          assert.equal(verdictOn(presentation).verified, false, path.join('/'));
        } catch (error) {
          assert.ok(isMalformed(error), String(error));
        }
      }),
      { numRuns: 1_500 },
    );
  });
});

describe('what is not a presentation', () => {
  test('is a fault, never a verdict', () => {
    const { verifiableCredential: credentials, proof } = good;
    const bad: unknown[] = [
      undefined,
      null,
      'vp',
      [],
      [good],
      {},
      { ...good, extra: 1 },
      { ...good, verifiableCredential: [] },
      { ...good, verifiableCredential: credentials[0] },
      { ...good, verifiableCredential: { 0: credentials[0], length: 1 } },
      { ...good, verifiableCredential: Array.from({ length: 9 }, () => credentials[0]) },
      { ...good, verifiableCredential: [{ ...credentials[0], nonce: 1 }] },
      { ...good, verifiableCredential: [sampleCredential()] },
      { ...good, holder: [holder.did] },
      { ...good, holder: holder.did.toUpperCase() },
      { ...good, type: 'VerifiablePresentation' },
      { ...good, '@context': [] },
      { ...good, proof: [proof] },
      { ...good, proof: { ...proof, publicKey: 'x' } },
      { ...good, proof: { ...proof, proofPurpose: 'assertionMethod' } },
      { ...good, proof: { ...proof, jws: `${proof.jws}.` } },
      { ...good, proof: { ...proof, jws: undefined } },
      { ...good, proof: { ...proof, challenge: '' } },
      { ...good, proof: { ...proof, challenge: null } },
      { ...good, proof: { ...proof, challenge: ['c-1'] } },
      { ...good, proof: { ...proof, challenge: 'a'.repeat(513) } },
      { ...good, proof: { ...proof, challenge: '\ud800' } },
      JSON.parse(JSON.stringify(good).replace('"holder"', '"__proto__"')),
      { ...good, filler: 'a'.repeat(5 * 1024 * 1024) },
    ];
    for (const value of bad)
      assert.throws(
        () => examinePresentation(value, facts),
        isMalformed,
        JSON.stringify(value)?.slice(0, 300),
      );
    const sibling = { ...facts, profile: { didMethod: 'bid' } };
    assert.notEqual(didMethod, 'bid');
    assert.throws(() => examinePresentation(good, sibling), isMalformed);
  });

  test('an attribute called id cannot be smuggled in', () => {
    const smuggled = structuredClone(good) as unknown as {
      verifiableCredential: { credentialSchema: { attributes: object[] } }[];
    };
    smuggled.verifiableCredential[0].credentialSchema.attributes[0] = {
      key: 'id',
      type: 'integer',
      format: 'integer',
    };
    assert.throws(() => examinePresentation(smuggled, facts), isMalformed);
  });

  test('a member that is there twice counts once, as it is read', () => {
    const text = JSON.stringify(good);
    const twice = text.replace('"country":"Elbonia"', '"country":"Elbonia","country":"Ruritania"');
    assert.ok(failing(JSON.parse(twice)).includes('holderSignature'));
    const hidden = text.replace('"country":"Elbonia"', '"country":"Ruritania","country":"Elbonia"');
    const { vcDetails } = verdictOn(JSON.parse(hidden));
    assert.equal(vcDetails?.country, 'Elbonia');
  });

  test('property: no value at all makes it throw anything else', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withMap: true, withSparseArray: true }), (value) => {
        assert.throws(() => examinePresentation(value, facts), isMalformed);
        assert.throws(
          () => examinePresentation({ ...good, verifiableCredential: [value] }, facts),
          isMalformed,
        );
        assert.throws(() => examinePresentation({ ...good, proof: value }, facts), isMalformed);
      }),
    );
  });
});
