import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resultName } from './constants.ts';
import {
  aesTemplate,
  checkLabel,
  edwardsPrivateTemplate,
  idBytesOf,
  queryTemplate,
  readEdwardsPoint,
} from './key-templates.ts';
import { expectOk, isLostSession, isRefusedPin, Pkcs11Error } from './pkcs11-error.ts';

const hasCode = (code: string) => (error: unknown) => error instanceof Pkcs11Error && error.code === code;

describe('keys', () => {
  const [sensitive, extractable, wrap, unwrap] = [0x103, 0x162, 0x106, 0x107];

  test('are made to stay in the token and to do one thing', () => {
    const aes = new Map(aesTemplate({ id: '0a', label: 'master' }));
    assert.deepEqual([aes.get(sensitive), aes.get(extractable)], [true, false]);
    assert.deepEqual([aes.get(wrap), aes.get(unwrap)], [false, false]);
    const edwards = new Map(edwardsPrivateTemplate({ id: '0a', label: 'issuer' }));
    assert.deepEqual([edwards.get(sensitive), edwards.get(extractable)], [true, false]);
  });

  test('have ids in hex and labels of plain text, both bounded', () => {
    assert.deepEqual([...idBytesOf('00ff')], [0, 255]);
    for (const id of ['', '0', '0G', 'FF', ' 00', '00'.repeat(33)])
      assert.throws(() => idBytesOf(id), hasCode('argumentInvalid'), id);
    assert.equal(checkLabel('Ключ 1'), 'Ключ 1');
    for (const label of ['', 'a\0', 'a\n', '\ud800', 'я'.repeat(33)])
      assert.throws(() => checkLabel(label), hasCode('argumentInvalid'));
  });

  test('are looked for by kind, and by name where one is given', () => {
    assert.equal(queryTemplate({ kind: 'aes' }).length, 3);
    assert.equal(queryTemplate({ kind: 'ed25519', id: '01', label: 'a' }).length, 5);
    assert.throws(() => queryTemplate({ kind: 'aes', id: 'x' }), hasCode('argumentInvalid'));
  });

  test('tell their public part wrapped or bare, of the right length only', () => {
    const key = Uint8Array.from({ length: 32 }, (_, index) => index);
    assert.deepEqual(readEdwardsPoint(key), key);
    assert.deepEqual(readEdwardsPoint(Uint8Array.of(4, 32, ...key)), key);
    const wrong = [undefined, new Uint8Array(), key.subarray(1), Uint8Array.of(4, 31, ...key)];
    for (const point of [...wrong, Uint8Array.of(3, 32, ...key), Uint8Array.of(4, 32, ...key, 0)])
      assert.throws(() => readEdwardsPoint(point), hasCode('answerMalformed'));
  });
});

describe('results', () => {
  test('have the names of the standard, and vendors’ own their numbers', () => {
    assert.equal(resultName(0xa0), 'CKR_PIN_INCORRECT');
    assert.equal(resultName(0x8000_0001), 'CKR_0x80000001');
    assert.equal(resultName(0x999), 'CKR_0x00000999');
  });

  test('other than OK are errors that name result and function', () => {
    expectOk('C_Login', 0);
    assert.throws(() => expectOk('C_Login', 0xa0), /CKR_PIN_INCORRECT to C_Login/);
  });

  test('tell a refused PIN from a lost session', () => {
    const error = (code: `CKR_${string}`) => new Pkcs11Error(code, 'x');
    assert.ok(isRefusedPin(error('CKR_PIN_LOCKED')) && !isLostSession(error('CKR_PIN_LOCKED')));
    assert.ok(isLostSession(error('CKR_SESSION_CLOSED')) && !isRefusedPin(error('CKR_SESSION_CLOSED')));
    assert.ok(!isLostSession(error('CKR_GENERAL_ERROR')) && !isLostSession(new Error('CKR_SESSION_CLOSED')));
  });
});
