import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import type { SigningJwk } from '../jose/public-keys.ts';
import { webVerifySignature } from '../jose/web-signatures.ts';
import { oid4vciLimits } from '../limits/oid4vci-limits.ts';
import { holderKeyOf } from './holder-keys.ts';
import { checkKeyProofs, type ProofRule } from './key-proofs.ts';
import { didKeyOfP256, signedToken, testKey } from './testing/tokens.ts';

const now = 1_800_000_000;
const audience = 'https://issuer.example/oid4vci/aa';
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const rule: ProofRule = {
  audience,
  algorithms: ['ES256', 'EdDSA', 'Ed25519'],
  proofsMax: 3,
  nowSeconds: now,
  isNonce: (nonce) => nonce === 'ours',
  keyOf: async (kid) => holderKeyOf(kid, 'zid'),
  verify: webVerifySignature,
  sha256,
};

const holder = testKey('ec');
const other = testKey('ec');

interface Changes {
  readonly header?: object;
  readonly claims?: object;
  readonly key?: typeof holder;
}
const proof = ({ header = {}, claims = {}, key = holder }: Changes = {}): string =>
  signedToken(
    { typ: 'openid4vci-proof+jwt', alg: key.alg, jwk: key.jwk, ...header },
    { aud: audience, iat: now, nonce: 'ours', ...claims },
    key,
  );

const outcome = async (proofs: readonly string[], changes: Partial<ProofRule> = {}): Promise<string> => {
  const checked = await checkKeyProofs(proofs, { ...rule, ...changes });
  return 'error' in checked ? `${checked.error}: ${checked.complaint}` : `${checked.length} keys`;
};

