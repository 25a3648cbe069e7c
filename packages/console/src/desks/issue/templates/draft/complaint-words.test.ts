import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { loadAllWords } from '../../../../words/catalogue.ts';
import { complaintPlace, complaintText } from './complaint-words.ts';
import { complaintsAbout } from './draft-check.ts';
import { blankTemplate, bodyOf } from './template-draft.ts';

const [en, de] = await Promise.all([loadAllWords('en'), loadAllWords('de')]);
const terms = { issuer: `did:zid:${'7c'.repeat(32)}`, didMethod: 'zid' };

const said = (body: Parameters<typeof complaintsAbout>[0], { templates } = en) =>
  complaintsAbout(body, terms).map(
    (one) => `${complaintPlace(one.pointer, templates)}: ${complaintText(one, body, templates)}`,
  );

test('an empty form is told by the names of its fields, in the language of its reader', () => {
  const blank = bodyOf(blankTemplate());
  assert.ok(said(blank).includes('Name: is missing'));
  assert.ok(said(blank, de).includes('Name: fehlt'));
  for (const line of [...said(blank), ...said(blank, de)]) assert.doesNotMatch(line, /^\/|must not be empty/);
});

test('whatever a form can have wrong has words in both languages', () => {
  const row = (key: string, more = {}) => ({
    attribute: 'A',
    key,
    format: 'string',
    mandatory: true,
    ...more,
  });
  const wrong: readonly JsonObject[] = [
    { templateName: 'x'.repeat(300) },
    { templateName: 'D\u0435gree' },
    { version: 'first' },
    { remark: 'x'.repeat(5_000) },
    { credentialFormat: [] },
    { credentialFormat: [row('full name')] },
    { credentialFormat: [row('id')] },
    { credentialFormat: [row('a'), row('a')] },
    { credentialFormat: [row('a', { attribute: 'x'.repeat(300) })] },
    { credentialFormat: [row('a', { format: 'colour' })] },
  ];
  for (const member of wrong) {
    const body = { templateName: 'Degree', version: '1.0.0', credentialFormat: [row('a')], ...member };
    const [english, german] = [said(body), said(body, de)];
    assert.ok(english.length > 0, JSON.stringify(member).slice(0, 60));
    for (const [at, line] of english.entries()) {
      assert.doesNotMatch(line, /^\//);
      assert.notEqual(line.split(': ')[1], german[at]?.split(': ')[1]);
    }
  }
});

test('what only JSON can have keeps its place and the words of the rules', () => {
  const lines = said({ templatName: 'x' });
  assert.ok(lines.some((line) => line.startsWith('/templatName: ')));
  assert.ok(lines.includes('Name: is missing'));
});
