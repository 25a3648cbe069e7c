import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeBase64Url, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { makeKey } from '../jose/testing/node-keys.ts';
import { sdJwtLimits } from '../limits/format-limits.ts';
import type { SdJwtCheck } from './check-words.ts';
import {
  bind,
  binding,
  craft,
  facts,
  holderKey,
  issueOne,
  issuerKey,
  now,
  present,
  status,
} from './testing/sample-sd-jwts.ts';
import { type SdJwtFacts, type SdJwtVerdict, verifySdJwt } from './verifying.ts';

const seconds = Math.floor(now / 1_000);
const failed = ({ checks }: SdJwtVerdict): SdJwtCheck[] =>
  checks.filter(({ passed }) => passed === false).map(({ name }) => name);

/** One wrong thing, and the one check that finds it. */
async function finds(check: SdJwtCheck, text: string, changes: Partial<SdJwtFacts> = {}, words?: RegExp) {
  const verdict = await verifySdJwt(text, { ...facts, ...changes });
  assert.deepEqual(failed(verdict), [check]);
  assert.equal(verdict.verified, false);
  assert.equal(verdict.credential, undefined, 'nothing is shown of what fails');
  if (words) assert.match(verdict.checks.find(({ name }) => name === check)?.words ?? '', words);
}

describe('an SD-JWT VC that is right', () => {
  test('verifies, shows what was chosen and the open claims', async () => {
    const verdict = await verifySdJwt(await present(await issueOne(), ['fullName', 'grade']), facts);
    assert.deepEqual(failed(verdict), []);
    assert.ok(verdict.verified && verdict.credential);
    const { claims, disclosed } = verdict.credential;
    assert.deepEqual(disclosed.map(([name]) => name).sort(), ['fullName', 'grade']);
    assert.deepEqual(Object.keys(claims).sort(), [
      ...['cnf', 'exp', 'fullName', 'grade', 'iat', 'iss', 'nbf', 'status', 'vct'],
    ]);
    assert.equal(claims.grade, '1.5');
    assert.deepEqual(claims.status, { status_list: status });
  });

  test('made by hand verifies too, so that a test’s one wrong thing is the only one', async () => {
    const verdict = await verifySdJwt(await bind(await craft({})), facts);
    assert.deepEqual(failed(verdict), []);
    assert.ok(verdict.verified);
  });

  test('signed by Ed25519 under its old and its new name', async () => {
    for (const alg of ['EdDSA', 'Ed25519'] as const) {
      const key = makeKey(alg);
      const text = await bind(await craft({ signer: key.signer }));
      const findIssuerKeys: SdJwtFacts['findIssuerKeys'] = async () => ({
        keys: [issuerKey.publicKey, key.publicKey],
        foundBy: 'given',
      });
      assert.ok((await verifySdJwt(text, { ...facts, findIssuerKeys })).verified, alg);
    }
  });

  test('nested disclosures: a claim in a disclosed object, elements of an array', async () => {
    const { encode, digest } = helpers();
    const street = encode(['s1', 'street', 'Main']);
    const address = encode(['s2', 'address', { _sd: [digest(street)], city: 'Bern' }]);
    const german = encode(['s3', 'DE']);
    const text = await craft({
      payload: {
        _sd: [digest(address)],
        nationalities: ['CH', { '...': digest(german) }, { '...': 'unknown' }],
      },
      disclosed: [],
      shown: () => [address, street, german],
    });
    const { credential } = await verifySdJwt(await bind(text), facts);
    assert.deepEqual(credential?.claims.address, { city: 'Bern', street: 'Main' });
    assert.deepEqual(credential?.claims.nationalities, ['CH', 'DE']);
    assert.deepEqual(credential?.disclosed, [['nationalities', 1], ['address'], ['address', 'street']]);
  });
});

function helpers() {
  const encode = (parts: unknown): string => encodeBase64Url(encodeUtf8(JSON.stringify(parts)));
  const digest = (text: string): string => encodeBase64Url(facts.sha256(encodeUtf8(text)));
  return { encode, digest };
}

