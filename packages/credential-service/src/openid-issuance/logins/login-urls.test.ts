import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loginAddress, loginUrlProblem } from './login-urls.ts';

const [secured, demo] = ['https://service.example', 'http://127.0.0.1:8080'];

describe('pages where people log in', () => {
  test('are https, and http on this machine in a demo alone', () => {
    for (const good of ['https://issuer.example/login', 'https://issuer.example:8443/?a=1'])
      assert.equal(loginUrlProblem(good, secured), undefined, good);
    assert.equal(loginUrlProblem('http://127.0.0.1:9000/login', demo), undefined);
    const cases: readonly (readonly [url: string, publicUrl: string, word: RegExp])[] = [
      ['http://127.0.0.1:9000/login', secured, /https/],
      ['http://issuer.example/login', demo, /https/],
      ['javascript:alert(1)', demo, /https/],
      ['/login', demo, /https/],
      ['https://a:b@issuer.example/', secured, /password/],
      ['https://issuer.example/#x', secured, /fragment/],
      ['https://issuer.example/a\nb', secured, /white space/],
      ['https://issuer.example/?reference=1', secured, /reference/],
    ];
    for (const [url, publicUrl, word] of cases)
      assert.match(loginUrlProblem(url, publicUrl)?.complaint ?? 'good', word, url);
  });

  test('get the reference beside what is in their query', () => {
    assert.equal(loginAddress('https://i.example/l?a=1', 'r'), 'https://i.example/l?a=1&reference=r');
  });
});