describe('key proofs', () => {
  test('a good one names its key, of either curve, in any of the ways', async () => {
    const ed = testKey('ed25519');
    const didJwk = `did:jwk:${Buffer.from(JSON.stringify(holder.jwk)).toString('base64url')}`;
    const didKey = didKeyOfP256(holder.jwk);
    const raw = Buffer.from(ed.jwk.x as string, 'base64url').toString('hex');
    const ways: readonly Changes[] = [
      {},
      { key: ed },
      { key: { ...ed, alg: 'Ed25519' } },
      { header: { jwk: undefined, kid: `${didJwk}#0` } },
      { header: { jwk: undefined, kid: `${didKey}#${didKey.slice('did:key:'.length)}` } },
      { key: ed, header: { jwk: undefined, kid: `did:zid:${raw}#controllerKey` } },
      { claims: { iat: now - 300 } },
      { claims: { iat: now + 60 } },
      { header: { unknown: 1 }, claims: { unknown: 1 } },
    ];
    for (const way of ways) assert.equal(await outcome([proof(way)]), '1 keys', JSON.stringify(way));
    const [named] = (await checkKeyProofs([proof()], rule)) as readonly { key: SigningJwk }[];
    assert.deepEqual(Object.keys(named.key), ['crv', 'kty', 'x', 'y']);
  });

  test('a client says who it is, or nothing', async () => {
    assert.equal(await outcome([proof({ claims: { iss: 'wallet' } })], { clientId: 'wallet' }), '1 keys');
    assert.equal(await outcome([proof()], { clientId: 'wallet' }), '1 keys');
    const word = /iss of a proof is not who asked/;
    assert.match(await outcome([proof({ claims: { iss: 'wallet' } })]), word);
    assert.match(await outcome([proof({ claims: { iss: 'another' } })], { clientId: 'wallet' }), word);
  });

  test('each is refused for the one thing that is wrong', async () => {
    const certificate = { x5c: ['AA=='] };
    const kid = `${didKeyOfP256(holder.jwk)}#other`;
    const d = 'A'.repeat(43);
    const cases: readonly [Changes, RegExp][] = [
      [{ header: { typ: 'JWT' } }, /invalid_proof: .*type/],
      [{ header: { typ: undefined } }, /invalid_proof: .*type/],
      [{ header: { alg: 'none' } }, /invalid_proof: .*signed by/],
      [{ header: { alg: 'HS256' } }, /invalid_proof: .*signed by/],
      [{ header: { alg: 'EdDSA' } }, /not signed by the key/],
      [{ header: { crit: ['exp'] } }, /critical/],
      [{ header: { jwk: undefined } }, /exactly one/],
      [{ header: { kid } }, /exactly one/],
      [{ header: certificate }, /exactly one/],
      [{ header: { jwk: undefined, ...certificate } }, /certificate/],
      [{ header: { jwk: undefined, kid } }, /names no key/],
      [{ header: { jwk: undefined, kid: 'did:web:example.org#0' } }, /names no key/],
      [{ header: { jwk: undefined, kid: 5 } }, /no identifier/],
      [{ header: { jwk: { ...holder.jwk, d } } }, /private member/],
      [{ header: { jwk: { kty: 'oct', k: d } } }, /private member/],
      [{ header: { jwk: { ...holder.jwk, crv: 'P-384' } } }, /neither of P-256 nor Ed25519/],
      [{ header: { jwk: other.jwk } }, /not signed by the key/],
      [{ claims: { aud: undefined } }, /not for this issuer/],
      [{ claims: { aud: `${audience}/` } }, /not for this issuer/],
      [{ claims: { aud: [audience] } }, /not for this issuer/],
      [{ claims: { iat: undefined } }, /when it was made/],
      [{ claims: { iat: String(now) } }, /when it was made/],
      [{ claims: { iat: now - 301 } }, /too old/],
      [{ claims: { iat: now + 61 } }, /future/],
      [{ claims: { nonce: undefined } }, /invalid_proof: .*no nonce/],
      [{ claims: { nonce: 'theirs' } }, /^invalid_nonce/],
      [{ claims: { nonce: 5 } }, /^invalid_nonce/],
    ];
    for (const [change, word] of cases)
      assert.match(await outcome([proof(change)]), word, JSON.stringify(change));
  });

  test('an algorithm that is not listed, though it is good, is refused', async () => {
    assert.match(await outcome([proof()], { algorithms: ['EdDSA'] }), /signed by EdDSA/);
  });

  test('a changed text, and what is no token, are refused', async () => {
    const good = proof();
    const [head, body, end] = good.split('.');
    const spoiled = [
      '',
      'x',
      `${head}.${body}`,
      `${head}.${body}.`,
      `${good}.x`,
      `${head}.${body}.${'A'.repeat(86)}`,
      `${head}.${Buffer.from('[]').toString('base64url')}.${end}`,
      'a'.repeat(oid4vciLimits.proofCharsMax + 1),
    ];
    for (const text of spoiled) assert.match(await outcome([text]), /^invalid_proof/, text.slice(0, 40));
  });

  test('several are by keys of their own, and no more than may come', async () => {
    const keys = [holder, other, testKey('ed25519'), testKey('ec')];
    const proofs = keys.map((key) => proof({ key }));
    assert.equal(await outcome(proofs.slice(0, 3)), '3 keys');
    assert.match(await outcome(proofs), /more than 3/);
    assert.match(await outcome([]), /no proof/);
    assert.match(await outcome([proofs[0], proofs[1], proof()]), /same key/);
    // One key by two names is one key.
    const didJwk = `did:jwk:${Buffer.from(JSON.stringify(holder.jwk)).toString('base64url')}#0`;
    assert.match(await outcome([proofs[0], proof({ header: { jwk: undefined, kid: didJwk } })]), /same key/);
  });
});

describe('keys behind identifiers', () => {
  test('texts that name none', () => {
    const { publicKey } = generateKeyPairSync('x25519');
    assert.ok(publicKey);
    const texts = [
      '',
      'did:key:z6Mk',
      'did:key:zzzz#zzzz',
      'did:jwk:e30#0',
      'did:jwk:e30#1',
      `did:zid:${'0'.repeat(63)}#controllerKey`,
      `did:zid:${'0'.repeat(64)}#other`,
      `did:zid:${'0'.repeat(64)}`,
      'did:key:a:b#b',
      'urn:x#y',
      'did:key:z6Mk#z6Mk#z6Mk',
    ];
    for (const text of texts) assert.equal(holderKeyOf(text, 'zid'), undefined, text);
  });
});