describe('form', () => {
  const form = async (text: string, words: RegExp) => finds('form', text, {}, words);
  test('no tilde; another type; an algorithm that is not offered', async () => {
    const text = await craft({});
    await form(text.split('~')[0], /no tilde/);
    await form(await craft({ typ: 'vc+sd-jwt' }), /not of type/);
    await form(await craft({ typ: 'JWT' }), /not of type/);
    await finds('form', await bind(await craft({ signer: makeKey('EdDSA').signer })), {
      issuerAlgorithms: ['ES256'],
    });
  });

  const replaceHeader = async (header: string): Promise<string> => {
    const [token, ...rest] = (await craft({})).split('~');
    const [, body, end] = token.split('.');
    return [[encodeBase64Url(encodeUtf8(header)), body, end].join('.'), ...rest].join('~');
  };
  test('alg none and HS256, critical extensions, unencoded payloads', async () => {
    for (const alg of ['none', 'HS256', 'RS256', 'es256', ''])
      await form(await replaceHeader(JSON.stringify({ alg, typ: 'dc+sd-jwt' })), /not signed by/);
    for (const more of [{ crit: ['exp'] }, { crit: [] }, { b64: false }])
      await form(
        await replaceHeader(JSON.stringify({ alg: 'ES256', typ: 'dc+sd-jwt', ...more })),
        /critical/,
      );
  });
  test('members that are there twice, in header, payload and disclosures', async () => {
    await form(await replaceHeader('{"alg":"none","typ":"dc+sd-jwt","alg":"ES256"}'), /header/);
    await form(await replaceHeader('{"alg":"ES256","typ":"dc+sd-jwt","\\u0061lg":"ES256"}'), /header/);
    const twice = encodeBase64Url(encodeUtf8('["salt","address",{"a":1,"a":2}]'));
    await form(`${(await craft({})).split('~')[0]}~${twice}~`, /disclosure/);
  });
  test('base64url in another spelling than the one', async () => {
    const text = await craft({});
    const [token, disclosure] = text.split('~');
    const [head, body, end] = token.split('.');
    for (const part of [`${disclosure}=`, `${disclosure} `, `${disclosure.slice(0, -1)}-+`])
      await form(`${token}~${part}~`, /disclosure/);
    const lastOf = (part: string): string => {
      // The last of 86 letters has four bits that no byte has.
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const at = letters.indexOf(part.at(-1) as string);
      return part.slice(0, -1) + letters[at ^ 1];
    };
    await form([[head, body, lastOf(end)].join('.'), disclosure, ''].join('~'), /signature of 64/);
    await form([`${head}.${body}.${end}.`, disclosure, ''].join('~'), /three parts/);
    await form([`${head}.${body}.${end.slice(4)}`, disclosure, ''].join('~'), /signature of 64/);
  });
  test('disclosures that are none', async () => {
    const { encode } = helpers();
    const token = (await craft({})).split('~')[0];
    const bad: unknown[] = [[], ['salt'], ['s', 'n', 1, 2], [1, 'n', 1], ['s', 1, 1], {}, 'text', null];
    for (const one of [
      ...bad,
      ['s', '_sd', []],
      ['s', '...', 1],
      ['s', '_sd_alg', 'sha-256'],
      ['s', '__proto__', 1],
    ])
      await form(`${token}~${encode(one)}~`, /disclosure/);
    await form(`${token}~${encodeBase64Url(Uint8Array.of(0x5b, 0xff, 0x5d))}~`, /disclosure/);
  });
  test('too deep, too long, too many', async () => {
    const deep = JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown;
    await form(await craft({ payload: { deep } }), /payload/);
    await form(await craft({ payload: { wide: Array.from({ length: 11_000 }, () => 1) } }), /payload/);
    await form(`${await craft({})}${'~'.repeat(sdJwtLimits.disclosuresMax + 2)}`, /too many|malformed/);
    await form('a'.repeat(sdJwtLimits.textCharsMax + 1), /too long/);
  });
  test('texts of all sorts never end in an error', async () => {
    for (const text of ['', '~', '~~', '..~', 'a.b.c~', `${'.'.repeat(1_000)}~`, '\u{1f600}~', 'null'])
      assert.equal((await verifySdJwt(text, facts)).verified, false);
  });
});

