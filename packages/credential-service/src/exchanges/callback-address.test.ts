import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults';
import { CallbackProblem, checkCallbackUrl, isPublicAddress, pinAddress } from './callback-address.ts';

describe('public addresses', () => {
  test('what is public', () => {
    for (const address of ['1.1.1.1', '172.15.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])
      assert.equal(isPublicAddress(address), true, address);
  });

  test('what is not', () => {
    for (const address of [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      'fc00::1',
      'fd12:3456::1',
      'fe80::1',
      'ff02::1',
      '2001:db8::1',
      '2001::1',
      '2002:7f00:1::',
      'example.org',
      '',
    ])
      assert.equal(isPublicAddress(address), false, address);
  });
});

describe('addresses for callbacks', () => {
  const refused = (text: string, allowPrivate = false) =>
    assert.throws(
      () => checkCallbackUrl(text, allowPrivate),
      (error) => error instanceof Fault && error.code === 'callbackRefused',
      text,
    );

  test('http and https to public places', () => {
    for (const text of ['https://example.org/hook?x=1', 'http://example.org:8080/', 'http://1.1.1.1/'])
      checkCallbackUrl(text, false);
    checkCallbackUrl('http://127.0.0.1:9/', true);
  });

  test('nothing else, however it is spelled', () => {
    for (const text of [
      '',
      'example.org',
      '/hook',
      'file:///etc/passwd',
      'gopher://example.org/',
      'javascript:alert(1)',
      'http://user@example.org/',
      'http://127.1/',
      'http://0x7f000001/',
      'http://017700000001/',
      'http://[::ffff:127.0.0.1]/',
      'http://localhost/',
      'http://LOCALHOST./',
      'http://a.localhost/',
    ])
      refused(text);
    refused('ftp://127.0.0.1/', true);
    refused('http://user:secret@127.0.0.1/', true);
  });

  test('a name is looked up before anybody connects', async () => {
    await assert.rejects(pinAddress(new URL('http://localhost/'), false), CallbackProblem);
    await assert.rejects(pinAddress(new URL('http://127.0.0.1/'), false), CallbackProblem);
    assert.equal((await pinAddress(new URL('http://[::1]:5/'), true)).address, '::1');
  });
});
