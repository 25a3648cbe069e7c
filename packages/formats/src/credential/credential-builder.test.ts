import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Fields } from '@symbolon/core/basics/plain-values';
import type { AttributeType, Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { deriveDocument, verifyDerivedProof } from '../bbs-2023/bbs-2023.ts';
import { addBaseProof } from '../data-integrity/signing.ts';
import { canonicalQuads } from '../json-ld/canonical.ts';
import { credentialTerms } from '../json-ld/contexts.ts';
import { createDocumentLoader } from '../json-ld/document-loader.ts';
import { bbsSigner, makeFormatWorld } from '../testing/format-world.ts';
import { buildCredential, mandatoryPointersOf } from './credential-builder.ts';
import { templateContext, templateProblems, typeOfTemplate } from './template-context.ts';

const attribute = (key: string, type: AttributeType, format: string) => ({
  key,
  label: key,
  type,
  format,
  mandatory: key === 'degree',
});
const template: Template = {
  id: `did:zid:${'a'.repeat(64)}`,
  name: 'University degree',
  version: '1.0.0',
  issuer: `did:zid:${'b'.repeat(64)}`,
  attributes: [
    attribute('degree', 'text', 'text'),
    attribute('name', 'text', 'text'),
    attribute('credits', 'integer', 'integer'),
    attribute('grade', 'decimal', 'decimal(2)'),
    attribute('born', 'date', 'date'),
    attribute('graduated', 'dateTime', 'date-time'),
    attribute('honours', 'boolean', 'boolean'),
  ],
};
const place = {
  contextUrl: 'https://issuer.example/contexts/aa/1.0.0',
  vocabulary: 'https://issuer.example/vocab/aa#',
};
const values = {
  degree: 'MSc',
  name: 'Ada',
  credits: 120,
  grade: '1.30',
  born: '2000-02-29',
  graduated: '2025-07-01T10:00:00Z',
  honours: true,
};
const world = await makeFormatWorld();
after(() => world.engine.close());
const load = createDocumentLoader({
  ownContext: (url) => (url === place.contextUrl ? templateContext(template, place) : undefined),
});
const issuer = 'https://issuer.example/oid4vci/aa';
const order = { template, place, values, issuer, validFrom: '2026-01-01T00:00:00Z' };

test('values become literals of their kind, and keep every digit', async () => {
  const quads = await canonicalQuads(buildCredential(order), load);
  const xsd = 'http://www.w3.org/2001/XMLSchema#';
  for (const literal of [
    `<${place.vocabulary}degree> "MSc" .`,
    `<https://schema.org/name> "Ada" .`,
    `<${place.vocabulary}credits> "120"^^<${xsd}integer> .`,
    `<${place.vocabulary}grade> "1.3"^^<${xsd}decimal> .`,
    `<${place.vocabulary}born> "2000-02-29"^^<${xsd}date> .`,
    `<${place.vocabulary}graduated> "2025-07-01T10:00:00Z"^^<${xsd}dateTime> .`,
    `<${place.vocabulary}honours> "true"^^<${xsd}boolean> .`,
    `<${place.vocabulary}UniversityDegree> .`,
  ])
    assert.ok(quads.includes(literal), `${literal} in\n${quads}`);
});

test('it is signed, shown in part and verified', async () => {
  const signer = await bbsSigner(world.engine, 5);
  const credential = buildCredential({
    ...order,
    validUntil: '2027-01-01T00:00:00Z',
    statuses: [
      {
        type: 'BitstringStatusListEntry',
        statusPurpose: 'revocation',
        statusListIndex: '7',
        statusListCredential: 'https://issuer.example/status/1',
      },
    ],
  });
  const mandatoryPointers = mandatoryPointersOf(credential);
  assert.deepEqual(mandatoryPointers, ['/issuer', '/validFrom', '/validUntil', '/credentialStatus']);
  const signed = await addBaseProof(credential, { signer, mandatoryPointers, load });
  const { engine } = world;
  const shown = await deriveDocument(signed, signed.proof as Fields, {
    selectivePointers: ['/credentialSubject/degree'],
    engine,
    load,
  });
  assert.deepEqual(shown.credentialSubject, { degree: 'MSc' });
  const { publicKey } = signer;
  assert.equal(await verifyDerivedProof(shown, shown.proof as Fields, { publicKey, engine, load }), true);
});

test('values and addresses that are wrong are refused, all of them', () => {
  const codes: [string, Partial<typeof order>][] = [
    ['attributesInvalid', { values: { ...values, degree: undefined as never } }],
    ['attributesInvalid', { values: { ...values, credits: 1.5 } }],
    ['attributesInvalid', { values: { ...values, credit: 1 } as never }],
    ['credentialMalformed', { issuer: 'nobody' }],
    ['credentialMalformed', { validFrom: '2026-01-01' }],
  ];
  for (const [code, change] of codes)
    assert.throws(
      () => buildCredential({ ...order, ...change }),
      (error) => error instanceof Fault && error.code === code,
    );
});

test('no term of the data model is defined again, whatever attributes are called', async () => {
  for (const key of [...credentialTerms].filter((term) => /^[A-Za-z_]/.test(term))) {
    const one = { ...template, attributes: [attribute(key, 'text', 'text')] };
    const context = templateContext(one, place);
    const isUsable = templateProblems(one).length === 0;
    const document = {
      '@context': ['https://www.w3.org/ns/credentials/v2', context['@context']],
      type: ['VerifiableCredential', typeOfTemplate(one)],
      issuer,
      credentialSubject: { other: undefined, ...(isUsable ? { [key]: 'x' } : { id: 'did:example:a' }) },
    };
    delete document.credentialSubject.other;
    const quads = await canonicalQuads(document, load);
    assert.equal(quads.includes('"x"'), isUsable, key);
  }
  for (const key of ['name', 'description'])
    assert.deepEqual(templateProblems({ attributes: [attribute(key, 'text', 'text')] }), []);
  for (const key of ['iss', 'exp', 'VerifiableCredential', 'cnf'])
    assert.equal(templateProblems({ attributes: [attribute(key, 'text', 'text')] }).length, 1, key);
});

test('names of templates become types', () => {
  const cases: [string, string][] = [
    ['University degree', 'UniversityDegree'],
    ['verifiable credential', 'VerifiableCredentialCredential'],
    ['3rd place', 'Credential3rdPlace'],
    ['Führerschein (EU)', 'FührerscheinEU'],
    ['degree', 'Degree'],
    ['***', 'Credential'],
  ];
  for (const [name, type] of cases)
    assert.equal(typeOfTemplate({ name, attributes: template.attributes }), type);
});
