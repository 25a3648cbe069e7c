import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import fc from 'fast-check';
import { parseDcql } from './dcql-query.ts';

const templateId = `did:zid:${'c7'.repeat(32)}`;
const issuer = `did:zid:${'01'.repeat(32)}`;

const one = (credential: object, more: object = {}) => ({ credentials: [credential], ...more });
const withClaim = (claim: unknown) => one({ id: 'a', claims: [claim] });

describe('what is read', () => {
  test('the query that verifiers of the family send', () => {
    const query = parseDcql(
      one({
        id: templateId,
        format: 'ldp_vc',
        credentialType: 'Course Certificate',
        meta: { vct_values: ['Course Certificate'] },
        claims: [
          { path: ['credentialSubject', 'id'] },
          { path: ['credentialSubject', 'courseCertificate', 'grade'], constraints: { enum: ['A1', 'A2'] } },
          { path: ['score'], filter: { minimum: 50, type: 'number', required: false } },
        ],
      }),
      '/requirements',
    );
    assert.deepEqual(query, {
      credentials: [
        {
          id: templateId,
          templateId,
          types: [[['Course Certificate']], [['Course Certificate']]],
          claims: [
            { key: 'id', isRequired: true, constraints: {} },
            { key: 'grade', isRequired: true, constraints: { values: ['A1', 'A2'] } },
            { key: 'score', isRequired: false, constraints: { minimum: 50, type: 'number' } },
          ],
        },
      ],
    });
  });

  test('an id is a template or a label, and never nearly a template', () => {
    const meant = (id: string) => parseDcql(one({ id }), '').credentials[0].templateId;
    assert.equal(meant(templateId), templateId);
    for (const label of ['a', 'pid_mdl-1', 'b3b1f7e2-6c1d-4d2e-9a55-0e2f6a7b8c9d', 'x'.repeat(128)])
      assert.equal(meant(label), undefined);
    const hex = 'c7'.repeat(32);
    const near = [
      `${templateId} `,
      `${templateId}\n`,
      templateId.slice(0, -1),
      `${templateId}0`,
      `DID:ZID:${hex}`,
      `did:ZID:${hex}`,
      `urn:${templateId}`,
      `${templateId}#1.0.0`,
      hex,
      hex.slice(0, 32),
      `template-${hex}`,
      `zid_${hex}`,
      hex.replace(/(.{16})(?=.)/g, '$1-'),
      `did_zid_${hex.replace(/(.{31})/g, '$1_')}`,
      `did-zid-${hex.slice(0, 30)}`,
    ];
    for (const label of ['did-card-back', '550e8400-e29b-41d4-a716-446655440000'])
      assert.doesNotThrow(() => meant(label), label);
    for (const id of near) assert.throws(() => meant(id), /looks like a template id and is none/, id);
    for (const id of ['', 'Course Certificate', 'a.b', 'x'.repeat(129), 'did:zid:12'])
      assert.throws(() => meant(id), { code: 'queryInvalid' }, id);
  });

  test('sets and trusted issuers, in both spellings', () => {
    const credentials = [
      { id: 'a', issuers: [issuer] },
      { id: 'b', meta: {} },
    ];
    const given = {
      credentials,
      credential_sets: [{ options: [['a'], ['b']] }, { options: [['b']], required: false }],
      trusted_issuers: [issuer],
    };
    const query = parseDcql(given, '');
    assert.deepEqual(query.sets, [
      { options: [['a'], ['b']], isRequired: true },
      { options: [['b']], isRequired: false },
    ]);
    assert.deepEqual(query.issuers, [issuer]);
    assert.deepEqual(query.credentials[0].issuers, [issuer]);
    assert.equal(query.credentials[1].issuers, undefined);
  });
});

describe('the type of a credential, in every form that is sent', () => {
  const typesOf = (credential: object) => parseDcql(one({ id: 'a', ...credential }), '').credentials[0].types;

  test('one name, one of several, all of one list', () => {
    for (const name of ['credentialType', 'credential_type'])
      assert.deepEqual(typesOf({ [name]: 'Passport' }), [[['Passport']]]);
    for (const name of ['credentialTypes', 'credential_types'])
      assert.deepEqual(typesOf({ [name]: ['Passport', 'Visa'] }), [[['Passport'], ['Visa']]]);
    assert.deepEqual(typesOf({ meta: { vct_values: ['Passport', 'Visa'] } }), [[['Passport'], ['Visa']]]);
    assert.deepEqual(typesOf({ meta: { vct_values: [] } }), []);
    const values = [['VerifiableCredential', 'Passport'], 'Visa'];
    assert.deepEqual(typesOf({ meta: { type_values: values } }), [
      [['VerifiableCredential', 'Passport'], ['Visa']],
    ]);
    assert.deepEqual(typesOf({}), []);
  });

  test('an empty list is no type', () => {
    const forms = [{ credentialTypes: [] }, { meta: { type_values: [] } }, { meta: { type_values: [[]] } }];
    for (const form of forms) assert.throws(() => typesOf(form), Fault);
  });
});

