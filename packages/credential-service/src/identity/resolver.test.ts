import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeBbsPublicKey, encodeMultikey } from '@symbolon/core/did/did';
import { type DidResolution, findDocumentKey } from '@symbolon/core/did/did-document';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { openTestChain } from '@symbolon/sdk/testing/test-chain.test';
import {
  deactivateDid,
  endKey,
  publishKey,
  publishService,
  rotateKey,
} from '@symbolon/sdk/transactions/did-keys';
import { answerResolution } from './answer-resolution.ts';
import { chooseAnswerType } from './media-types.ts';
import { createResolver, type ResolutionRefusal, type Resolver } from './resolver.ts';

const quickly = { pollIntervalMs: 2 };
const bbs = (seed: number) => ({
  type: 'Bls12381G2Key2020' as const,
  publicKeyMultibase: encodeBbsPublicKey(Uint8Array.from({ length: 96 }, (_, i) => (i === 0 ? 0x81 : seed))),
});

async function open(t: TestContext) {
  const chain = await openTestChain(t);
  const signer = await chain.fund();
  const did = `did:zid:${signer.publicKey.slice(4, 68)}`;
  const requests: string[] = [];
  const state = { isAway: false };
  const client = createLedgerClient((method, path, body) => {
    if (state.isAway) throw new SdkError('unreachable', 'no connection', { hint: 'none' });
    requests.push(path.split('?')[0]);
    return chain.transport(method, path, body);
  });
  const resolver = createResolver({ client, now: () => Date.now() });
  return { ...chain, signer, did, requests, state, resolver };
}

const issuerKey = async (resolver: Resolver, did: string, method: string, at?: number) =>
  (await resolver.readDid(did)).issuerKey(method, at);

const delegates = (outcome: DidResolution | ResolutionRefusal) => {
  assert.ok(typeof outcome === 'object', String(outcome));
  const published = outcome.document.verificationMethod?.slice(2).filter(({ type }) => type !== 'Multikey');
  return published?.map(({ id }) => id.split('-')[1]);
};

const isFault = (code: FaultName) => (error: unknown) => {
  assert.ok(error instanceof Fault, String(error));
  assert.equal(error.code, code);
  return true;
};

