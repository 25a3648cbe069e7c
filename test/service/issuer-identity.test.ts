/**
 * Who an issuer is on the web: keys that the service signs with for it are made and ended over HTTP, published in the
 * `did:web` document and as JWKS, readable by any page, and good for whoever verifies with another library.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Answer, json, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { makeParty, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let issuer: Awaited<ReturnType<typeof makeParty>>;
let hex: string;
let world: World;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  issuer = await makeParty(world, 'issuer on the web');
  hex = issuer.did.slice('did:zid:'.length);
});

const origin = 'https://wallet.example';
const read = (path: string): Promise<Answer> => send(`${service.url}${path}`, { headers: { origin } });
const change = (method: 'POST' | 'DELETE', path: string, body?: JsonObject, apiKey = issuer.apiKey) =>
  send(`${service.url}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${apiKey}` },
  });
const make = (kind: string) => change('POST', '/v1/issuer/signing-keys', { kind });

describe('an issuer on the web', () => {
  test('is nobody until the service signs for it: whoever asks makes no key', async () => {
    for (const path of [
      `/oid4vci/${hex}/did.json`,
      `/oid4vci/${hex}/jwks`,
      `/.well-known/jwt-vc-issuer/oid4vci/${hex}`,
      `/oid4vci/${hex.toUpperCase()}/jwks`,
      '/oid4vci/x/did.json',
    ]) {
      const answer = await read(path);
      assert.deepEqual(
        [answer.status, Object.keys(json(answer))],
        [404, ['error', 'error_description']],
        path,
      );
    }
  });

  test('has a document, keys and an address that fit each other', async () => {
    for (const kind of ['es256', 'ed25519', 'bbs2023']) {
      const made = await make(kind);
      assert.equal(made.status, 200, made.text);
      assert.equal(json(made).kid, `${kind}-1`);
    }
    const document = await read(`/oid4vci/${hex}/did.json?random=1`);
    assert.match(String(document.headers['content-type']), /^application\/did\+json/);
    assert.equal(document.headers['access-control-allow-origin'], '*');
    const { id, alsoKnownAs, verificationMethod, assertionMethod } = json(document);
    assert.equal(id, `did:web:${new URL(service.url).host.replace(':', '%3A')}:oid4vci:${hex}`);
    assert.deepEqual(alsoKnownAs, [issuer.did]);
    const methods = verificationMethod as { id: string; type: string; publicKeyMultibase?: string }[];
    assert.deepEqual(
      methods.map((method) => [method.id.split('#')[1], method.type, method.publicKeyMultibase?.slice(0, 4)]),
      [
        ['es256-1', 'JsonWebKey', undefined],
        ['ed25519-1', 'Multikey', 'z6Mk'],
        ['bbs2023-1', 'Multikey', 'zUC7'],
      ],
    );
    assert.equal((assertionMethod as string[]).length, 3);
    const { keys } = json(await read(`/oid4vci/${hex}/jwks`)) as { keys: JsonObject[] };
    assert.deepEqual(
      keys.map(({ kid, alg }) => [kid, alg]),
      [
        ['es256-1', 'ES256'],
        ['ed25519-1', 'EdDSA'],
      ],
    );
    const wellKnown = json(await read(`/.well-known/jwt-vc-issuer/oid4vci/${hex}`));
    assert.deepEqual(wellKnown, { issuer: `${service.url}/oid4vci/${hex}`, jwks: { keys } });
  });

  test('changes and ends its keys, and those of nobody else', async () => {
    assert.equal(json(await make('es256')).kid, 'es256-2');
    const stranger = await makeParty(world, 'somebody else');
    const stolen = await change('DELETE', '/v1/issuer/signing-keys/es256-1', undefined, stranger.apiKey);
    assert.deepEqual([stolen.status, json(stolen).code], [404, 'keyUnknown']);
    const ended = await change('DELETE', '/v1/issuer/signing-keys/es256-1');
    assert.equal(ended.status, 200);
    const again = await change('DELETE', '/v1/issuer/signing-keys/es256-1');
    assert.equal(json(again).code, 'keyUnknown');
    const { keys } = json(await read(`/oid4vci/${hex}/jwks`)) as { keys: JsonObject[] };
    assert.deepEqual(
      keys.map(({ kid }) => kid),
      ['es256-2', 'ed25519-1'],
    );
    const verifier = await makeParty(world, 'a verifier', ['verify']);
    for (const apiKey of [verifier.apiKey, 'sym_none']) {
      const refused = await change('POST', '/v1/issuer/signing-keys', { kind: 'es256' }, apiKey);
      assert.equal(refused.status, 401);
    }
    const malformed: readonly JsonObject[] = [{}, { kind: 'rs256' }, { kind: 'es256', extra: 1 }];
    for (const body of malformed)
      assert.equal(json(await change('POST', '/v1/issuer/signing-keys', body)).code, 'requestMalformed');
  });
});
