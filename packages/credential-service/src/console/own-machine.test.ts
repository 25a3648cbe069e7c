import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isOfOwnMachine } from './own-machine.ts';

const here = { isLocal: true };
const callWith = (
  headers: Readonly<Record<string, string>>,
  { address = '127.0.0.1', httpVersion = '1.1' } = {},
) => ({
  caller: { address, scopes: new Set<never>() },
  httpVersion,
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
    assert.equal(isOfOwnMachine(callWith(browser, { address: '::ffff:127.0.0.1' }), here), true);
    assert.equal(isOfOwnMachine(callWith(browser), { isLocal: false }), false);
    assert.equal(isOfOwnMachine(callWith(browser, { address: '203.0.113.9' }), here), false);
    assert.equal(isOfOwnMachine(callWith({ ...browser, host: 'demo.example' }), here), false);
    assert.equal(isOfOwnMachine(callWith({ accept: 'text/html' }), here), false);
  });

  test('is one of whatever browsers and programs of this machine send by themselves', () => {
    const sent = {
      chromium:
        'host connection cache-control pragma sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform upgrade-insecure-requests user-agent accept sec-fetch-site sec-fetch-mode sec-fetch-dest sec-purpose purpose referer accept-encoding accept-language cookie if-none-match if-modified-since save-data dnt sec-gpc last-event-id service-worker',
      firefox:
        'host user-agent accept accept-language accept-encoding referer content-type content-length origin connection cookie sec-fetch-dest sec-fetch-mode sec-fetch-site priority pragma cache-control te alt-used',
      safari:
        'host accept sec-fetch-site connection sec-fetch-mode user-agent sec-fetch-dest accept-language priority accept-encoding',
      node: 'host connection accept accept-language sec-fetch-mode user-agent accept-encoding content-type transfer-encoding',
      curl: 'host user-agent accept authorization content-type content-length expect range connection upgrade http2-settings',
      own: 'host x-api-key x-request-id x-symbolon-session idempotency-key x-wallet-signed-data x-payment x-custody-password',
    };
    for (const [who, names] of Object.entries(sent)) {
      const headers = Object.fromEntries(names.split(' ').map((name) => [name, '']));
      assert.equal(isOfOwnMachine(callWith({ ...headers, host: 'localhost:7300' }), here), true, who);
    }
  });

  test('is none in the HTTP of proxies, which no browser has spoken for decades', () => {
    const asNginx = { host: '127.0.0.1:7300', connection: 'close', accept: '*/*' };
    assert.equal(isOfOwnMachine(callWith(asNginx), here), true);
    assert.equal(isOfOwnMachine(callWith(asNginx, { httpVersion: '1.0' }), here), false);
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
      'azure-clientip',
      'do-connecting-ip',
      'cloudfront-viewer-address',
      'ali-cdn-real-ip',
      'proxy-connection',
      'max-forwards',
      'traceparent',
      'of-nobody-known',
    ])
      assert.equal(isOfOwnMachine(callWith({ ...browser, [name]: '' }), here), false, name);
  });
});