describe('disclosures', () => {
  test('one that belongs to no digest, one that is there twice', async () => {
    await finds('disclosures', await bind(await craft({ digests: () => [] })), {}, /no digest/);
    await finds('disclosures', await bind(await craft({ shown: ([one]) => [one, one] })), {}, /twice/);
  });
  test('a digest that is there twice, also in two places', async () => {
    await finds(
      'disclosures',
      await bind(await craft({ digests: ([one]) => [one, one] })),
      {},
      /digest is there twice/,
    );
    const decoy = 'A'.repeat(43);
    const text = await craft({
      payload: { list: [{ '...': decoy }] },
      digests: (all) => [...all, decoy],
    });
    await finds('disclosures', await bind(text), {}, /digest is there twice/);
  });
  test('one that overwrites a claim, open or disclosed', async () => {
    await finds('disclosures', await bind(await craft({ payload: { fullName: 'Eve' } })), {}, /overwrites/);
    const both = [
      ['salt1', 'fullName', 'Ada'],
      ['salt2', 'fullName', 'Eve'],
    ];
    await finds('disclosures', await bind(await craft({ disclosed: both })), {}, /overwrites/);
  });
  test('digests of another algorithm, of no algorithm, and that are no array of texts', async () => {
    await finds('disclosures', await bind(await craft({ payload: { _sd_alg: 'sha-512' } })), {}, /sha-256/);
    await finds('disclosures', await bind(await craft({ payload: { _sd_alg: null } })), {}, /sha-256/);
    for (const _sd of ['text', [1], {}])
      await finds(
        'disclosures',
        await bind(await craft({ payload: { _sd }, disclosed: [] })),
        {},
        /no array/,
      );
  });
  test('elements in place of claims and the other way round', async () => {
    const { encode, digest } = helpers();
    const element = encode(['salt', 'DE']);
    const claim = encode(['salt', 'name', 'Ada']);
    const cases = [
      craft({ payload: { _sd: [digest(element)] }, disclosed: [], shown: () => [element] }),
      craft({ payload: { list: [{ '...': digest(claim) }] }, disclosed: [], shown: () => [claim] }),
      craft({ payload: { list: [{ '...': digest(element), more: 1 }] }, disclosed: [], shown: () => [] }),
      craft({ payload: { object: { '...': 'digest' } }, disclosed: [] }),
      craft({ payload: { object: { _sd_alg: 'sha-256' } }, disclosed: [] }),
    ];
    for (const text of await Promise.all(cases)) await finds('disclosures', await bind(text));
  });
  test('more digests than anybody needs', async () => {
    const many = Array.from({ length: sdJwtLimits.digestsMax + 1 }, (_, index) => String(index));
    await finds(
      'disclosures',
      await bind(await craft({ payload: { _sd: many }, disclosed: [] })),
      {},
      /too many/,
    );
  });
});