describe('the resolver', () => {
  test('sees a change from its block on, and earlier versions as they were', async (t) => {
    const { client, signer, did, resolver } = await open(t);
    assert.deepEqual(delegates(await resolver.resolveDid(did)), []);
    const { receipt } = await publishKey(client, { signer, ...bbs(1) }, quickly);
    assert.deepEqual(delegates(await resolver.resolveDid(did)), ['1']);
    const between = Math.floor(Date.now() / 1_000);
    await sleep(1_050);
    await rotateKey(client, { signer, number: 1, ...bbs(2) }, quickly);
    assert.deepEqual(delegates(await resolver.resolveDid(did)), ['2']);
    assert.deepEqual(delegates(await resolver.resolveDid(did, { versionTime: between })), ['1']);
    assert.deepEqual(delegates(await resolver.resolveDid(did, { versionTime: between - 60 })), []);
    assert.deepEqual(delegates(await resolver.resolveDid(did, { versionId: String(receipt.ledgerSeq) })), [
      '1',
    ]);
    assert.equal(await resolver.resolveDid(did, { versionTime: between + 3_600 }), 'notFound');
    const old = `${did}#delegateKey-1`;
    assert.equal((await issuerKey(resolver, did, old, between * 1_000)).publicKey.length, 96);
    await assert.rejects(issuerKey(resolver, did, old), isFault('keyNotPublished'));
    await endKey(client, { signer, number: 2 }, quickly);
    assert.deepEqual(delegates(await resolver.resolveDid(did)), []);
  });

  test('remembers for a block what nodes say that have it', async (t) => {
    const { client, signer, did, transport } = await open(t);
    await publishKey(client, { signer, ...bbs(1) }, quickly);
    let known = 0n;
    // The head is of a newer node; until its block is known, an older one may answer the rest.
    const behind = createLedgerClient(async (method, path, body) => {
      const { result } = await client.getLedger({});
      const isAnswered = path.startsWith('/getLedger') || known >= BigInt(result?.header.seq ?? 0);
      return isAnswered
        ? transport(method, path, body)
        : { error_code: codes.notFound, error_desc: '', result: null };
    });
    const reach = async (seq: bigint): Promise<void> => {
      known = seq;
    };
    const now = () => Date.now();
    const resolver = createResolver({ client: behind, now, chain: { changes: 0, reach } });
    assert.deepEqual(delegates(await resolver.resolveDid(did)), ['1']);
  });

  test('knows the time of the newest block, also where its own clock is behind it', async (t) => {
    const { client, signer, did } = await open(t);
    const resolver = createResolver({ client, now: () => Date.now() - 3_600_000 });
    const { receipt } = await publishKey(client, { signer, ...bbs(1) }, quickly);
    const versionTime = Number(receipt.closeTimeMicros / 1_000_000n);
    assert.deepEqual(delegates(await resolver.resolveDid(did, { versionTime })), ['1']);
    assert.equal(await resolver.resolveDid(did, { versionTime: versionTime + 60 }), 'notFound');
  });

  test('asks nothing but the head while there is no new block', async (t) => {
    const { client, signer, did, requests, resolver } = await open(t);
    await publishKey(client, { signer, ...bbs(1) }, quickly);
    await resolver.resolveDid(did);
    requests.length = 0;
    await resolver.resolveDid(did);
    assert.deepEqual(requests, ['/getLedger']);
    await publishKey(client, { signer, ...bbs(2) }, quickly);
    requests.length = 0;
    assert.deepEqual(delegates(await resolver.resolveDid(did)), ['1', '2']);
    assert.deepEqual(requests, ['/getLedger', '/getAccountMetaData', '/getTransactionHistory']);
  });

  test('gives keys to whoever checks a proof, and to nobody else', async (t) => {
    const { client, signer, did, resolver } = await open(t);
    await publishKey(client, { signer, ...bbs(1) }, quickly);
    assert.equal((await issuerKey(resolver, did, `${did}#delegateKey-1`)).keyType, 'bls12381g2');
    const present = await resolver.resolveDid(did);
    assert.ok(typeof present === 'object');
    const [then, relationship] = [present, 'authentication'] as const;
    const authenticationKey = (verificationMethod: string) =>
      findDocumentKey({ present, then }, { verificationMethod, relationship });
    assert.equal(authenticationKey(`${did}#controllerKey`)?.keyType, 'ed25519');
    const other = `did:zid:${'00'.repeat(32)}`;
    const refused: [string, string, FaultName][] = [
      [did, `${did}#delegateKey-2`, 'keyNotPublished'],
      [did, `${other}#controllerKey`, 'keyNotPublished'],
      [other, `${did}#delegateKey-1`, 'keyNotPublished'],
      [did, '#delegateKey-1', 'keyNotPublished'],
      [did, '', 'keyNotPublished'],
      ['did:zid:12', 'did:zid:12#controllerKey', 'didMalformed'],
      ['did:web:example.com', 'did:web:example.com#x', 'methodUnsupported'],
    ];
    for (const [of, method, code] of refused)
      await assert.rejects(issuerKey(resolver, of, method), isFault(code), method);
    assert.equal(authenticationKey(`${did}#delegateKey-1`), undefined);
    await assert.rejects(
      issuerKey(resolver, did, `${did}#controllerKey`, Number.NaN),
      isFault('keyNotPublished'),
    );
    await deactivateDid(client, { signer }, quickly);
    for (const at of [undefined, Date.now() - 1])
      await assert.rejects(issuerKey(resolver, did, `${did}#controllerKey`, at), isFault('didDeactivated'));
  });

  test('says so when the ledger cannot be reached, remembered or not', async (t) => {
    const { did, state, resolver } = await open(t);
    await resolver.resolveDid(did);
    state.isAway = true;
    await assert.rejects(resolver.resolveDid(did), isFault('ledgerUnreachable'));
    await assert.rejects(issuerKey(resolver, did, `${did}#controllerKey`), isFault('ledgerUnreachable'));
    const failures: unknown[] = [];
    const { status, text } = await answerResolution(resolver, { did }, (error) => failures.push(error));
    assert.deepEqual([status, failures.length], [500, 1]);
    assert.match(text, /INTERNAL_ERROR/);
    assert.doesNotMatch(text, /no connection/);
    // What needs no ledger is answered all the same.
    const key = `did:key:${encodeMultikey('ed25519', new Uint8Array(32).fill(7))}`;
    assert.equal((await answerResolution(resolver, { did: key })).status, 200);
  });
});

