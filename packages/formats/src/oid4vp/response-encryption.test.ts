import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { CompactEncrypt, exportJWK, generateKeyPair, importJWK } from 'jose';
import { makeResponseKey, openResponse, type ResponseJwk } from './response-encryption.ts';

const key = await makeResponseKey('one');
const payload = { vp_token: { a: ['b'] }, state: 's' };

async function encrypt(
  to: ResponseJwk = key.publicJwk,
  header: object = {},
  text: string = JSON.stringify(payload),
): Promise<string> {
  const { kty, crv, x, y, kid } = to;
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid, ...header })
    .encrypt(await importJWK({ kty, crv, x, y }, 'ECDH-ES'));
}

/** One header exchanged for another: what is signed by it does not fit any more, which is told later. */
function withHeader(text: string, change: object): string {
  const [head, ...rest] = text.split('.');
  const header = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), ...change };
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
}

describe('an encrypted answer', () => {
  test('is opened by the key of its request, in both encryptions', async () => {
    for (const enc of ['A128GCM', 'A256GCM'])
      assert.deepEqual(await openResponse(await encrypt(key.publicJwk, { enc }), key), payload);
    const other = await makeResponseKey('two');
    assert.notEqual(other.publicJwk.x, key.publicJwk.x);
    assert.equal('d' in key.publicJwk, false);
  });

  test('with one wrong thing is refused', async () => {
    const text = await encrypt();
    const wrong = async (given: string): Promise<string> => {
      const read = await openResponse(given, key);
      return isComplaint(read) ? read.complaint : 'nothing';
    };
    assert.match(await wrong(await encrypt({ ...key.publicJwk, kid: 'two' })), /another key/);
    assert.match(await wrong(withHeader(text, { kid: undefined })), /another key/);
    const old = await makeResponseKey('one');
    assert.match(await wrong(await encrypt(old.publicJwk)), /cannot be decrypted/);
    assert.match(await wrong(await encrypt(key.publicJwk, { enc: 'A128CBC-HS256' })), /not offered/);
    assert.match(await wrong(await encrypt(key.publicJwk, { alg: 'ECDH-ES+A128KW' })), /not offered/);
    assert.match(await wrong(withHeader(text, { alg: 'dir' })), /not offered/);
    assert.match(await wrong(withHeader(text, { zip: 'DEF' })), /not understood/);
    assert.match(await wrong(withHeader(text, { crit: ['x'] })), /not understood/);
    const { publicKey } = await generateKeyPair('ECDH-ES', { crv: 'X25519' });
    assert.match(await wrong(withHeader(text, { epk: await exportJWK(publicKey) })), /key of its sender/);
    assert.match(await wrong(withHeader(text, { apu: 'AA' })), /cannot be decrypted/);
    assert.match(
      await wrong(`${text.slice(0, -2)}${text.endsWith('AA') ? 'BB' : 'AA'}`),
      /cannot be decrypted/,
    );
    assert.match(await wrong(await encrypt(key.publicJwk, {}, '[]')), /plain JSON object/);
    assert.match(await wrong(await encrypt(key.publicJwk, {}, '{"a":1,"a":2}')), /plain JSON object/);
    assert.match(await wrong('a.b.c'), /five parts/);
    assert.match(await wrong('....'), /header/);
    assert.match(await wrong('x'.repeat(7_000_000)), /too long/);
  });
});
