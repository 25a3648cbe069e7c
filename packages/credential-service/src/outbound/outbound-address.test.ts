import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { checkCallbackUrl } from '../sessions/callback-address.ts';
import { isPublicAddress, OutboundProblem, type OutboundReach, pinAddress } from './outbound-address.ts';

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
  const refused = (text: string, reach: OutboundReach = 'public') =>
    assert.throws(
      () => checkCallbackUrl(text, reach),
      (error) => error instanceof Fault && error.code === 'callbackRefused',
      text,
    );

  test('http and https to public places', () => {
    for (const text of ['https://example.org/hook?x=1', 'http://example.org:8080/', 'http://1.1.1.1/'])
      checkCallbackUrl(text, 'public');
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
    for (const reach of ['loopback', 'private'] as const) {
      refused('ftp://127.0.0.1/', reach);
      refused('http://user:secret@127.0.0.1/', reach);
    }
  });

  const ownMachine = ['127.0.0.1:9', '127.8.9.10', '[::1]:5', 'localhost:3000', 'a.localhost', '0x7f000001'];
  const ownNetwork = ['10.1.2.3', '192.168.1.1', '172.16.0.1', '100.64.0.1', '[fc00::1]', '[fd12:3456::1]'];
  /** Of no use to a receiver, and of much to whoever wants to reach the services of a cloud. */
  const nowhere = [
    '169.254.169.254',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '2852039166',
    '0.0.0.0',
    '224.0.0.1',
  ]
    .concat(['255.255.255.255', '[::]', '[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]'])
    .concat(['[fe80::1]', '[ff02::1]', '[64:ff9b::a00:1]', '[2002:a00:1::]']);

  test('this machine where it may be, and then nothing else that is private', () => {
    for (const host of [...ownMachine, 'example.org', '1.1.1.1'])
      checkCallbackUrl(`http://${host}/`, 'loopback');
    for (const host of [...ownNetwork, ...nowhere]) refused(`http://${host}/`, 'loopback');
  });

  test('private networks where the operator allows them, but never the links of a cloud', () => {
    for (const host of [...ownMachine, ...ownNetwork, '1.1.1.1'])
      checkCallbackUrl(`http://${host}/`, 'private');
    for (const host of nowhere) refused(`http://${host}/`, 'private');
  });

  test('a name is looked up before anybody connects', async () => {
    await assert.rejects(pinAddress(new URL('http://localhost/'), 'public'), OutboundProblem);
    await assert.rejects(pinAddress(new URL('http://127.0.0.1/'), 'public'), OutboundProblem);
    assert.equal((await pinAddress(new URL('http://[::1]:5/'), 'loopback')).address, '::1');
    assert.equal((await pinAddress(new URL('http://localhost/'), 'loopback')).address, '127.0.0.1');
    for (const host of [...ownNetwork, ...nowhere])
      await assert.rejects(pinAddress(new URL(`http://${host}/`), 'loopback'), OutboundProblem, host);
  });

  test('every address of a name must be allowed, whatever stands first', async () => {
    const named = (...addresses: string[]) =>
      pinAddress(new URL('http://receiver.example/'), 'loopback', async () =>
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    assert.equal((await named('127.0.0.1', '::1')).address, '127.0.0.1');
    for (const address of ['10.0.0.1', '169.254.169.254', 'fd00::1', '::ffff:10.0.0.1'])
      await assert.rejects(named('127.0.0.1', address), OutboundProblem, address);
    await assert.rejects(named(), OutboundProblem);
  });
});
