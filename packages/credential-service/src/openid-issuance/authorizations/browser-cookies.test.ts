import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { secretHash } from '../parts/openid-secrets.ts';
import { endedCookie, givenCookies, isSameBrowser } from './browser-cookies.ts';

const [secured, demo] = [{ publicUrl: 'https://a.example' }, { publicUrl: 'http://127.0.0.1:1' }];
const secret = 'S'.repeat(43);
const pairOf = (cookie = ''): string => cookie.split(';')[0] as string;

describe('the cookie of an authorization', () => {
  test('is kept from pages and, over https, from everybody else on the domain', () => {
    const [given] = givenCookies('vca_1', secured, { secret, header: undefined });
    assert.match(
      given as string,
      /^__Host-symbolon-authorization-[0-9a-f]{16}=S{43}; Max-Age=1200; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const [local] = givenCookies('vca_1', demo, { secret, header: undefined });
    assert.match(local as string, /^symbolon-authorization-[0-9a-f]{16}=S{43}; .*SameSite=Lax$/);
    assert.match(endedCookie('vca_1', secured), /^__Host-symbolon-authorization-[0-9a-f]{16}=; Max-Age=0; /);
  });

  test('is that of one browser and one authorization', () => {
    const row = { id: 'vca_1', browserHash: secretHash(secret) };
    const [given] = givenCookies('vca_1', secured, { secret, header: undefined });
    const header = `a=1; ${pairOf(given)}; b=2`;
    assert.ok(isSameBrowser(row, secured, header));
    assert.ok(!isSameBrowser({ ...row, id: 'vca_2' }, secured, header));
    assert.ok(!isSameBrowser({ ...row, browserHash: secretHash('other') }, secured, header));
    assert.ok(!isSameBrowser({ ...row, browserHash: null }, secured, header));
    assert.ok(!isSameBrowser(row, demo, header), 'over http it has another name');
    assert.ok(!isSameBrowser(row, secured, undefined));
    assert.ok(
      !isSameBrowser(row, secured, `${pairOf(given)}; ${pairOf(given)}`),
      'one that comes twice is none',
    );
  });

  test('of many that a browser has the others are taken away', () => {
    const headerOf = (count: number): string =>
      Array.from({ length: count }, (_, at) =>
        pairOf(givenCookies(`vca_${at}`, demo, { secret, header: undefined })[0]),
      ).join('; ');
    const most = limits.loginsPerBrowserMax;
    assert.equal(givenCookies('new', demo, { secret, header: headerOf(most - 1) }).length, 1);
    const cookies = givenCookies('new', demo, { secret, header: `session=1; ${headerOf(most)}` });
    assert.equal(cookies.length, most + 1);
    assert.ok(cookies.slice(0, most).every((one) => one.includes('=; Max-Age=0;')));
  });
});
