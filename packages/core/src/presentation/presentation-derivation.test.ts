import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  binding,
  holder,
  issuerBbsKey,
  parsed,
  request,
  sampleCredential,
  samplePresentation,
  sha256,
  stranger,
} from '../credential/testing/sample-credentials.ts';
import type { DisclosureRequest, RangeClaim } from '../documents/model.ts';
import { Fault, type FaultName } from '../faults/faults.ts';
import { planDisclosure, planPresentation } from './presentation-derivation.ts';

const plan = (asked: Partial<DisclosureRequest>, credential = parsed()) =>
  planDisclosure(
    { parsed: credential, publicKey: issuerBbsKey, request: { revealAttributes: [], ranges: [], ...asked } },
    binding,
    sha256,
  );

describe('planning a disclosure', () => {
  test('nothing asked reveals nothing but the frame', () => {
    const { subject, revealed, order, terms } = plan({});
    assert.deepEqual(subject, { id: holder.did });
    assert.deepEqual([revealed, order.revealed, order.ranges], [[], [], []]);
    assert.equal(order.messages.length, 13, 'twelve attributes and the salt');
    assert.equal(order.messageCount, 13);
    assert.equal('ranges' in terms || 'rangeMethod' in terms, false);
  });

  test('keys, once each, in template order; id is always there', () => {
    const { revealed, order } = plan({
      revealAttributes: ['country', 'fullName', 'country', 'id'],
    });
    assert.deepEqual(revealed, ['fullName', 'country']);
    assert.deepEqual(
      order.revealed.map(({ index }) => index),
      [0, 9],
    );
  });

  test('ranges in normal form and template order; exactly the bound is inside', () => {
    const { terms, order } = plan({
      ranges: [
        { attribute: 'birthDate', min: '2008-06-15', max: '2008-06-15' },
        { attribute: 'balance', max: '-12.50' },
        { attribute: 'children', min: '2' },
      ],
    });
    assert.deepEqual(terms.ranges, [
      { attribute: 'children', min: 2 },
      { attribute: 'balance', max: '-12.5' },
      { attribute: 'birthDate', min: '2008-06-15', max: '2008-06-15' },
    ]);
    assert.deepEqual(
      order.ranges.map(({ index }) => index),
      [3, 4, 6],
    );
    assert.equal(terms.rangeMethod, 'bulletproofs');
  });

  test("set membership names the verifier's parameters by hash", () => {
    const parameters = Uint8Array.of(1, 2, 3);
    const { terms } = planDisclosure(
      { parsed: parsed(), publicKey: issuerBbsKey, request },
      { ...binding, rangeParameters: { method: 'set-membership', parameters } },
      sha256,
    );
    assert.equal(terms.rangeParameters, Buffer.from(sha256(parameters)).toString('hex'));
  });

  test('what cannot be disclosed', () => {
    const range = (one: object): Partial<DisclosureRequest> => ({ ranges: [one as RangeClaim] });
    const bad: [Partial<DisclosureRequest>, FaultName][] = [
      [{ revealAttributes: ['other'] }, 'attributeUnknown'],
      [{ revealAttributes: ['credentialSubject.fullName'] }, 'attributeUnknown'],
      [{ revealAttributes: ['__proto__'] }, 'attributeUnknown'],
      [{ revealAttributes: ['constructor'] }, 'attributeUnknown'],
      [{ revealAttributes: ['FULLNAME'] }, 'attributeUnknown'],
      [{ revealAttributes: ['email'] }, 'attributeUnknown'],
      [range({ attribute: 'other', min: 1 }), 'attributeUnknown'],
      [range({ attribute: 'email', min: 1 }), 'attributeUnknown'],
      [range({ attribute: 'fullName', min: 'a' }), 'rangeInvalid'],
      [range({ attribute: 'photo', min: 1 }), 'rangeInvalid'],
      [range({ attribute: 'isResident', min: 0 }), 'rangeInvalid'],
      [range({ attribute: 'children' }), 'rangeInvalid'],
      [range({ attribute: 'children', min: 3, max: 2 }), 'rangeInvalid'],
      [range({ attribute: 'children', min: 3 }), 'rangeInvalid'],
      [range({ attribute: 'birthDate', max: '2008-06-14' }), 'rangeInvalid'],
      [
        {
          ranges: [
            { attribute: 'children', min: 1 },
            { attribute: 'children', max: 9 },
          ],
        },
        'rangeInvalid',
      ],
      [{ revealAttributes: ['children'], ...range({ attribute: 'children', min: 1 }) }, 'rangeInvalid'],
      [{ ranges: Array.from({ length: 17 }, () => ({ attribute: 'children', min: 1 })) }, 'rangeInvalid'],
    ];
    for (const [asked, code] of bad)
      assert.throws(
        () => plan(asked),
        (error) => error instanceof Fault && error.code === code,
        JSON.stringify(asked),
      );
  });
});

describe('planning a presentation', () => {
  const toPresent = (credential = parsed()) => ({ parsed: credential, publicKey: issuerBbsKey, request });

  test('one to eight credentials of one holder', () => {
    assert.equal(
      planPresentation(
        Array.from({ length: 8 }, () => toPresent()),
        binding,
        sha256,
      ).disclosures.length,
      8,
    );
    const other = parsed(sampleCredential({ owner: stranger }));
    for (const credentials of [
      [],
      Array.from({ length: 9 }, () => toPresent()),
      [toPresent(), toPresent(other)],
    ])
      assert.throws(() => planPresentation(credentials, binding, sha256), Fault);
  });

  test('an absent challenge is absent', () => {
    const { challenge: _none, domain: _neither, ...bare } = binding;
    const { proof } = samplePresentation(request, bare);
    assert.equal('challenge' in proof || 'domain' in proof, false);
  });
});
