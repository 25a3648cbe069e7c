import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from '../reading/version-changes.ts';
import { complaintsAbout } from './draft-check.ts';
import {
  blankTemplate,
  bodyOf,
  draftOfBody,
  keyOfLabel,
  movedTo,
  nextOf,
  versionAfter,
} from './template-draft.ts';

const issuer = `did:zid:${'7c'.repeat(32)}`;
const terms = { issuer, didMethod: 'zid' };
const row = (key: string, format = 'string', mandatory = true) => ({
  attribute: key,
  key,
  format,
  mandatory,
});
const body = (...rows: ReturnType<typeof row>[]) => ({
  templateName: 'Degree',
  version: '1.0.0',
  credentialFormat: rows,
});
const pointers = (given: Parameters<typeof complaintsAbout>[0], more = {}) =>
  complaintsAbout(given, { ...terms, ...more }).map(({ pointer }) => pointer);

test('a next version and a key follow from what is there', () => {
  assert.deepEqual(['1.0.0', '2', '1.9', '3.4.5.6'].map(versionAfter), ['1.1.0', '3', '1.10', '3.5.0.0']);
  assert.deepEqual(['Date of birth', 'Größe', '2nd name', 'credits', '???'].map(keyOfLabel), [
    'dateOfBirth',
    'grosse',
    'ndName',
    'credits',
    '',
  ]);
});

test('form and JSON are one state', () => {
  const reply = {
    templateId: 'x',
    issuerDid: issuer,
    txHash: '',
    ...body(row('name'), row('grade', 'decimal')),
  };
  const draft = nextOf(reply as Parameters<typeof nextOf>[0]);
  const again = draftOfBody(bodyOf(draft), draft);
  assert.deepEqual(again, draft);
  assert.equal(draft.version, '1.1.0');
  assert.deepEqual(draftOfBody(null, draft).attributes, []);
});

test('complaints have the places of the request', () => {
  assert.deepEqual(pointers(body(row('name'), row('birthDate', 'date'))), []);
  assert.deepEqual(pointers(body(row('name'), row('name'))), ['/credentialFormat/1/key']);
  assert.deepEqual(pointers(body(row('name', 'colour'))), ['/credentialFormat/0/format']);
  assert.deepEqual(pointers(body()), ['/credentialFormat']);
  assert.deepEqual(pointers({ ...body(row('name')), templatName: 'x' }), ['/templatName']);
  assert.deepEqual(pointers({ ...body(row('name')), issuerDid: `did:zid:${'00'.repeat(32)}` }), [
    '/issuerDid',
  ]);
  assert.ok(pointers(bodyOf(blankTemplate())).length > 0);
  assert.deepEqual(pointers('text'), ['']);
});

test('a new version keeps the name and is higher', () => {
  const base = { name: 'Degree', version: '1.0.0' };
  assert.deepEqual(pointers(body(row('name')), { base }), ['/version']);
  assert.deepEqual(
    pointers({ ...body(row('name')), version: '1.0.1', templateName: ' degree ' }, { base }),
    [],
  );
  assert.deepEqual(pointers({ ...body(row('name')), version: '2', templateName: 'Diploma' }, { base }), [
    '/templateName',
  ]);
});

test('changes say what is new, other and gone, and whether the order is another', () => {
  const of = (key: string, format = 'string', mandatory = true) => ({ key, label: key, format, mandatory });
  const changes = changesBetween(
    [of('a'), of('b'), of('c')],
    [of('b', 'date'), of('a'), of('d', 'integer', false)],
  );
  assert.deepEqual(
    changes.map((one) => [one.change, 'attribute' in one ? one.attribute.key : '']),
    [
      ['changed', 'b'],
      ['added', 'd'],
      ['removed', 'c'],
      ['moved', ''],
    ],
  );
  assert.deepEqual(changesBetween([of('a')], [of('a')]), []);
});

test('an attribute is moved within the list and not out of it', () => {
  assert.deepEqual(movedTo(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a']);
  assert.deepEqual(movedTo(['a', 'b'], 1, 2), ['a', 'b']);
});
