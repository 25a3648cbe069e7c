import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fault } from '@symbolon/core/faults/faults';
import { readServiceRequest } from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { credentialRoutes as routes } from './routes.ts';

const vc = { id: 'did:zid:1' };
const derive = (body: object) => readServiceRequest(routes.createPresentation, { body: body as JsonObject });
const verify = (body: object) => readServiceRequest(routes.verifyPresentation, { body: body as JsonObject });
const refused = (code: string) => (error: Fault) => error.code === code && error.errors.length > 0;

describe('requests for a presentation', () => {
  it('reveal nothing unless asked to', () => {
    const nothing = { revealAttributes: [], ranges: [] };
    const expected = { credential: vc, place: '/vc', ...nothing, ages: [], places: nothing };
    for (const body of [
      { vc },
      { vc, revealAttributes: [] },
      { vc, revealAttribute: null, rangeProof: [] },
    ]) {
      assert.deepEqual(derive(body).credentials, [expected]);
    }
  });

  it('remember where everything stood', () => {
    const { places } = derive({
      vc,
      revealAttribute: ['a', 'credentialSubject.a', 'b'],
      rangeProof: { attributes: ['c', 'd'], minValues: [1, 2] },
      age: { attribute: 'e', minAge: 18 },
    }).credentials[0];
    assert.deepEqual(places, {
      revealAttributes: ['/revealAttribute/0', '/revealAttribute/2'],
      ranges: ['/rangeProof/attributes/0', '/rangeProof/attributes/1', '/age'],
    });
  });

  it('read both spellings of the reveal list', () => {
    for (const name of ['revealAttributes', 'revealAttribute']) {
      const { revealAttributes } = derive({ vc, [name]: ['a', 'credentialSubject.b', 'a'] }).credentials[0];
      assert.deepEqual(revealAttributes, ['a', 'b']);
    }
  });

  it('read paths to an attribute, and refuse all others', () => {
    const course = { ...vc, type: ['VerifiableCredential', 'Course Certificate'] };
    const paths = [
      'grade',
      'credentialSubject.grade',
      'vc.credentialSubject.grade',
      'courseCertificate.grade',
    ];
    for (const path of paths) {
      const [read] = derive({ vc: course, revealAttributes: [path] }).credentials;
      assert.deepEqual(read.revealAttributes, ['grade'], path);
      const ranged = {
        vc: course,
        rangeProof: { attribute: path, min: 1 },
        age: { attribute: path, minAge: 1 },
      };
      const [{ ranges, ages }] = derive(ranged).credentials;
      assert.deepEqual([ranges[0].attribute, ages[0].attribute], ['grade', 'grade'], path);
    }
    const wrong = [
      'other.grade',
      'proof.grade',
      'issuer',
      'issuer.id',
      'grade.',
      '.grade',
      'vc.grade',
      'a.b.c.d',
    ];
    for (const path of wrong) {
      assert.throws(
        () => derive({ vc: course, revealAttributes: [path] }),
        refused('requestMalformed'),
        path,
      );
      assert.throws(
        () => verify({ vp: {}, request: { revealAttributes: [path] } }),
        refused('requestMalformed'),
      );
      const ranged = { rangeProof: [{ attribute: path, min: 1 }] };
      assert.throws(() => verify({ vp: {}, request: ranged }), refused('requestMalformed'), path);
      const aged = { age: { attribute: path, minAge: 1 } };
      assert.throws(() => verify({ vp: {}, request: aged }), refused('requestMalformed'), path);
    }
  });

  it('read ranges in every shape', () => {
    const expected = [
      { attribute: 'a', min: 1 },
      { attribute: 'b', max: '2.50' },
    ];
    const shapes = [
      [
        { attribute: 'a', min: 1 },
        { attribute: 'b', max: '2.50' },
      ],
      [
        { key: 'a', minValue: 1, maxValue: null },
        { key: 'b', maxValue: '2.50' },
      ],
      { attributes: ['a', 'b'], minValues: [1, null], maxValues: [null, '2.50'], bits: 32 },
      { attributes: ['a', 'b'], minValues: [1], maxValues: [null, '2.50'] },
    ];
    for (const rangeProof of shapes)
      assert.deepEqual(derive({ vc, rangeProof }).credentials[0].ranges, expected);
    const one = derive({ vc, rangeProof: { attribute: 'a', min: 0, max: 0 } });
    assert.deepEqual(one.credentials[0].ranges, [{ attribute: 'a', min: 0, max: 0 }]);
  });

  it('of a verifier have every bound of a column', () => {
    const ask = (rangeProof: object) => verify({ vp: {}, request: { rangeProof } }).asked;
    const attributes = ['a', 'b'];
    for (const columns of [
      { minValues: [1, null] },
      { minValues: [1, 2], maxValues: [null, 3] },
      { minValues: [1, 2], maxValues: [] },
      { minValues: [1], maxValues: [3, 4] },
      { minValues: [1, 2], maxValues: [3] },
      { minValues: [1, 2, 3] },
      {},
    ])
      assert.throws(
        () => ask({ attributes, ...columns }),
        (error: Fault) => error.status === 400,
        JSON.stringify(columns),
      );
    assert.throws(() => ask({ attributes, minValues: [1], maxValues: [3, 4] }), refused('rangeInvalid'));
    const whole = ask({ attributes, minValues: [1, 2] }) as { ranges: unknown };
    assert.deepEqual(whole.ranges, [
      { attribute: 'a', min: 1 },
      { attribute: 'b', min: 2 },
    ]);
  });

  it('refuse ranges that say nothing', () => {
    for (const rangeProof of [
      { attribute: 'a' },
      { min: 1 },
      [{ attribute: 'a', min: 1 }, { attribute: 'b' }],
      { attributes: ['a'], minValues: [1, 2] },
      { attributes: ['a'], minValues: [null] },
      { attribute: 'a', key: 'b', min: 1 },
      { attribute: 'a', min: 1, minValue: 18 },
      { attribute: 'a', max: 1, maxValue: 18 },
    ]) {
      assert.throws(() => derive({ vc, rangeProof }), refused('rangeInvalid'));
      if (rangeProof)
        assert.throws(() => verify({ vp: {}, request: { rangeProof } }), refused('rangeInvalid'));
    }
    for (const rangeProof of [
      'a',
      7,
      { attribute: 'a', min: {} },
      { attribute: 7, min: 1 },
      { attributes: [] },
    ]) {
      const isRefused = (error: Fault) => error.status === 400;
      assert.throws(() => derive({ vc, rangeProof }), isRefused);
    }
  });

  it('read ages', () => {
    assert.deepEqual(derive({ vc, age: { attribute: 'born', minAge: 18 } }).credentials[0].ages, [
      { attribute: 'born', minAge: 18 },
    ]);
    assert.throws(() => derive({ vc, age: { attribute: 'born' } }), refused('rangeInvalid'));
    assert.throws(
      () => derive({ vc, age: { attribute: 'born', minAge: 30, maxAge: 20 } }),
      refused('rangeInvalid'),
    );
    for (const minAge of [-1, 1.5, 201, '18']) {
      assert.throws(() => derive({ vc, age: { attribute: 'born', minAge } }), refused('requestMalformed'));
    }
  });

  it('read several credentials, each with its own disclosure', () => {
    const { credentials, challenge, domain } = derive({
      vcs: [
        { vc, revealAttributes: ['a'] },
        { vc, rangeProof: { attribute: 'b', min: 2 } },
      ],
      challenge: 'c',
      domain: 'd',
    });
    assert.deepEqual([challenge, domain], ['c', 'd']);
    assert.deepEqual(
      credentials.map(({ revealAttributes, ranges }) => [revealAttributes.length, ranges.length]),
      [
        [1, 0],
        [0, 1],
      ],
    );
    assert.throws(() => derive({ vc, vcs: [{ vc }] }), refused('requestMalformed'));
    assert.throws(() => derive({ vcs: [] }), refused('requestMalformed'));
    assert.throws(() => derive({ vcs: [vc] }), refused('requestMalformed'));
    assert.throws(() => derive({ vcs: Array(9).fill({ vc }) }), refused('requestMalformed'));
    assert.throws(() => derive({ vc, challenge: 'c'.repeat(513) }), refused('requestMalformed'));
    assert.throws(() => derive({ vc, rangeMethod: 'other' }), refused('requestMalformed'));
  });
});

