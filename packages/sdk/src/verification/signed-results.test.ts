import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import { SdkError } from '../errors/errors.ts';
import { openSignedResult, resultSignatureProblem } from './signed-results.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const { x } = publicKey.export({ format: 'jwk' });
const keys = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k1', x }] };
const timestamp = '2030-01-01T00:00:00Z';
const presentationId = 'pres_1';
const request = { requirements: { credentials: [{ id: 'q' }] }, stateId: 's1' };
const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
const opened = { presentationId, verified: true, status: 'VERIFIED', verifiedClaims: { degree: 'BSc' } };
const result = { ...opened, requestHash };
const expected = { keys, presentationId, request };
const text = JSON.stringify(result);
const goodHeader = { alg: 'EdDSA', kid: 'k1', b64: false, crit: ['b64'] };

function jws(header: object = goodHeader, signedText = text): string {
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  const bytes = Buffer.from(`${head}.${timestamp}.${signedText}`);
  return `${head}..${sign(null, bytes, privateKey).toString('base64url')}`;
}
const openText = (signedText: string, signature = jws(goodHeader, signedText)) =>
  openSignedResult({ text: signedText, timestamp, signature }, expected);
const notSigned = (error: unknown) =>
  error instanceof SdkError && error.code === 'resultNotSigned' && error.hint !== '';

describe('a signed result', () => {
  test('opens over exactly this time and text, for this session', async () => {
    assert.deepEqual(await openText(text), { ...opened, credentials: [] });
    const credential = {
      queryId: 'q',
      id: 'did:zid:01',
      issuer: { id: 'did:zid:02', name: 'University', nameSource: 'trustList' },
      issuerTrust: 'trusted',
      holder: 'did:zid:03',
      template: { id: 'did:zid:04', name: 'Degree', version: '1' },
      validFrom: timestamp,
      validUntil: timestamp,
      status: { state: 'active', ledgerSeq: '7', since: timestamp },
      revealed: { degree: 'BSc' },
      ranges: [{ attribute: 'birthDate', max: '2008-01-01', age: { minAge: 18 }, text: '18 or older' }],
    };
    const whole = { ...result, credentials: [credential] };
    assert.deepEqual(await openText(JSON.stringify(whole)), { ...opened, credentials: [credential] });
    await assert.rejects(openText(JSON.stringify({ ...result, credentials: [{ id: 'x' }] })), notSigned);
    const signature = jws();
    for (const changed of [
      { text: text.replace('BSc', 'MSc'), timestamp, signature },
      { text, timestamp: '2030-01-01T00:00:01Z', signature },
      { text, timestamp, signature: `${signature.slice(0, -4)}AAAA` },
    ]) {
      assert.match((await resultSignatureProblem(changed, keys)) ?? '', /does not fit/);
      await assert.rejects(openSignedResult(changed, expected), notSigned);
    }
    await assert.rejects(
      openSignedResult({ text, timestamp, signature }, { ...expected, presentationId: 'pres_2' }),
      notSigned,
    );
  });

  test('answers this request and no other, though it is of the session that is named', async () => {
    const signed = { text, timestamp, signature: jws() };
    const others = [
      { ...request, stateId: 's2' },
      { requirements: { credentials: [{ id: 'other' }] }, stateId: 's1' },
      {},
    ];
    for (const other of others)
      await assert.rejects(openSignedResult(signed, { ...expected, request: other }), notSigned);
    await assert.rejects(openText(JSON.stringify(opened)), notSigned);
  });

  test('is verified only if it says so twice', async () => {
    const failed = JSON.stringify({ ...result, verified: false, status: 'FAILED' });
    assert.equal((await openText(failed)).verified, false);
    const torn = JSON.stringify({ ...result, status: 'FAILED' });
    assert.equal((await openText(torn)).verified, false);
    for (const none of ['', 'true', '[]', '{}', JSON.stringify({ ...result, verified: 'true' })])
      await assert.rejects(openText(none), notSigned, none);
  });

  test('is of one kind and by a key that is shown', async () => {
    const problemOf = async (signature: string, shown: typeof keys = keys) =>
      (await resultSignatureProblem({ text, timestamp, signature }, shown)) ?? 'good';
    for (const bad of ['', 'x', 'a.b.c', 'a..b', '..', `${jws()}.`])
      assert.match(await problemOf(bad), /not a detached JWS/, bad);
    const others = [
      { alg: 'none' },
      { alg: 'HS256' },
      { b64: true },
      { crit: ['b64', 'x'] },
      { crit: 'b64' },
    ];
    for (const header of others)
      assert.match(await problemOf(jws({ ...goodHeader, ...header })), /another kind/);
    assert.match(await problemOf(jws({ ...goodHeader, kid: 'k2' })), /does not show/);
    assert.match(await problemOf(jws(), { keys: [] }), /does not show/);
    const short = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k1', x: 'AA' }] };
    assert.match(await problemOf(jws(), short), /does not show/);
  });
});
