import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { attributeWord, parseTemplate, readTemplateInput } from './input.ts';

const usage = (message: RegExp) => (error: unknown) =>
  error instanceof CommandFailure && error.exitCode === exitCodes.usage && message.test(error.message);

describe('an attribute in a word', () => {
  test('is a name, a format, and whether it is required', () => {
    const one = attributeWord('degree:string:required');
    assert.deepEqual(one, [{ key: 'degree', attribute: 'degree', format: 'string', mandatory: true }]);
    assert.deepEqual(
      attributeWord('score:decimal(3)', one).map(({ key, mandatory }) => [key, mandatory]),
      [
        ['degree', true],
        ['score', false],
      ],
    );
    assert.equal(attributeWord('photo:image/png:optional')[0]?.mandatory, false);
  });

  test('is nothing else', () => {
    for (const text of [
      '',
      'degree',
      'degree:',
      ':string',
      '1st:string',
      'a:string:yes',
      'a:string:required:x',
    ])
      assert.throws(() => attributeWord(text), /must be like/, text);
    for (const text of ['a:colour', 'a:decimal(x)', 'a:constructor', 'a:__proto__'])
      assert.throws(() => attributeWord(text), /Formats are string/, text);
  });
});

test('unbound entries are accepted by the word alone, never by a file', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'symbolon-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'template.json');
  const attributes = [{ key: 'since', format: 'date' }];
  writeFileSync(file, JSON.stringify({ name: 'Membership', attributes, acceptUnbound: true }));
  assert.equal((await readTemplateInput(file, {})).acceptUnbound, undefined);
  assert.equal((await readTemplateInput(file, { acceptUnbound: true })).acceptUnbound, true);
});

describe('a template in a file', () => {
  const attributes = [{ key: 'since', format: 'date', required: true, label: 'Member since' }];
  const read = { key: 'since', format: 'date', attribute: 'Member since', mandatory: true };

  test('is written in our words or in those of the interface', () => {
    const ours = parseTemplate('t.json', { name: 'Membership', attributes });
    assert.deepEqual(ours, { templateName: 'Membership', version: '1.0.0', credentialFormat: [read] });
    const registered = {
      templateId: 'did:zid:00',
      txHash: '00',
      issuerDid: 'did:zid:01',
      templateName: 'Membership',
      version: '2.0',
      credentialFormat: [{ ...read, type: 5 }],
    };
    assert.deepEqual(parseTemplate('t.json', registered), {
      templateName: 'Membership',
      version: '2.0',
      credentialFormat: [{ ...read, type: 5 }],
    });
  });

  test('is complained about with places and without values', () => {
    const bad = { name: 'Membership', attributes: [{ key: 'secret-text', format: 7 }, { label: 'x' }] };
    assert.throws(
      () => parseTemplate('t.json', bad),
      (error: Error) =>
        usage(/\/attributes\/0\/format[\s\S]*\/attributes\/1\/key/)(error) &&
        !error.message.includes('secret-text'),
    );
    for (const content of [
      {},
      { name: 'x' },
      { attributes },
      { name: '', attributes },
      { name: 'x', attributes: [] },
    ])
      assert.throws(() => parseTemplate('t.json', content), usage(/t\.json is not a template/));
    assert.throws(
      () => parseTemplate('t.json', { name: 'x', attributes: [{ ...attributes[0], requird: true }] }),
      usage(/requird/),
    );
  });

  test('gives way to what is said in words', async (context) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'symbolon-test-'));
    context.after(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 't.json');
    writeFileSync(file, JSON.stringify({ name: 'Membership', version: '1.0.0', attributes, remark: 'old' }));
    const template = await readTemplateInput(file, { version: '1.1.0', reason: 'new' });
    assert.deepEqual(
      [template.templateName, template.version, template.remark],
      ['Membership', '1.1.0', 'new'],
    );
    await assert.rejects(readTemplateInput(undefined, { name: 'x' }), usage(/has a name and attributes/));
    await assert.rejects(readTemplateInput(path.join(folder, 'no.json'), {}), usage(/no such file/));
    writeFileSync(file, '["a"]');
    await assert.rejects(readTemplateInput(file, {}), usage(/is not a template/));
  });
});
