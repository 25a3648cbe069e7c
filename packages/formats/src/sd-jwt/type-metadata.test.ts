import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { publishedLimits } from '../limits/format-limits.ts';
import { receiveSdJwt } from './receiving.ts';
import {
  facts,
  holderKey,
  issueOne,
  issuerUrl,
  sha256,
  template,
  values,
  vct,
} from './testing/sample-sd-jwts.ts';
import { fetchTypeMetadata, integrityOf, readTypeMetadata, typeMetadataText } from './type-metadata.ts';

const text = typeMetadataText({ ...template, remark: 'Of a university' }, { vct, locale: 'en-US' });
const words = (found: object | Complaint): string => (isComplaint(found) ? found.complaint : 'fine');
const from =
  (documents: Readonly<Record<string, string>>) =>
  async (url: string): Promise<string | Complaint> =>
    documents[url] ?? { complaint: 'there is none' };

describe('type metadata', () => {
  test('of a template: one text for ever, with every attribute', async () => {
    const type = await fetchTypeMetadata(
      { vct, integrity: integrityOf(text, sha256) },
      { fetchText: from({ [vct]: text }), sha256 },
    );
    assert.ok(!isComplaint(type), words(type));
    assert.equal(type.name, 'Degree');
    assert.deepEqual(
      type.claims.map(({ path, mandatory, sd, labels }) => [path, mandatory, sd, labels[0]?.label]),
      template.attributes.map(({ key, label, mandatory }) => [[key], mandatory, 'always', label]),
    );
    assert.equal(
      text,
      typeMetadataText({ ...template, remark: 'Of a university' }, { vct, locale: 'en-US' }),
    );
  });

  const refuses = (changed: string, pattern: RegExp, integrity?: string) =>
    assert.match(words(readTypeMetadata(changed, { vct, integrity }, sha256)), pattern);
  const changed = (changes: object): string => JSON.stringify({ ...JSON.parse(text), ...changes });
  test('another than was signed for, by one space, or by a hash that is not known', () => {
    const integrity = integrityOf(text, sha256);
    refuses(`${text} `, /integrity/, integrity);
    refuses(text, /integrity/, 'sha384-AAAA');
    refuses(text, /integrity/, '');
    assert.equal(words(readTypeMetadata(text, { vct, integrity: `sha512-AA ${integrity}` }, sha256)), 'fine');
  });
  test('about another type, malformed, too long', () => {
    refuses(changed({ vct: `${vct}/` }), /another type/);
    refuses(`{"vct":"${vct}","vct":"${vct}"}`, /plain JSON/);
    refuses('[]', /plain JSON/);
    refuses(' '.repeat(publishedLimits.typeMetadataCharsMax + 1), /too long/);
    refuses(changed({ claims: {} }), /no array/);
    for (const path of [undefined, [], [-1], [{}], 'name']) refuses(changed({ claims: [{ path }] }), /path/);
    refuses(changed({ claims: [{ path: ['a'], sd: 'alway' }] }), /always/);
    refuses(changed({ claims: [{ path: ['a'], mandatory: 1 }] }), /mandatory/);
    refuses(changed({ extends: 5 }), /no text/);
    refuses(changed({ extends: 'a', 'extends#integrity': 5 }), /no text/);
  });

  const base = 'https://base.example/types/1';
  const fetchBoth = (top: object, below: object) =>
    fetchTypeMetadata(
      { vct },
      {
        fetchText: from({
          [vct]: JSON.stringify({ vct, extends: base, ...top }),
          [base]: JSON.stringify({ vct: base, ...below }),
        }),
        sha256,
      },
    );
  test('built upon another: claims of both, the nearer one’s first', async () => {
    const claim = (name: string, more: object = {}) => ({ path: [name], ...more });
    const type = await fetchBoth(
      { claims: [claim('a', { sd: 'always', mandatory: true })] },
      { claims: [claim('a'), claim('b')] },
    );
    assert.ok(!isComplaint(type), words(type));
    assert.deepEqual(type.extended, [base]);
    assert.deepEqual(
      type.claims.map(({ path, sd }) => [path[0], sd]),
      [
        ['a', 'always'],
        ['b', 'allowed'],
      ],
    );
    const widened = await fetchBoth({ claims: [claim('a')] }, { claims: [claim('a', { sd: 'never' })] });
    assert.match(words(widened), /another thing of hiding/);
    const optional = await fetchBoth({ claims: [claim('a')] }, { claims: [claim('a', { mandatory: true })] });
    assert.match(words(optional), /does without/);
    assert.match(words(await fetchBoth({ 'extends#integrity': 'sha256-AA' }, {})), /integrity/);
  });
  test('built upon itself, upon too many, upon what is not there or no address', async () => {
    assert.match(words(await fetchBoth({}, { extends: vct })), /circle/);
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => {
        const at = `https://base.example/${index}`;
        return [at, JSON.stringify({ vct: at, extends: `https://base.example/${index + 1}` })];
      }),
    );
    const chain = await fetchTypeMetadata(
      { vct: 'https://base.example/0' },
      { fetchText: from(many), sha256 },
    );
    assert.match(words(chain), /too many/);
    assert.match(words(await fetchTypeMetadata({ vct }, { fetchText: from({}), sha256 })), /there is none/);
    const fetchText = () => assert.fail('something was fetched');
    for (const bad of ['urn:eudi:pid:1', 'http://a.example', 'file:///etc/passwd'])
      assert.match(words(await fetchTypeMetadata({ vct: bad }, { fetchText, sha256 })), /no https/);
  });
});

describe('receiving', () => {
  const { binding: _binding, vctValues: _types, ...receiving } = facts;
  const ordered = { issuer: issuerUrl, vct, holderKey: holderKey.publicKey, values };
  test('just what was ordered, type included', async () => {
    const whole = await issueOne({ vctIntegrity: integrityOf(text, sha256) });
    const { verdict, complaints } = await receiveSdJwt(whole, ordered, {
      ...receiving,
      fetchText: from({ [vct]: text }),
    });
    assert.deepEqual(complaints, []);
    assert.ok(verdict.verified);
  });
  test('of another issuer, another type, another key, with another value or without one', async () => {
    const whole = await issueOne();
    const receive = async (changes: object) =>
      (await receiveSdJwt(whole, { ...ordered, ...changes }, receiving)).complaints;
    assert.deepEqual(await receive({ issuer: 'https://eve.example' }), ['it is of another issuer']);
    assert.deepEqual(await receive({ vct: 'urn:other' }), ['the credential does not verify']);
    assert.deepEqual(await receive({ holderKey: facts.binding && { ...holderKey.publicKey, x: 'A' } }), [
      'it is bound to another key',
    ]);
    assert.deepEqual(await receive({ values: { fullName: 'Eve', title: 'Dr' } }), [
      'fullName is another',
      'title is missing',
    ]);
  });
  test('of a type that says something else', async () => {
    const open = JSON.parse(text) as { claims: { path: string[]; sd: string; mandatory: boolean }[] };
    open.claims[0].sd = 'never';
    open.claims.push({ path: ['title'], sd: 'allowed', mandatory: true });
    const fetchText = from({ [vct]: JSON.stringify(open) });
    const { complaints } = await receiveSdJwt(await issueOne(), ordered, { ...receiving, fetchText });
    assert.deepEqual(complaints, ['["fullName"] is disclosed and should be open', '["title"] is missing']);
    const broken = await issueOne({ vctIntegrity: 'sha256-AA' });
    assert.match(
      (await receiveSdJwt(broken, ordered, { ...receiving, fetchText })).complaints[0],
      /integrity/,
    );
  });
});
