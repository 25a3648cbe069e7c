import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isOfOwnMachine } from './own-machine.ts';

const here = { isLocal: true };
const callWith = (headers: Readonly<Record<string, string>>, address = '127.0.0.1') => ({
  caller: { address, scopes: new Set<never>() },
  header: (name: string) => headers[name],
  headerNames: Object.keys(headers),
});
const browser = {
  host: 'localhost:7300',
  'user-agent': 'a browser',
  accept: 'text/html',
  origin: 'http://localhost:7300',
  'sec-fetch-site': 'same-origin',
  'x-request-id': 'one',
};

describe('a call from this machine', () => {
  test('is one of a browser that means this machine, where the service listens here alone', () => {
    assert.equal(isOfOwnMachine(callWith(browser), here), true);
    assert.equal(isOfOwnMachine(callWith(browser, '::ffff:127.0.0.1'), here), true);
    assert.equal(isOfOwnMachine(callWith(browser), { isLocal: false }), false);
    assert.equal(isOfOwnMachine(callWith(browser, '203.0.113.9'), here), false);
    assert.equal(isOfOwnMachine(callWith({ ...browser, host: 'demo.example' }), here), false);
    assert.equal(isOfOwnMachine(callWith({ accept: 'text/html' }), here), false);
  });

  test('is none that somebody passes on, by whichever header that is told', () => {
    for (const name of [
      'forwarded',
      'via',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-forwarded-port',
      'x-forwarded-server',
      'x-forwarded',
      'x-original-forwarded-for',
      'x-real-ip',
      'x-client-ip',
      'x-cluster-client-ip',
      'client-ip',
      'true-client-ip',
      'cf-connecting-ip',
      'cf-connecting-ipv6',
      'cf-ray',
      'cdn-loop',
      'fastly-client-ip',
      'fly-client-ip',
      'x-envoy-external-address',
      'x-appengine-user-ip',
      'x-azure-clientip',
      'tailscale-user-login',
      'wl-proxy-client-ip',
      'x-proxyuser-ip',
      'x-nginx-proxy',
      'x-scheme',
      'x-originating-ip',
      'front-end-https',
      'x-of-nobody-known',
    ])
      assert.equal(isOfOwnMachine(callWith({ ...browser, [name]: '' }), here), false, name);
  });
});
