import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import fc from 'fast-check';
import { sha256 } from '../sd-jwt/testing/sample-sd-jwts.ts';
import { isJwsSignedBy, parseCompactJws, signJws } from './compact-jws.ts';
import { isSameKey, keyThumbprint, readPublicJwk } from './public-keys.ts';
import { parseSignedJson, parseSignedObject } from './strict-json.ts';
import { makeKey, nodeVerifySignature } from './testing/node-keys.ts';
import { makeWebSigner, webVerifySignature } from './web-signatures.ts';

describe('strict JSON', () => {
  test('is read like any other where no member is there twice', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        assert.deepEqual(parseSignedJson(text), { value: JSON.parse(text) });
      }),
    );
  });
  test('members that are there twice, at any depth and in any spelling', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '[{"b":{"a":1,"\\u0061":2}}]',
      '{"a":{},"b":[],"a":[]}',
      '{"":1,"":1}',
    ])
      assert.equal(parseSignedJson(text), undefined, text);
    for (const text of ['{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"a"}', '{"a":",\\"a\\":"}'])
      assert.ok(parseSignedJson(text), text);
  });
  test('a text that never ends, full of quotation marks, takes no longer than reading it', () => {
    const began = performance.now();
    for (const end of ['', '\\', '\\"'])
      assert.equal(parseSignedJson(`{"a":"${'\\"'.repeat(200_000)}${end}`), undefined);
    assert.ok(performance.now() - began < 20_000, 'it took minutes, once');
  });
  test('what is no JSON, half a character, the name that changes objects', () => {
    for (const text of [
      '',
      '{',
      '{"a":1,}',
      '"\\ud800"',
      '{"\\ud800":1}',
      '{"__proto__":{}}',
      '{"a" 1}',
      '\ufeff{}',
      '{a:1}',
    ])
      assert.equal(parseSignedJson(text), undefined, text);
    assert.equal(parseSignedObject('[]'), undefined);
    assert.ok(parseSignedJson(`"${'x'.repeat(1_000_000)}"`), 'a long text is no problem');
  });
});

describe('keys', () => {
  test('the thumbprint is that of RFC 8037', () => {
    const key = readPublicJwk({
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    });
    assert.ok(!isComplaint(key));
    assert.equal(keyThumbprint(key, sha256), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });
  test('are the same by their bare members', () => {
    const [one, two] = [makeKey().publicKey, makeKey().publicKey];
    assert.ok(isSameKey(one, { ...one }));
    assert.ok(!isSameKey(one, two));
    assert.ok(!isSameKey(one, makeKey('EdDSA').publicKey));
  });
});

describe('signatures', () => {
  test('of Node and of the browser verify each other’s', async () => {
    for (const alg of ['ES256', 'EdDSA'] as const) {
      const [node, web] = [makeKey(alg), await makeWebSigner(alg)];
      for (const { signer, publicKey } of [node, web]) {
        const token = parseCompactJws(await signJws('JWT', { a: 1 }, signer), {
          typ: 'JWT',
          algorithms: [alg],
        });
        assert.ok(!isComplaint(token));
        for (const verify of [nodeVerifySignature, webVerifySignature]) {
          assert.ok(await isJwsSignedBy(token, publicKey, verify));
          assert.ok(!(await isJwsSignedBy(token, makeKey(alg).publicKey, verify)));
          const payload = { ...token, data: token.data.with(3, token.data[3] ^ 1) };
          assert.ok(!(await isJwsSignedBy(payload, publicKey, verify)));
        }
        const other = makeKey(alg === 'ES256' ? 'EdDSA' : 'ES256').publicKey;
        assert.ok(!(await isJwsSignedBy(token, other, () => assert.fail('a key of another curve was used'))));
      }
    }
  });
  test('a point that is not on the curve is no key', async () => {
    const { publicKey, signer } = makeKey();
    const token = parseCompactJws(await signJws('JWT', {}, signer), { typ: 'JWT', algorithms: ['ES256'] });
    assert.ok(!isComplaint(token));
    assert.equal(
      await isJwsSignedBy(token, { ...publicKey, x: 'A'.repeat(43) } as never, webVerifySignature),
      false,
    );
  });
});
