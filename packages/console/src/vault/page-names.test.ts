import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNamedHost, namedPage } from './page-names.ts';

test('an address is no name', () => {
  for (const host of ['localhost', 'example.org', '1.example']) assert.equal(isNamedHost(host), true, host);
  for (const host of ['127.0.0.1', '[::1]', '192.0.2.1']) assert.equal(isNamedHost(host), false, host);
});

test('only a page of this machine is the same one at localhost', () => {
  const page = (url: string) => namedPage(new URL(url) as unknown as Location);
  assert.equal(page('http://127.0.0.1:8080/wallet?a=b'), 'http://localhost:8080/wallet?a=b');
  assert.equal(page('http://[::1]/wallet'), 'http://localhost/wallet');
  for (const url of ['http://192.0.2.1/', 'http://127.0.0.2:8080/', 'https://example.org/wallet'])
    assert.equal(page(url), undefined, url);
});
