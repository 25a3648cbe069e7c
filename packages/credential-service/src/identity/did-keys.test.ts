import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { encodeMultikey } from '@symbolon/core/did/did';
import { resolveKeyDid } from '@symbolon/core/did/did-document';
import { delegatedDocument } from '@symbolon/core/did/foreign-document';
import { keyOfJwk } from '@symbolon/core/did/public-jwk';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { createGuardedFetch } from '../outbound/guarded-fetch.ts';
import { createDidKeys, type DidKeyOptions } from './did-keys.ts';
import type { Resolver } from './resolver.ts';

const p256 = keyOfJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }));
assert.ok(p256);
const ledgerDid = `did:zid:${'ab'.repeat(32)}`;
const keyDid = `did:key:${encodeMultikey('p256', p256.publicKey)}`;

/** What the ledger says: one good key for BBS, one that others may have. */
const resolver: Pick<Resolver, 'resolveDid'> = {
  async resolveDid(did) {
    if (did === keyDid) return resolveKeyDid({ method: 'key', did, ...p256 });
    if (did === `did:zid:${'0'.repeat(64)}`) return 'notFound';
    if (did !== ledgerDid) return did.startsWith('did:zid:') ? 'invalidDid' : 'methodNotSupported';
    const key = (id: string) => ({
      id: `${did}#${id}`,
      keyType: 'bls12381g2' as const,
      publicKey: new Uint8Array(96).fill(0x81),
      relationships: ['assertionMethod' as const],
    });
    return {
      document: { '@context': [], id: did },
      metadata: { compromisedKeys: [{ id: `${did}#delegateKey-2`, since: '2026-01-01T00:00:00Z' }] },
      keys: [key('delegateKey-1'), key('delegateKey-2')],
    };
  },
};

const keysWith = (options: Partial<DidKeyOptions> = {}) =>
  createDidKeys({
    resolver,
    fetchDocument: createGuardedFetch({ nowMs: () => Date.now(), reach: 'loopback', timeoutMs: 2_000 }),
    ...options,
  });

async function webHost(context: TestContext, documents: Readonly<Record<string, (did: string) => unknown>>) {
  let host = '';
  const server = createServer((request, answer) => {
    const path = String(request.url).replace(/^\/|\/did\.json$/g, '');
    const made = documents[path]?.(`did:web:${host.replace(':', '%3A')}:${path}`);
    if (made === undefined) return void answer.writeHead(404).end();
    answer.writeHead(200, { 'content-type': 'application/did+json' });
    answer.end(typeof made === 'string' ? made : JSON.stringify(made));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (path: string) => `did:web:${host.replace(':', '%3A')}:${path}`;
}

const refuses = (code: FaultName, text: string, keys = keysWith()) =>
  assert.rejects(
    keys.find(text, 'assertionMethod'),
    (error) => error instanceof Fault && error.code === code,
    text,
  );

describe('the key that a proof names', () => {
  test('is found by every method', async (context) => {
    const didOf = await webHost(context, {
      good: (did) => delegatedDocument(did, { alsoKnownAs: [], keys: [{ kid: 'es256-1', ...p256 }] }),
    });
    const keys = keysWith();
    const web = didOf('good');
    const found = await keys.find(`${web}#es256-1`, 'assertionMethod');
    assert.deepEqual([found.controller, found.publicKey], [web, p256.publicKey]);
    const multibase = keyDid.slice('did:key:'.length);
    for (const text of [keyDid, `${keyDid}#${multibase}`])
      assert.deepEqual((await keys.find(text, 'authentication')).publicKey, p256.publicKey);
    const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const jwkDid = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`;
    for (const text of [jwkDid, `${jwkDid}#0`])
      assert.equal((await keys.find(text, 'assertionMethod')).keyType, 'ed25519');
    for (const name of ['delegateKey-1', 'delegateKey-1-multikey'])
      assert.equal((await keys.find(`${ledgerDid}#${name}`, 'assertionMethod')).keyType, 'bls12381g2');
  });

  test('is only one that its owner publishes for that', async () => {
    await refuses('keyNotPublished', `${ledgerDid}#delegateKey-2`);
    await refuses('keyNotPublished', `${ledgerDid}#delegateKey-2-multikey`);
    await refuses('keyNotPublished', `${ledgerDid}#delegateKey-3`);
    await refuses('keyNotPublished', ledgerDid);
    await refuses('keyNotPublished', `${keyDid}#other`);
    await assert.rejects(keysWith().find(`${ledgerDid}#delegateKey-1`, 'authentication'), Fault);
    await refuses('didUnknown', `did:zid:${'0'.repeat(64)}#x`);
    await refuses('methodUnsupported', 'did:example:x#y');
    for (const text of [
      '',
      'x',
      'did:web:#x',
      'did:web:a.example:..#x',
      `${ledgerDid}/p#x`,
      `${ledgerDid}?v=1#x`,
    ])
      await refuses('didMalformed', text);
    await refuses('didMalformed', 'did:jwk:e30#0');
  });

  test('of did:web is not believed from a document that is another, broken, or not to be had', async (context) => {
    const didOf = await webHost(context, {
      other: () => delegatedDocument('did:web:other.example', { alsoKnownAs: [], keys: [] }),
      broken: () => '{"id":',
      doubled: (did) => `{"id":"did:web:x","id":"${did}"}`,
      list: () => [],
      none: (did) => ({ id: did }),
    });
    for (const path of ['other', 'broken', 'doubled', 'list', 'missing'])
      await refuses('foreignDocumentUnavailable', `${didOf(path)}#x`);
    await refuses('keyNotPublished', `${didOf('none')}#x`);
    const shut = keysWith({ fetchDocument: createGuardedFetch({ nowMs: () => 0 }) });
    await refuses('foreignDocumentUnavailable', `${didOf('none')}#x`, shut);
    await refuses('foreignDocumentUnavailable', 'did:web:10.0.0.1#x', shut);
  });

  test('of a did:web that the service serves itself is fetched from nobody', async () => {
    const did = 'did:web:own.example:oid4vci:ff';
    const document = delegatedDocument(did, { alsoKnownAs: [], keys: [{ kid: 'es256-1', ...p256 }] });
    const fetchDocument = () => assert.fail('nothing is fetched');
    const keys = keysWith({
      fetchDocument,
      ownDocument: async (asked) => (asked === did ? document : undefined),
    });
    assert.equal((await keys.find(`${did}#es256-1`, 'assertionMethod')).keyType, 'p256');
  });
});
