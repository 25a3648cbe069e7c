import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerAddress, isRegisteredRedirect, redirectUriProblem } from './redirect-uris.ts';

describe('addresses to which a browser is sent back', () => {
  test('may be https, of an application, or of this machine', () => {
    for (const good of [
      'https://wallet.example/cb',
      'https://wallet.example',
      'https://wallet.example:8443/cb?tenant=a',
      'com.example.wallet:/cb',
      'com.example.wallet://cb',
      'http://127.0.0.1/cb',
      'http://127.0.0.1:5000/cb',
      'http://[::1]:5000/cb',
    ])
      assert.equal(redirectUriProblem(good), undefined, good);
  });

  test('each is refused for the one thing that is wrong', () => {
    const cases: readonly (readonly [uri: string, word: RegExp])[] = [
      ['http://wallet.example/cb', /must be https/],
      ['http://localhost/cb', /must be https/],
      ['http://127.0.0.1.example/cb', /must be https/],
      ['http://127.0.0.1@wallet.example/cb', /must be https/],
      ['wallet:/cb', /must be https/],
      ['com.example.wallet:cb', /must be https/],
      ['javascript:alert(1)', /must be https/],
      ['data:text/html,x', /must be https/],
      ['https://user@wallet.example/cb', /password/],
      ['https://wallet.example/cb#x', /fragment/],
      ['https://wallet.example/c b', /fragment/],
      ['https://wallet.example/cb\n', /fragment/],
      ['https://wallet.example/"', /fragment/],
      ['/cb', /fragment/],
      ['https://', /fragment/],
      ['https://wallet.example/cb?code=1', /parameter code/],
      ['https://wallet.example/cb?iss=1', /parameter iss/],
      [`https://wallet.example/${'a'.repeat(600)}`, /characters/],
    ];
    for (const [uri, word] of cases) assert.match(redirectUriProblem(uri)?.complaint ?? 'good', word, uri);
  });

  test('are compared character by character, but for the port of this machine', () => {
    const registered = ['https://wallet.example/cb', 'com.example.wallet:/cb', 'http://127.0.0.1/cb'];
    const isTaken = (given: string): boolean => isRegisteredRedirect(registered, given);
    for (const good of [...registered, 'http://127.0.0.1:1/cb', 'http://127.0.0.1:65000/cb'])
      assert.ok(isTaken(good), good);
    for (const wrong of [
      'https://wallet.example/cb/',
      'https://wallet.example/cb?x=1',
      'https://wallet.example:443/cb',
      'https://WALLET.example/cb',
      'https://wallet.example/CB',
      'https://wallet.example.evil/cb',
      'com.example.wallet:/cb/..',
      'http://127.0.0.1:5000/other',
      'http://127.0.0.1:5000@evil.example/cb',
      'http://127.0.0.1:5000cb',
      'http://[::1]:5000/cb',
      'https://127.0.0.1/cb',
      '',
    ])
      assert.ok(!isTaken(wrong), wrong);
    assert.ok(isRegisteredRedirect(['http://[::1]:80/cb'], 'http://[::1]:81/cb'));
  });

  test('carry the answer behind what they have already', () => {
    const answer = { code: 'a b', state: undefined, iss: 'https://i.example/x' };
    const query = 'code=a+b&iss=https%3A%2F%2Fi.example%2Fx';
    assert.equal(answerAddress('https://w.example', answer), `https://w.example?${query}`);
    assert.equal(answerAddress('https://w.example/cb?t=1', answer), `https://w.example/cb?t=1&${query}`);
    assert.equal(answerAddress('https://w.example/cb?', answer), `https://w.example/cb?${query}`);
    assert.equal(answerAddress('com.example.w:/cb', answer), `com.example.w:/cb?${query}`);
  });
});
