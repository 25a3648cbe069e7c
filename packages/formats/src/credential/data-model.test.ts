import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextUrls } from '../json-ld/contexts.ts';
import { credentialProblems, presentationProblems, validityOf } from './data-model.ts';
import { relatedResourceProblems } from './related-resources.ts';

const good = {
  '@context': [contextUrls.credentialsV2, contextUrls.examplesV2],
  id: 'urn:uuid:0a1b',
  type: ['VerifiableCredential', 'SampleCredential'],
  name: [{ '@value': 'Probe', '@language': 'de' }, 'Sample'],
  issuer: { id: 'did:example:issuer', name: 'Issuer' },
  validFrom: '2026-01-01T00:00:00Z',
  validUntil: '2026-12-31T23:59:59.5+02:00',
  credentialSubject: [{ id: 'did:example:a', a: 1 }, { b: 2 }],
  credentialStatus: { type: 'BitstringStatusListEntry', id: 'https://a.example/s#1' },
  credentialSchema: [{ id: 'https://a.example/schema', type: 'JsonSchema' }],
  refreshService: { type: 'Refresh' },
  termsOfUse: [{ type: 'Policy' }],
  evidence: { type: 'Evidence' },
  relatedResource: [
    {
      id: 'https://a.example/r',
      digestSRI: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    },
  ],
};
const older = {
  '@context': [contextUrls.credentialsV1],
  type: 'VerifiableCredential',
  issuer: 'did:example:issuer',
  issuanceDate: '2026-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:a' },
};
const pointersOf = (problems: readonly { readonly pointer: string }[]) =>
  problems.map(({ pointer }) => pointer);

/** Each requirement: what breaks it, and where the complaint stands. */
const requirements: readonly (readonly [requirement: string, change: object, pointer: string])[] = [
  ['@context is there', { '@context': undefined }, ''],
  [
    '@context begins with the model',
    { '@context': [contextUrls.examplesV2, contextUrls.credentialsV2] },
    '/@context',
  ],
  ['@context is a list in 2.0', { '@context': contextUrls.credentialsV2 }, '/@context'],
  ['contexts are addresses or objects', { '@context': [contextUrls.credentialsV2, 7] }, '/@context/1'],
  [
    'one version of the model',
    { '@context': [contextUrls.credentialsV2, contextUrls.credentialsV1] },
    '/@context',
  ],
  ['id is one address', { id: ['urn:a:b', 'urn:a:c'] }, '/id'],
  ['id is an address', { id: 'not an address' }, '/id'],
  ['type is there', { type: [] }, '/type'],
  ['type has VerifiableCredential', { type: ['SampleCredential'] }, '/type'],
  ['types are texts', { type: ['VerifiableCredential', 1] }, '/type'],
  ['name is a text in a language', { name: { '@value': 'a', '@language': 'not a tag' } }, '/name'],
  ['name has no other members', { name: { '@value': 'a', note: 'b' } }, '/name'],
  ['description is a text', { description: 5 }, '/description'],
  ['issuer is there', { issuer: null }, '/issuer'],
  ['issuer is an address', { issuer: 'somebody' }, '/issuer'],
  ['an issuer object has an id', { issuer: { name: 'Somebody' } }, '/issuer/id'],
  ['credentialSubject is there', { credentialSubject: [] }, '/credentialSubject'],
  ['credentialSubject is an object', { credentialSubject: 'did:example:a' }, '/credentialSubject'],
  ['credentialSubject says something', { credentialSubject: {} }, '/credentialSubject'],
  ['every subject says something', { credentialSubject: [{ a: 1 }, {}] }, '/credentialSubject/1'],
  ['a subject id is an address', { credentialSubject: { id: 'nobody' } }, '/credentialSubject/id'],
  ['validFrom has an offset', { validFrom: '2026-01-01T00:00:00' }, '/validFrom'],
  ['validFrom is a day that exists', { validFrom: '2026-02-30T00:00:00Z' }, '/validFrom'],
  ['validUntil is a time', { validUntil: 1 }, '/validUntil'],
  ['validUntil is not before validFrom', { validUntil: '2025-01-01T00:00:00Z' }, '/validUntil'],
  [
    'credentialStatus has a type',
    { credentialStatus: { id: 'https://a.example/s' } },
    '/credentialStatus/type',
  ],
  ['a status id is an address', { credentialStatus: { type: 'A', id: 'b' } }, '/credentialStatus/id'],
  [
    'credentialSchema has a type',
    { credentialSchema: { id: 'https://a.example/s' } },
    '/credentialSchema/type',
  ],
  ['credentialSchema has an id', { credentialSchema: [{ type: 'JsonSchema' }] }, '/credentialSchema/0/id'],
  ['refreshService has a type', { refreshService: { url: 'https://a.example' } }, '/refreshService/type'],
  ['refreshService is an object', { refreshService: 'https://a.example' }, '/refreshService'],
  ['termsOfUse has a type', { termsOfUse: [{ id: 'https://a.example' }] }, '/termsOfUse/0/type'],
  ['evidence has a type', { evidence: [{ id: 'https://a.example' }] }, '/evidence/0/type'],
  ['proof has a type', { proof: { proofValue: 'z' } }, '/proof/type'],
  ['related resources are objects', { relatedResource: ['https://a.example/r'] }, '/relatedResource/0'],
  [
    'related resources have an id',
    { relatedResource: [{ ...good.relatedResource[0], id: 7 }] },
    '/relatedResource/0/id',
  ],
  [
    'related resources differ',
    { relatedResource: [good.relatedResource[0], good.relatedResource[0]] },
    '/relatedResource/1/id',
  ],
  [
    'related resources have a digest',
    { relatedResource: [{ id: 'https://a.example/r' }] },
    '/relatedResource/0',
  ],
  [
    'the digest is one',
    { relatedResource: [{ id: 'https://a.example/r', digestSRI: 'md5-aa' }] },
    '/relatedResource/0',
  ],
  [
    'the digest is whole',
    { relatedResource: [{ id: 'https://a.example/r', digestMultibase: 'uEiAA' }] },
    '/relatedResource/0',
  ],
];

