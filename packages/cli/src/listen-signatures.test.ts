import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import { checkAge, checkOwnSignature, checkSharedSignature } from './listen-signatures.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const { x } = publicKey.export({ format: 'jwk' });
const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k1', x }] };
const timestamp = '2030-01-01T00:00:00Z';
const text = '{"verified":true}';

function jws(header: object, payload = `${timestamp}.${text}`): string {
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  return `${head}..${sign(null, Buffer.from(`${head}.${payload}`), privateKey).toString('base64url')}`;
}
const goodHeader = { alg: 'EdDSA', kid: 'k1', b64: false, crit: ['b64'] };

describe("the service's own signature", () => {
  test('is good over exactly this time and text', () => {
    const signature = jws(goodHeader);
    assert.equal(checkOwnSignature(jwks, { text, timestamp, signature }), undefined);
    const changes = [
      { text: '{"verified":false}', timestamp, signature },
      { text, timestamp: '2030-01-01T00:00:01Z', signature },
      { text, timestamp, signature: `${signature.slice(0, -4)}AAAA` },
    ];
    for (const change of changes) assert.match(checkOwnSignature(jwks, change) ?? '', /does not fit/);
  });

  test('is of one kind and by a key that is shown', () => {
    const problemOf = (signature: string, keys: typeof jwks = jwks) =>
      checkOwnSignature(keys, { text, timestamp, signature }) ?? 'good';
    for (const bad of ['', 'x', 'a.b.c', 'a..b', '..', `${jws(goodHeader)}.`])
      assert.match(problemOf(bad), /not a detached JWS/, bad);
    for (const header of [
      { alg: 'none' },
      { alg: 'HS256' },
      { b64: true },
      { crit: ['b64', 'x'] },
      { crit: 'b64' },
    ])
      assert.match(problemOf(jws({ ...goodHeader, ...header })), /another kind/);
    assert.match(problemOf(jws({ ...goodHeader, kid: 'k2' })), /does not show/);
    assert.match(problemOf(jws(goodHeader), { keys: [] }), /does not show/);
    assert.match(
      problemOf(jws(goodHeader), { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k1', x: 'AA' }] }),
      /does not show/,
    );
  });
});

test('the shared signature is by the secret', () => {
  const signature = createHmac('sha256', 'secret').update(`${timestamp}.${text}`).digest('base64');
  assert.equal(checkSharedSignature('secret', { text, timestamp, signature }), undefined);
  for (const other of ['', 'AAAA', `A${signature.slice(1)}`, signature.toLowerCase()])
    assert.match(
      checkSharedSignature('secret', { text, timestamp, signature: other }) ?? '',
      /not by the shared/,
    );
  assert.ok(checkSharedSignature('other', { text, timestamp, signature }));
});

test('a signature counts for minutes', () => {
  const at = Date.parse(timestamp);
  assert.equal(checkAge(timestamp, at + 299_000), undefined);
  assert.equal(checkAge(timestamp, at - 299_000), undefined);
  for (const [time, now] of [
    [timestamp, at + 301_000],
    [timestamp, at - 301_000],
    ['then', at],
    ['', at],
  ] as const)
    assert.match(checkAge(time, now) ?? '', /not about now/);
});