describe('GET /1.0/identifiers', () => {
  test('answers in the form that is accepted', async (t) => {
    const { did, resolver } = await open(t);
    const ask = (accept?: string) => answerResolution(resolver, { did, accept });
    for (const accept of [
      undefined,
      '',
      '*/*',
      'application/did-resolution',
      'text/html, application/*;q=0.1',
    ]) {
      const { status, contentType, text } = await ask(accept);
      assert.deepEqual([status, contentType], [200, 'application/did-resolution']);
      const { didDocument, didResolutionMetadata, didDocumentMetadata } = JSON.parse(text);
      assert.equal(didDocument.id, did);
      assert.deepEqual(didResolutionMetadata, { contentType });
      assert.deepEqual(didDocumentMetadata, { versionId: '0' });
    }
    for (const accept of ['application/did', 'application/did+ld+json', 'application/did+json']) {
      const { contentType, text } = await ask(`application/did-resolution;q=0.5, ${accept}`);
      assert.deepEqual([contentType, JSON.parse(text).id], [accept, did]);
    }
    const old = await ask('application/ld+json;profile="https://w3id.org/did-resolution"');
    assert.equal(JSON.parse(old.text).didDocument.id, did);
    const browser = await ask('application/json, text/plain, */*');
    assert.deepEqual(
      [browser.contentType, JSON.parse(browser.text).didDocument.id],
      ['application/json', did],
    );
    for (const accept of ['text/html', 'application/did;q=0', 'x'.repeat(5_000), 'toString'])
      assert.equal((await ask(accept)).status, 406);
  });

  test('has a status for every error', async (t) => {
    const { did, resolver } = await open(t);
    const cases: [number, string, string, Record<string, string>?][] = [
      [400, 'INVALID_DID', 'did:zid:xyz'],
      [400, 'INVALID_DID', 'nonsense'],
      [400, 'INVALID_DID', 'did:key:z6Mk'],
      [400, 'INVALID_DID', `${did}${'0'.repeat(5_000)}`],
      [400, 'INVALID_DID_URL', `${did}?versonId=0`],
      [400, 'INVALID_DID_URL', `${did}?versionId=`, {}],
      [400, 'INVALID_DID_URL', `${did}?service=%20`, {}],
      [400, 'INVALID_OPTIONS', did, { versionTime: 'yesterday' }],
      [400, 'INVALID_OPTIONS', did, { versionTime: '2020-02-31T00:00:00Z' }],
      [400, 'INVALID_OPTIONS', did, { versionTime: '2020-02-01T00:00:00Z', versionId: '1' }],
      [400, 'INVALID_DID_URL', did, { relativeRef: '/x' }],
      [404, 'NOT_FOUND', did, { versionId: '99999' }],
      [404, 'NOT_FOUND', did, { versionId: 'x' }],
      [404, 'NOT_FOUND', did, { versionTime: '2999-01-01T00:00:00Z' }],
      [404, 'NOT_FOUND', did, { service: 'files' }],
      [404, 'NOT_FOUND', `${did}/path`],
      [404, 'NOT_FOUND', `${did}#delegateKey-1`],
      [501, 'METHOD_NOT_SUPPORTED', 'did:web:example.com'],
    ];
    for (const [status, name, text, query] of cases) {
      const answer = await answerResolution(resolver, { did: text, query, accept: 'application/did' });
      const { didDocument, didResolutionMetadata } = JSON.parse(answer.text);
      assert.deepEqual([answer.status, didDocument], [status, null], `${text} ${JSON.stringify(query)}`);
      assert.equal(didResolutionMetadata.error.type, `https://www.w3.org/ns/did#${name}`);
    }
  });

  test('dereferences services and parts of the document', async (t) => {
    const { client, signer, did, resolver } = await open(t);
    const files = { id: 'files', type: 'Files', serviceEndpoint: 'https://files.example/base/' };
    await publishService(client, { signer, ...files }, quickly);
    const ask = (query: Record<string, string>, accept?: string, fragment = '') =>
      answerResolution(resolver, { did: `${did}${fragment}`, query, accept });
    const places: [Record<string, string>, string][] = [
      [{ service: 'files' }, 'https://files.example/base/'],
      [{ service: 'files', relativeRef: 'a?b=c' }, 'https://files.example/base/a?b=c'],
      [{ service: 'files', relativeRef: '/resume.pdf' }, 'https://files.example/resume.pdf'],
    ];
    for (const [query, place] of places) {
      const { status, text, headers } = await ask(query);
      assert.deepEqual([status, text, headers?.location], [303, '', place]);
      const whole = await ask(query, 'application/did-url-dereferencing');
      assert.deepEqual([whole.status, JSON.parse(whole.text).content], [200, place]);
    }
    assert.equal(
      (await ask({ service: 'files' }, undefined, '#p')).headers?.location,
      'https://files.example/base/#p',
    );
    for (const relativeRef of [
      '//evil.example',
      'https://evil.example',
      'javascript:1',
      '\\\\evil.example',
      'http://',
    ])
      assert.equal((await ask({ service: 'files', relativeRef })).status, 400, relativeRef);
    assert.equal((await ask({ service: 'files' }, 'application/did')).status, 406);
    const inner = await answerResolution(resolver, { did: `${did}?service=files&relativeRef=%2Fx` });
    assert.equal(inner.headers?.location, 'https://files.example/x');
    const part = await ask({}, undefined, '#controllerKey');
    assert.equal(part.contentType, 'application/did-url-dereferencing');
    assert.equal(JSON.parse(part.text).content.publicKeyHex, signer.publicKey);
    const plain = await ask({}, 'application/did', '#controllerKey');
    assert.equal(JSON.parse(plain.text).publicKeyHex, signer.publicKey);
    const whole = await ask({}, 'application/did-url-dereferencing');
    assert.equal(JSON.parse(whole.text).content.id, did);
  });

  test('says 410 for what is deactivated, and 200 for what it was before', async (t) => {
    const { client, signer, did, resolver } = await open(t);
    const { receipt } = await publishKey(client, { signer, ...bbs(1) }, quickly);
    await deactivateDid(client, { signer }, quickly);
    const answer = await answerResolution(resolver, { did });
    assert.equal(answer.status, 410);
    const { didDocument, didDocumentMetadata } = JSON.parse(answer.text);
    assert.equal(didDocumentMetadata.deactivated, true);
    assert.equal(didDocument.verificationMethod, undefined);
    for (const query of [{ service: 'x' }, {}])
      assert.equal((await answerResolution(resolver, { did, query, accept: 'application/did' })).status, 410);
    const before = { did, query: { versionId: String(receipt.ledgerSeq) } };
    const { status, text } = await answerResolution(resolver, before);
    assert.equal(status, 200);
    assert.equal(JSON.parse(text).didDocument.verificationMethod.length, 4);
  });

  test('resolves did:key', async (t) => {
    const { resolver, requests } = await open(t);
    requests.length = 0;
    for (const type of ['ed25519', 'x25519'] as const) {
      const did = `did:key:${encodeMultikey(type, new Uint8Array(32).fill(7))}`;
      const { status, text } = await answerResolution(resolver, { did });
      assert.deepEqual([status, JSON.parse(text).didDocument.verificationMethod[0].controller], [200, did]);
    }
    const did = `did:key:${encodeMultikey('ed25519', new Uint8Array(32).fill(7))}`;
    assert.equal((await answerResolution(resolver, { did, query: { versionId: '1' } })).status, 404);
    assert.equal((await issuerKey(resolver, did, `${did}#${did.slice(8)}`)).keyType, 'ed25519');
    assert.deepEqual(requests, []);
  });
});

describe('parts of the resolver', () => {
  test('media types are compared by quality, then by order', () => {
    const chosen = (accept: string) => chooseAnswerType(accept)?.contentType;
    assert.equal(chosen('application/did;q=0.2, application/did+json;q=0.9'), 'application/did+json');
    assert.equal(chosen('APPLICATION/DID ; q=1.0'), 'application/did');
    assert.equal(chosen('application/did, application/did+json'), 'application/did');
    for (const accept of ['application/did;q=2', 'application/did;q=x', ';', ',,,'])
      assert.equal(chosen(accept), undefined);
  });
});
