import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeOfferLink } from '@symbolon/wire/offers/offer-link';
import { offerBehind, readWalletLink } from './wallet-link.ts';

const origins = ['https://service.example', 'http://127.0.0.1:8080'];
const read = (text: string) => readWalletLink(text, origins);
const id = 'pres_1700000000000_abcdef';

test('every way a request is written leads to its id', () => {
  for (const text of [
    id,
    ` ${id}\n`,
    `https://service.example/v1/presentation/${id}`,
    `https://service.example/api/v1/presentation/${id}`,
    `http://127.0.0.1:8080/wallet/requests/${id}`,
    `zetrix://?request_uri=https://service.example/v1/presentation/${id}`,
    `zetrix://?request_uri=${encodeURIComponent(`https://service.example/v1/presentation/${id}`)}`,
  ])
    assert.deepEqual(read(text), { kind: 'request', id }, text);
});

test('a link of another service is named and not followed', () => {
  assert.deepEqual(read(`https://elsewhere.example/v1/presentation/${id}`), {
    kind: 'elsewhere',
    origin: 'https://elsewhere.example',
  });
});

const offerOf = (service: string) =>
  writeOfferLink({ service, templateIds: ['did:zid:aa'], code: 'a-code-of-an-offer' });

test('an offer of this service is an offer, also behind the # of a page', () => {
  const link = offerOf('https://service.example');
  const page = `https://service.example/wallet/apply#offer=${encodeURIComponent(link)}`;
  for (const text of [link, ` ${link}\n`, page]) assert.deepEqual(read(text), { kind: 'offer', link }, text);
});

test('an offer of another service is named, and its code goes nowhere', () => {
  const elsewhere = { kind: 'elsewhere', origin: 'https://elsewhere.example' };
  assert.deepEqual(read(offerOf('https://elsewhere.example')), elsewhere);
  const page = `https://service.example/wallet/apply#offer=${encodeURIComponent(offerOf('https://elsewhere.example'))}`;
  assert.deepEqual(read(page), elsewhere);
});

test('anything else is nothing, also what would run', () => {
  for (const text of [
    '',
    'hello',
    '{',
    '{"credential_issuer":"https://service.example"}',
    'openid-credential-offer://?credential_offer=%7B%7D',
    'openid-credential-offer://?credential_offer_uri=https://service.example/offer',
    'https://service.example/wallet/apply#offer=hello',
    'javascript:alert(1)',
    'zetrix://?request_uri=javascript:alert(1)',
    `ftp://service.example/v1/presentation/${id}`,
    'https://service.example/v1/presentation/../x',
    'x'.repeat(9_000),
  ])
    assert.deepEqual(read(text), { kind: 'nothing' }, text.slice(0, 40));
});

test('what stands behind the # is an offer only where it says so, be it empty or cut', () => {
  const link = offerOf('https://service.example');
  assert.equal(offerBehind(`#offer=${encodeURIComponent(link)}`), link);
  assert.equal(offerBehind('#offer='), '');
  assert.equal(offerBehind('#offer'), '');
  for (const hash of ['', '#', '#here', '#other=x']) assert.equal(offerBehind(hash), undefined, hash);
});