test('a credential that keeps every rule has no problem', () => {
  assert.deepEqual(credentialProblems(good), []);
  assert.deepEqual(credentialProblems(older), []);
  assert.deepEqual(validityOf(good), {
    fromMs: Date.parse('2026-01-01T00:00:00Z'),
    untilMs: Date.parse('2026-12-31T21:59:59.500Z'),
  });
});

for (const [requirement, change, pointer] of requirements)
  test(`${requirement}`, () => {
    const problems = credentialProblems({ ...good, ...change });
    assert.ok(pointersOf(problems).includes(pointer), JSON.stringify(problems));
  });

test('credentials of 1.1 are verified and not issued', () => {
  assert.deepEqual(pointersOf(credentialProblems(older, { versions: ['2.0'] })), ['/@context']);
  assert.deepEqual(pointersOf(credentialProblems({ ...older, issuanceDate: '2026' })), ['/issuanceDate']);
  const { issuanceDate: _, ...undated } = older;
  assert.deepEqual(pointersOf(credentialProblems(undated)), ['/issuanceDate']);
});

test('whatever is no document is a problem and no error', () => {
  for (const value of [undefined, null, 7, 'text', [], () => 1, { a: 1n }, { a: Number.NaN }])
    assert.deepEqual(pointersOf(credentialProblems(value)), ['']);
  let deep: unknown = 1;
  for (let depth = 0; depth < 100; depth++) deep = [deep];
  assert.deepEqual(pointersOf(credentialProblems({ ...good, deep })), ['']);
});

test('presentations: their own members, and the credentials in them', () => {
  const presentation = {
    '@context': [contextUrls.credentialsV2],
    type: 'VerifiablePresentation',
    holder: 'did:example:holder',
    verifiableCredential: [
      good,
      {
        '@context': contextUrls.credentialsV2,
        id: 'data:application/vc+jwt,eyJ',
        type: 'EnvelopedVerifiableCredential',
      },
    ],
  };
  assert.deepEqual(presentationProblems(presentation), []);
  const cases: [object, string][] = [
    [{ type: 'Presentation' }, '/type'],
    [{ holder: 7 }, '/holder'],
    [{ holder: {} }, '/holder/id'],
    [{ verifiableCredential: 'text' }, '/verifiableCredential'],
    [{ verifiableCredential: [{ ...good, issuer: 'x' }] }, '/verifiableCredential/0/issuer'],
    [
      { verifiableCredential: { type: 'EnvelopedVerifiableCredential', id: 'https://a.example' } },
      '/verifiableCredential/id',
    ],
    [{ termsOfUse: {} }, '/termsOfUse/type'],
  ];
  for (const [change, pointer] of cases)
    assert.ok(pointersOf(presentationProblems({ ...presentation, ...change })).includes(pointer), pointer);
});

test('a related resource is what it was, or is told', async () => {
  const fetching = (bytes: Uint8Array | undefined) => async () => {
    if (bytes === undefined) throw new Error('nothing there');
    return bytes;
  };
  assert.deepEqual(await relatedResourceProblems(good, fetching(new Uint8Array(0))), []);
  for (const bytes of [Uint8Array.of(1), undefined])
    assert.deepEqual(pointersOf(await relatedResourceProblems(good, fetching(bytes))), [
      '/relatedResource/0',
    ]);
});