describe('paths of claims', () => {
  const read = (path: unknown[], credential: object = {}) =>
    parseDcql(one({ id: 'a', claims: [{ path }], ...credential }), '').credentials[0];
  const certificate = { credentialType: 'Course Certificate' };

  test('an attribute, with or without credentialSubject and the name of its type', () => {
    for (const path of [['grade'], ['credentialSubject', 'grade'], ['vc', 'credentialSubject', 'grade']])
      assert.deepEqual(read(path).claims, [{ key: 'grade', isRequired: true, constraints: {} }]);
    for (const path of [
      ['courseCertificate', 'grade'],
      ['credentialSubject', 'courseCertificate', 'grade'],
      ['credentialSubject', 'Course Certificate', 'grade'],
    ])
      assert.equal(read(path, certificate).claims[0].key, 'grade');
  });

  test('the holder', () => {
    for (const path of [['id'], ['credentialSubject', 'id']]) assert.equal(read(path).claims[0].key, 'id');
  });

  test('the frame, never an attribute of the same name', () => {
    const frames = {
      issuer: ['issuer'],
      validFrom: ['validFrom'],
      validUntil: ['validUntil'],
      templateId: ['credentialSchema', 'id'],
      templateVersion: ['credentialSchema', 'version'],
    };
    for (const [member, path] of Object.entries(frames)) {
      const { claims, frame } = read(path);
      assert.deepEqual(claims, []);
      assert.deepEqual(frame, [{ member, constraints: {} }]);
    }
    assert.equal(read(['credentialSubject', 'issuer']).claims[0].key, 'issuer');
  });

  test('everything else is refused', () => {
    for (const path of [
      ['issuer', 'name'],
      ['issuer', 'id'],
      ['type'],
      ['@context'],
      ['proof', 'created'],
      ['credentialStatus', 'id'],
      ['credentialSubject'],
      ['credentialSubject', 'issuer', 'name'],
      ['credentialSubject', 'address', 'city'],
      ['address', 'city'],
      ['vc', 'grade'],
      ['credentialSubject', 'credentialSubject', 'grade'],
      ['a', 'b', 'c', 'grade'],
      ['expirationDate'],
      ['holder'],
      ['$', 'grade'],
    ])
      assert.throws(() => read(path), Fault, path.join('.'));
    assert.throws(() => read(['passport', 'grade'], certificate), Fault);
    const either = { credentialTypes: ['Passport', 'Visa'] };
    assert.throws(() => read(['passport', 'number'], either), Fault);
  });
});

describe('what is refused', () => {
  const cases: Readonly<Record<string, unknown>> = {
    'no object': [],
    'nothing asked for': { credentials: [] },
    'no credentials': {},
    'too many credentials': { credentials: Array.from({ length: 9 }, (_, index) => ({ id: `c${index}` })) },
    'two of one id': { credentials: [{ id: 'a' }, { id: 'a' }] },
    'a member that changes the meaning': one({ id: 'a', claim_sets: [['x']] }),
    'a format that is not served': one({ id: 'a', format: 'mso_mdoc' }),
    'a claim without a path': withClaim({}),
    'a path of numbers': withClaim({ path: ['credentialSubject', 0] }),
    'the same claim twice': one({ id: 'a', claims: [{ path: ['x'] }, { path: ['credentialSubject', 'x'] }] }),
    'constraints beside filter': withClaim({ path: ['x'], constraints: {}, filter: {} }),
    'required and not': withClaim({ path: ['x'], required: false, constraints: { required: true } }),
    'an unknown constraint': withClaim({ path: ['x'], constraints: { exclusiveMinimum: 3 } }),
    'a bound that is no bound': withClaim({ path: ['x'], constraints: { minimum: true } }),
    'an empty enum': withClaim({ path: ['x'], constraints: { enum: [] } }),
    'a pattern that is blank': withClaim({ path: ['x'], constraints: { pattern: ' ' } }),
    'a pattern that backtracks': withClaim({ path: ['x'], constraints: { pattern: '^(a)\\1+$' } }),
    'a pattern that is too large': withClaim({ path: ['x'], constraints: { pattern: '(a{99}){99}' } }),
    'a set of what is not asked for': one({ id: 'a' }, { credential_sets: [{ options: [['b']] }] }),
    'other issuers in the two spellings': one(
      { id: 'a' },
      { issuers: [issuer], trusted_issuers: [templateId] },
    ),
    'an issuer that is no DID': one({ id: 'a' }, { issuers: ['me'] }),
    'an integer that is not exact': withClaim({ path: ['x'], constraints: { minimum: 2n ** 60n } }),
    'too large': one({ id: 'a' }, { note: 'x'.repeat(70_000) }),
  };
  for (const [what, given] of Object.entries(cases))
    test(what, () => {
      assert.throws(
        () => parseDcql(given, '/requirements'),
        (error) =>
          error instanceof Fault &&
          error.code === 'queryInvalid' &&
          error.errors.length > 0 &&
          error.errors.every(({ pointer }) => pointer.startsWith('/requirements')),
      );
    });

  test('anything else is read or refused, never thrown out of', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          parseDcql({ credentials: [{ id: 'a', claims: [value, { path: ['x'], constraints: value }] }] }, '');
        } catch (error) {
          assert.ok(error instanceof Fault, String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});