describe('open claims', () => {
  for (const [name, value] of Object.entries({
    iss: 'https://eve.example',
    nbf: 1,
    exp: 9e9,
    cnf: { jwk: holderKey.publicKey },
    vct: facts.vctValues?.[0],
    'vct#integrity': 'sha256-',
    status: {},
  }))
    test(`${name} is disclosed`, async () => {
      const payload: Record<string, unknown> = { [name]: undefined };
      const text = await craft({ payload, disclosed: [['salt', name, value]] });
      const verdict = await verifySdJwt(await bind(text), facts);
      assert.ok(failed(verdict).includes('openClaims'));
      assert.equal(verdict.verified, false);
    });
  test('part of one is disclosed', async () => {
    const { encode, digest } = helpers();
    const jwk = encode(['salt', 'jwk', holderKey.publicKey]);
    const text = await craft({ payload: { cnf: { _sd: [digest(jwk)] } }, disclosed: [], shown: () => [jwk] });
    await finds('openClaims', await bind(text), {}, /cnf is disclosed/);
  });
  test('vct is missing, iss is no text', async () => {
    const { vctValues: _any, ...more } = facts;
    const verdict = await verifySdJwt(await bind(await craft({ payload: { vct: undefined } })), more);
    assert.deepEqual(failed(verdict), ['openClaims']);
    await finds('openClaims', await bind(await craft({ payload: { iss: 5 } })), {}, /iss/);
  });
});

test('another type than was asked for', async () => {
  await finds('credentialType', await bind(await craft({})), { vctValues: ['urn:eudi:pid:1'] });
  await finds('credentialType', await bind(await craft({})), { vctValues: [] });
});

describe('validity', () => {
  const at = async (payload: object) =>
    finds('validity', await bind(await craft({ payload: { ...payload } })));
  test('expired', async () => {
    await at({ exp: seconds });
    await at({ exp: seconds - 1 });
  });
  test('not valid yet, issued in the future', async () => {
    await at({ nbf: seconds + sdJwtLimits.clockSkewSeconds + 1 });
    await at({ iat: seconds + 31_536_000 });
  });
  test('times that are no numbers', async () => {
    await at({ exp: '9999999999' });
    await at({ nbf: null });
  });
});

describe('the key of the holder', () => {
  const cnf = async (value: unknown) => {
    const verdict = await verifySdJwt(await bind(await craft({ payload: { cnf: value } })), facts);
    assert.deepEqual(failed(verdict), ['holderKey', 'holderSignature']);
  };
  test('none, another kind, with a private member, not on the list of curves', async () => {
    const { publicKey } = holderKey;
    for (const value of [
      undefined,
      {},
      'text',
      { kid: 'did:key:z6' },
      { jwk: {} },
      { jwk: { ...publicKey, d: 'AA' } },
    ])
      await cnf(value);
    await cnf({ jwk: { kty: 'oct', k: 'AA' } });
    await cnf({ jwk: { ...publicKey, crv: 'P-384' } });
    await cnf({ jwk: { ...publicKey, x: `${publicKey.x}=` } });
    await cnf({ jwk: { ...publicKey, use: 'enc' } });
    await cnf({ jwk: { ...publicKey, alg: 'EdDSA' } });
  });
  test('members beside the bare ones do no harm', async () => {
    const jwk = { ...holderKey.publicKey, kid: 'x', use: 'sig', alg: 'ES256', key_ops: ['verify'] };
    assert.ok((await verifySdJwt(await bind(await craft({ payload: { cnf: { jwk } } })), facts)).verified);
  });
});

