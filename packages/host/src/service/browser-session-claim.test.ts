import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  browserSessionClaims,
  browserSessionCookie,
  markOfCookie,
  type ShownSession,
  sessionCookies,
  setSessionCookie,
} from './browser-session-claim.ts';
import { type Claim, callerSource } from './service-access.ts';

const id = 'abcdefghijklmnopqrstuv';
const secret = 'S'.repeat(43);

describe('the cookie of a session', () => {
  test('tells nobody the id, and says by its name what it may be', () => {
    const name = browserSessionCookie(id, false);
    assert.match(name, /^symbolon-session-[0-9a-f]{16}$/);
    assert.equal(browserSessionCookie(id, true), `__Host-${name}`);
    assert.ok(!name.includes(id.slice(0, 8)));
    assert.equal(`symbolon-session-${markOfCookie(name)}`, name);
  });

  test('is kept from pages, and given to this site alone', () => {
    const given = setSessionCookie('n', { secret, seconds: 5, isSecure: true });
    assert.equal(given, `n=${secret}; Max-Age=5; Path=/; HttpOnly; SameSite=Strict; Secure`);
    assert.match(setSessionCookie('n', { isSecure: false }), /^n=; Max-Age=0; /);
  });

  test('is found among others; one that comes twice is none', () => {
    const header =
      'a=1; symbolon-session-x=2;symbolon-session-y=3; symbolon-session-y=4; =; b; symbolon-session-z';
    assert.deepEqual(
      [...sessionCookies(header, false)],
      [
        ['symbolon-session-x', '2'],
        ['symbolon-session-y', ''],
      ],
    );
    assert.equal(sessionCookies(header, true).size, 0);
    assert.equal(sessionCookies(undefined, true).size, 0);
  });
});

describe('the claim of a browser', () => {
  const asked: ShownSession[] = [];
  const claims = browserSessionClaims({
    isSecure: false,
    authenticate: async (shown) => {
      asked.push(shown);
      return { scopes: new Set() };
    },
  });
  const cookie = `${browserSessionCookie(id, false)}=${secret}`;
  const prove = async (claim: Claim | undefined) => (await claim?.prove('thorough')) !== undefined;

  test('is none without the header, and proves nothing without its cookie', async () => {
    assert.equal(claims({ cookie }), undefined);
    const wrong = [
      { 'x-symbolon-session': id },
      { 'x-symbolon-session': id, cookie: `__Host-${cookie}` },
      { 'x-symbolon-session': id, cookie: `${cookie}; ${cookie}` },
      { 'x-symbolon-session': `${id.slice(1)}w`, cookie },
      { 'x-symbolon-session': [id, id], cookie },
      { 'x-symbolon-session': '', cookie },
    ];
    for (const headers of wrong) assert.equal(await prove(claims(headers)), false, JSON.stringify(headers));
    assert.equal(asked.length, 0);
    assert.equal(await prove(claims({ 'x-symbolon-session': id, cookie })), true);
    assert.deepEqual(asked, [{ id, secret }]);
  });

  test('is refused beside an API key, in a header or in the body', () => {
    const isApiKey = (token: string) => token.startsWith('sym_');
    const source = callerSource({ authenticate: async () => undefined, isApiKey }, claims);
    const shown = { 'x-symbolon-session': id, cookie };
    assert.equal(source.claimOf(shown)?.what, 'session');
    assert.equal(source.claimOf({ ...shown, authorization: 'Basic eDp5' })?.what, 'session');
    const message = /an API key and a session are shown/;
    assert.throws(() => source.claimOf({ ...shown, 'x-api-key': 'sym_1' }), message);
    assert.throws(() => source.claimOf({ ...shown, authorization: 'Bearer sym_1' }), message);
    assert.throws(() => source.claimOf(shown, 'sym_1'), message);
    for (const authorization of ['Bearer xyz', 'Bearer a b', 'Bearer', 'xyz', 'Basic'])
      assert.throws(() => source.claimOf({ ...shown, authorization }), message, authorization);
    assert.throws(() => source.claimOf({ ...shown, 'x-api-key': 'xyz' }), message);
    assert.throws(() => source.claimOf({ ...shown, 'x-api-key': '' }), message);
  });
});
