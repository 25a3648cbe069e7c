import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { detachedJws, jwsSigningInput, parseDetachedJws } from './jws.ts';

const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const signature = new Uint8Array(64).fill(5);

describe('JSON Web Signatures', () => {
  test('the issuer signs raw bytes, the holder an encoded payload', () => {
    const payload = Uint8Array.of(0, 255, 46);
    const issuer = Buffer.from(jwsSigningInput('issuer', payload)).toString('latin1');
    assert.equal(issuer, `${base64url('{"alg":"EdDSA","b64":false,"crit":["b64"]}')}.\0\xff.`);
    const holder = Buffer.from(jwsSigningInput('holder', payload)).toString('latin1');
    assert.equal(holder, `${base64url('{"alg":"EdDSA"}')}.AP8u`);
  });

  test('round trip', () => {
    for (const kind of ['issuer', 'holder'] as const)
      assert.deepEqual(parseDetachedJws(kind, detachedJws(kind, signature)), signature);
  });

  test('nothing but the one header, nothing but 64 bytes', () => {
    const part = Buffer.from(signature).toString('base64url');
    const headers = [
      '{"alg":"none"}',
      '{"alg":"HS256"}',
      '{ "alg":"EdDSA"}',
      '{"alg":"EdDSA","kid":"x"}',
      '{"alg":"eddsa"}',
    ];
    for (const header of headers)
      assert.equal(parseDetachedJws('holder', `${base64url(header)}..${part}`), undefined);
    const good = detachedJws('holder', signature);
    const [start] = good.split('.');
    const bad = [
      '',
      '..',
      start,
      `${start}..`,
      `${start}.e30.${part}`,
      `${good}.`,
      `${good}=`,
      ` ${good}`,
      `${good}\n`,
      `${start}..${part.slice(0, -1)}`,
      `${start}..${part.slice(0, -1)}R`,
      `${start}..${'a'.repeat(85)}+`,
      `${start}..${Buffer.from(Buffer.from(signature).toString('hex')).toString('base64url')}`,
      detachedJws('issuer', signature),
    ];
    for (const text of bad) assert.equal(parseDetachedJws('holder', text), undefined, text);
    assert.equal(parseDetachedJws('issuer', good), undefined);
    assert.throws(() => detachedJws('holder', signature.subarray(1)));
  });

  test('property: no two texts give a signature', () => {
    const good = detachedJws('holder', signature);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, replacement) => {
        const text = good.slice(0, at) + replacement + good.slice(at + 1);
        const read = parseDetachedJws('holder', text);
        if (read) assert.equal(detachedJws('holder', read), text);
      }),
    );
  });
});
