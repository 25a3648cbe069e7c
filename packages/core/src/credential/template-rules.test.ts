import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '../faults/faults.ts';
import {
  readAttributeValues,
  type TemplateDraft,
  templateJsonSchema,
  templateOfDraft,
} from './template-rules.ts';
import { didMethod, issuer, sha256, template, values } from './testing/sample-credentials.ts';

const attribute = { key: 'a', label: 'A', type: 1, format: 'string', mandatory: true };
const draft = { name: 'Permit', version: '1.0', issuer: issuer.did, attributes: [attribute] };
const read = (changes: TemplateDraft) => templateOfDraft({ ...draft, ...changes }, { didMethod, sha256 });

/** Pointer by pointer what a call complains about. */
function complaintsOf(call: () => unknown): Record<string, string> {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof Fault);
    return Object.fromEntries(error.errors.map(({ pointer, detail }) => [pointer, detail]));
  }
  return {};
}

describe('a draft becomes a template', () => {
  test('tidied, with its identifier', () => {
    const made = read({
      name: '  Work   Permit ',
      attributes: [{ ...attribute, label: undefined }],
      remark: 'x',
    });
    assert.equal(made.name, 'Work Permit');
    assert.match(made.id, /^did:zid:[0-9a-f]{64}$/);
    assert.deepEqual(made.attributes, [
      { key: 'a', label: 'a', type: 'text', format: 'string', mandatory: true },
    ]);
    assert.equal(read({ name: 'work permit', version: '2' }).id, made.id);
  });

  test('every complaint at once, in the spelling of the sender', () => {
    const bad = {
      name: '',
      version: 'one',
      issuer: 'did:zid:x',
      remark: 7,
      attributes: [
        { ...attribute, key: '1a' },
        { ...attribute, key: 'id' },
        { ...attribute, format: 'html' },
        { ...attribute, mandatory: 1 },
        { ...attribute, label: '\u202e' },
        'a',
        attribute,
        attribute,
      ],
    };
    const spelling = { name: 'templateName', attributes: 'credentialFormat', label: 'attribute' };
    const complaints = complaintsOf(() => templateOfDraft(bad, { didMethod, sha256, spelling }));
    assert.deepEqual(Object.keys(complaints).sort(), [
      '/credentialFormat/0/key',
      '/credentialFormat/1/key',
      '/credentialFormat/2/format',
      '/credentialFormat/3/mandatory',
      '/credentialFormat/4/attribute',
      '/credentialFormat/5',
      '/credentialFormat/7/key',
      '/issuer',
      '/remark',
      '/templateName',
      '/version',
    ]);
  });

  test('single faults', () => {
    const many = Array.from({ length: 61 }, (_, index) => ({ ...attribute, key: `a${index}` }));
    const bad: TemplateDraft[] = [
      { name: ['Permit'] },
      { name: 'a'.repeat(129) },
      { name: 'a\u0000b' },
      { issuer: issuer.did.toUpperCase() },
      { issuer: issuer.did.replace('zid', 'bid') },
      { issuer: `${issuer.did}\n` },
      { version: 1 },
      { attributes: [] },
      { attributes: many },
      { attributes: { 0: attribute, length: 1 } },
      { attributes: [null] },
      { attributes: [{ ...attribute, key: 'constructor' }] },
      ...['issuer', 'type', 'holder', 'validUntil', 'issuanceDate', 'credentialSubject', 'proof'].map(
        (key) => ({
          attributes: [{ ...attribute, key }],
        }),
      ),
      { attributes: [{ ...attribute, key: 'a.b' }] },
      { attributes: [{ ...attribute, key: 'a'.repeat(65) }] },
      { attributes: [JSON.parse('{"__proto__":{"key":"a"},"format":"string","mandatory":true}')] },
      { remark: 'a'.repeat(1_025) },
    ];
    for (const changes of bad)
      assert.throws(() => read(changes), Fault, JSON.stringify(changes).slice(0, 200));
    assert.equal(read({ attributes: many.slice(1) }).attributes.length, 60);
  });

  test('its JSON Schema', () => {
    const schema = templateJsonSchema(template) as { required: string[]; properties: Record<string, object> };
    assert.equal(schema.required.length, 11);
    assert.deepEqual(Object.keys(schema.properties), ['id', ...template.attributes.map(({ key }) => key)]);
    assert.deepEqual(schema.properties.height, {
      title: 'Height',
      type: 'string',
      pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]{1,3})?$',
    });
  });
});

describe('values against a template', () => {
  const entry = (key: unknown, value: unknown, at = 0) => ({ key, value, pointer: `/metadata/${at}/value` });
  const small = {
    attributes: read({ attributes: [attribute, { ...attribute, key: 'b', mandatory: false }] }).attributes,
  };
  const readSmall = (...entries: ReturnType<typeof entry>[]) =>
    readAttributeValues(small, entries, { pointer: '/metadata' });

  test('in normal form and template order', () => {
    assert.deepEqual(Object.keys(readSmall(entry('b', 'x'), entry('a', 'y'))), ['a', 'b']);
    assert.equal(values.enteredAt, '2020-02-29T22:30:00Z');
    assert.equal(values.balance, '-12.5');
    assert.equal(values.points, -3);
  });

  test('what was not filled in is left out, if it may be', () => {
    assert.deepEqual(readSmall(entry('a', 'x'), entry('b', '')), { a: 'x' });
    assert.deepEqual(readSmall(entry('a', 'x'), entry('b', null)), { a: 'x' });
    assert.deepEqual(readAttributeValues(small, [], { pointer: '', isComplete: false }), {});
  });

  test('complaints say where', () => {
    const bad: [ReturnType<typeof entry>[], string][] = [
      [[], '/metadata'],
      [[entry('a', '')], '/metadata'],
      [[entry('a', 1)], '/metadata/0/value'],
      [[entry('a', 'x'), entry('c', 'x', 1)], '/metadata/1/value'],
      [[entry('a', 'x'), entry('a', 'x', 1)], '/metadata/1/value'],
      [[entry('a', 'x'), entry('__proto__', 'x', 1)], '/metadata/1/value'],
      [[entry('a', 'x'), entry(['a'], 'x', 1)], '/metadata/1/value'],
      [[entry('a', 'x'), entry('id', issuer.did, 1)], '/metadata/1/value'],
    ];
    for (const [entries, pointer] of bad)
      assert.deepEqual(Object.keys(complaintsOf(() => readSmall(...entries))), [pointer]);
  });
});