describe('the holder’s token', () => {
  const bound = async (check: SdJwtCheck, changes: object, more: Partial<SdJwtFacts> = {}) =>
    finds(check, await bind(await craft({}), { ...changes }), more);
  test('missing, not asked for, by another key, of another type, changed', async () => {
    await finds('holderSignature', await craft({}), {}, /not signed/);
    const { binding: _none, ...unasked } = facts;
    const verdict = await verifySdJwt(await bind(await craft({})), unasked);
    assert.deepEqual(failed(verdict), ['holderSignature']);
    const stranger = makeKey();
    await finds(
      'holderSignature',
      await bind(await craft({}), {}, { signer: stranger.signer }),
      {},
      /invalid/i,
    );
    await finds('holderSignature', await bind(await craft({}), {}, { typ: 'JWT' }), {}, /kb\+jwt/);
    await finds('holderSignature', `${await craft({})}x.y.z`, {}, /token of the holder/);
    await finds('holderSignature', await bind(await craft({})), { holderAlgorithms: ['EdDSA'] });
  });
  test('a nonce of another occasion, or none', async () => {
    await bound('challenge', { nonce: 'other' });
    await bound('challenge', { nonce: undefined });
    await bound('challenge', { nonce: [binding.nonce] });
  });
  test('for another verifier: another client id, one without prefix, a list, none', async () => {
    for (const aud of ['x509_san_dns:other.example', 'verifier.example', [binding.audience], undefined])
      await bound('audience', { aud });
  });
  test('made a year ago, in a year, just outside the time, never', async () => {
    const within = sdJwtLimits.presentedWithinSeconds;
    for (const iat of [
      seconds - 31_536_000,
      seconds + 31_536_000,
      seconds - within - 1,
      seconds + within + 2,
    ])
      await bound('freshness', { iat });
    await bound('freshness', { iat: undefined });
    await bound('freshness', { iat: String(seconds) });
    for (const iat of [seconds - within + 1, seconds + within - 1])
      assert.ok((await verifySdJwt(await bind(await craft({}), { iat }), facts)).verified);
  });
  test('over something else than what is shown', async () => {
    await bound('shownClaims', { sd_hash: 'A'.repeat(43) });
    await bound('shownClaims', { sd_hash: undefined });
    const whole = await present(await issueOne(), ['fullName', 'grade']);
    const [token, , second, end] = whole.split('~');
    await finds('shownClaims', [token, second, end].join('~'));
  });
  test('what was to be agreed to: nothing, something else, in another order, unasked', async () => {
    const asked = ['dHJhbnNmZXI', 'cGF5bWVudA'];
    const { digest } = helpers();
    const more = { binding: { ...binding, transactionData: asked } };
    const hashes = asked.map(digest);
    await bound('transactionData', {}, more);
    await bound('transactionData', { transaction_data_hashes: [...hashes].reverse() }, more);
    await bound('transactionData', { transaction_data_hashes: hashes.slice(1) }, more);
    const other = { transaction_data_hashes: hashes, transaction_data_hashes_alg: 'sha-512' };
    await bound('transactionData', other, more);
    await bound('transactionData', { transaction_data_hashes: hashes });
    const text = await bind(await craft({}), { transaction_data_hashes: hashes });
    assert.ok((await verifySdJwt(text, { ...facts, ...more })).verified);
  });
});

describe('the issuer', () => {
  test('whose key is not known, or another', async () => {
    const text = await bind(await craft({}));
    await finds('issuerKey', text, { findIssuerKeys: async () => ({ complaint: 'unknown' }) });
    const findIssuerKeys: SdJwtFacts['findIssuerKeys'] = async () => ({
      keys: [makeKey().publicKey, makeKey('EdDSA').publicKey],
      foundBy: 'given',
    });
    await finds('issuerSignature', text, { findIssuerKeys });
  });
  test('whose token was changed', async () => {
    const text = await craft({});
    const [token, ...rest] = text.split('~');
    const [head, body, end] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const changed = encodeBase64Url(encodeUtf8(JSON.stringify({ ...claims, admin: true })));
    await finds('issuerSignature', await bind([[head, changed, end].join('.'), ...rest].join('~')));
  });
  test('is asked for only when everything before has passed', async () => {
    const findIssuerKeys = () => assert.fail('a key was looked for');
    const checkStatus = () => assert.fail('a list was asked');
    await verifySdJwt(await bind(await craft({}), { nonce: 'other' }), {
      ...facts,
      findIssuerKeys,
      checkStatus,
    });
    await verifySdJwt(await bind(await craft({ payload: { status: {} } })), {
      ...facts,
      checkStatus,
      findIssuerKeys: async () => ({ keys: [makeKey().publicKey], foundBy: 'given' }),
    });
  });
});

test('a status that is not valid', async () => {
  const text = await bind(await craft({ payload: { status: { status_list: status } } }));
  await finds('status', text, { checkStatus: async () => ['the credential is revoked'] }, /revoked/);
});