describe('wishes that nobody could obey', () => {
  const read = (body: JsonObject) => readServiceRequest(routes.createPresentation, { body });
  const refused = (body: JsonObject, pointer: string) =>
    assert.throws(
      () => read(body),
      (error: Fault) => error.errors?.[0]?.pointer === pointer,
    );

  it('beside a list of credentials', () => {
    const vcs = [{ vc: {}, revealAttributes: ['name'] }];
    refused({ vcs, rangeProof: { attribute: 'kids', min: 1 } }, '/rangeProof');
    refused({ vcs, revealAttributes: ['name'] }, '/revealAttributes');
    refused({ vcs, age: { attribute: 'born', minAge: 18 } }, '/age');
  });

  it('in two spellings that differ', () => {
    refused({ vc: {}, revealAttributes: ['name'], revealAttribute: ['kids'] }, '/revealAttribute');
    const { credentials } = read({ vc: {}, revealAttributes: ['name'], revealAttribute: ['name'] });
    assert.deepEqual(credentials[0].revealAttributes, ['name']);
  });
});

describe('requests to verify', () => {
  it('read both spellings, expectations and what was asked for', () => {
    const vp = { type: ['VerifiablePresentation'] };
    assert.equal(verify({ vp }).presentation, vp);
    assert.equal(verify({ vpObject: vp }).presentation, vp);
    assert.equal(verify({ vp }).asked, undefined);
    const one = verify({ vp, challenge: 'c', request: { revealAttributes: ['a'] } });
    assert.deepEqual(one.asked, { revealAttributes: ['a'], ranges: [], ages: [] });
    const each = verify({
      vp,
      request: [{ revealAttributes: ['a'] }, { rangeProof: { attribute: 'b', max: 1 } }],
    });
    assert.equal(Array.isArray(each.asked) && each.asked.length, 2);
  });

  it('refuse anything else', () => {
    for (const body of [
      {},
      { vp: 'text' },
      { vp: [] },
      { vp: null },
      { vp: {}, vpObject: {} },
      { vp: {}, request: 'a' },
      { vp: {}, request: [] },
    ]) {
      assert.throws(() => verify(body), refused('requestMalformed'));
    }
  });
});
