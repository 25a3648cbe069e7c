import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { jsonLdLimits } from '../limits/document-limits.ts';
import { canonicalQuads } from './canonical.ts';
import { contextUrls, publishedContext, publishedContextUrls } from './contexts.ts';
import { didKeyDocument, parseDidKey } from './did-key.ts';
import { createDocumentLoader } from './document-loader.ts';

const refused = (error: unknown) => error instanceof Fault && error.code === 'credentialMalformed';
const load = createDocumentLoader();

test('published contexts are as they were published, and go together', async () => {
  for (const url of publishedContextUrls) assert.ok(publishedContext(url)?.['@context'], url);
  const document = {
    '@context': publishedContextUrls.filter((url) => url !== contextUrls.credentialsV1),
    type: 'VerifiableCredential',
    issuer: 'did:example:a',
  };
  assert.match(await canonicalQuads(document, load), /credentials#issuer/);
});

test('nothing else is fetched, unless somebody brings a fetcher', async () => {
  for (const url of [
    'https://else.example/v1',
    'http://127.0.0.1/',
    'file:///etc/passwd',
    '__proto__',
    'did:web:a',
  ])
    await assert.rejects(load(url), refused, url);
  const asked: string[] = [];
  const fetching = createDocumentLoader({
    fetchDocument: async (url) => {
      asked.push(url);
      return url.endsWith('/bad') ? 'text' : { '@context': {} };
    },
  });
  assert.deepEqual((await fetching('https://else.example/v1')).document, { '@context': {} });
  for (const url of ['http://else.example/v1', 'file:///etc/passwd', 'https://else.example/bad'])
    await assert.rejects(fetching(url), refused, url);
  assert.deepEqual(asked, ['https://else.example/v1', 'https://else.example/bad']);
});

test('a document names so many contexts, nests so deep and costs so much, and no more', async () => {
  const fetching = createDocumentLoader({ fetchDocument: async () => ({ '@context': {} }) });
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://else.example/${index}`);
  const base = { '@type': 'https://a.example/T' };
  await canonicalQuads({ '@context': named(jsonLdLimits.contextsMax), ...base }, fetching);
  await assert.rejects(
    canonicalQuads({ '@context': named(jsonLdLimits.contextsMax + 1), ...base }, fetching),
    refused,
  );
  const many = Array.from({ length: jsonLdLimits.membersMax + 1 }, (_, index) => `${index}`);
  for (const document of [
    { 'https://a.example/p': many },
    { 'https://a.example/p': '\ud800' },
    { 'https://a.example/p': 'urn:bnid:x' },
    JSON.parse('{"__proto__": 1}'),
  ])
    await assert.rejects(canonicalQuads(document, load), refused);
});

test('a graph that is made to cost is refused, and soon', async () => {
  const nodes = Array.from({ length: 9 }, (_, from) => ({
    '@id': `_:n${from}`,
    'https://a.example/p': Array.from({ length: 9 }, (__, to) => ({ '@id': `_:n${to}` })).filter(
      (___, to) => to !== from,
    ),
  }));
  await assert.rejects(canonicalQuads({ '@graph': nodes }, load), refused);
});

test('terms that no context defines are an error, not silently unsigned', async () => {
  const document = { '@context': [contextUrls.credentialsV2], type: 'VerifiableCredential', unknown: 'x' };
  await assert.rejects(canonicalQuads(document, load), refused);
});

test('did:key is its own document', () => {
  const did = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';
  const fragment = did.slice('did:key:'.length);
  assert.equal(parseDidKey(did)?.keyType, 'ed25519');
  assert.equal(parseDidKey(`${did}#${fragment}`)?.keyType, 'ed25519');
  for (const other of [`${did}#other`, `${did}#${fragment}#x`, 'did:key:z', 'did:web:a', `${did}0`])
    assert.equal(parseDidKey(other), undefined, other);
  assert.equal((didKeyDocument(did) as { id: string }).id, did);
});
