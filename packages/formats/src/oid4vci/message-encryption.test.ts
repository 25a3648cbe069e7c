import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { CompactEncrypt, type CompactJWEHeaderParameters } from 'jose';
import {
  decryptMessage,
  encryptMessage,
  messageCiphers,
  readAnswerEncryption,
} from './message-encryption.ts';

const pairOf = (namedCurve = 'P-256') => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  return { privateKey, publicKey, jwk: publicKey.export({ format: 'jwk' }) };
};
const { privateKey, publicKey, jwk } = pairOf();
const wish = (changes: object = {}, more: object = {}) => ({
  jwk: { ...jwk, alg: 'ECDH-ES', ...changes },
  enc: 'A128GCM',
  ...more,
});
const reader = { kid: 'ours', key: privateKey };
const good = { alg: 'ECDH-ES', enc: 'A128GCM', kid: 'ours' };
const sealed = (header: CompactJWEHeaderParameters = good, key = publicKey): Promise<string> =>
  new CompactEncrypt(Buffer.from('text')).setProtectedHeader(header).encrypt(key);
const outcome = async (jwe: string): Promise<string> => {
  const opened = await decryptMessage(jwe, reader);
  return isComplaint(opened) ? opened.complaint : opened.text;
};

describe('answers for one wallet', () => {
  test('are opened with its key, by every cipher, under the name that it has for the key', async () => {
    for (const enc of messageCiphers) {
      const read = readAnswerEncryption(wish({ use: 'enc', kid: 'ours' }, { enc, unknown: 1 }));
      assert.ok(!isComplaint(read));
      assert.equal(await outcome((await encryptMessage('text', read)) as string), 'text');
    }
  });

  test('are not made for what is no such key, each by its name', async () => {
    const cases: readonly [unknown, RegExp][] = [
      [undefined, /no key/],
      [{ enc: 'A128GCM' }, /no key/],
      [wish({}, { enc: 'A128CBC-HS256' }), /enc is none/],
      [wish({}, { enc: undefined }), /enc is none/],
      [wish({}, { zip: 'DEF' }), /compressed/],
      [wish({ alg: undefined }), /alg of the key/],
      [wish({ alg: 'ECDH-ES+A128KW' }), /alg of the key/],
      [wish({ use: 'sig' }), /not for encryption/],
      [wish({ kid: 5 }), /no name/],
      [wish({ d: 'A'.repeat(43) }), /private member/],
      [{ ...wish(), jwk: { ...pairOf('P-384').jwk, alg: 'ECDH-ES' } }, /P-256/],
    ];
    for (const [asked, word] of cases) {
      const read = readAnswerEncryption(asked);
      assert.match(isComplaint(read) ? read.complaint : 'taken', word, JSON.stringify(asked));
    }
    const none = readAnswerEncryption(wish({ x: 'A'.repeat(43) }));
    assert.ok(!isComplaint(none));
    assert.equal(await encryptMessage('text', none), undefined, 'no point of the curve');
  });
});

describe('requests for one issuer', () => {
  test('are opened, and everything that is not for its key or another way is not', async () => {
    assert.equal(await outcome(await sealed()), 'text');
    assert.match(await outcome(await sealed({ ...good, kid: 'other' })), /another key/);
    assert.match(await outcome(await sealed({ alg: 'ECDH-ES', enc: 'A128GCM' })), /another key/);
    assert.match(await outcome(await sealed({ ...good, enc: 'A192GCM' })), /cannot be opened/);
    assert.match(await outcome(await sealed({ ...good, alg: 'ECDH-ES+A128KW' })), /cannot be opened/);
    assert.match(await outcome(await sealed(good, pairOf().publicKey)), /cannot be opened/);
    const jwe = await sealed();
    const [head = '', ...parts] = jwe.split('.');
    const zipped = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(head, 'base64url').toString()), zip: 'DEF' }),
    ).toString('base64url');
    assert.match(await outcome([zipped, ...parts].join('.')), /compressed/);
    assert.match(await outcome(`${jwe.slice(0, -4)}AAAA`), /cannot be opened/);
    for (const text of ['', 'a.b.c', 'a.b.c.d.e', '.....']) assert.match(await outcome(text), /no JWE/, text);
  });
});
