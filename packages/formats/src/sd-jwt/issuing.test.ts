import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeBase64Url } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { makeKey } from '../jose/testing/node-keys.ts';
import { makeWebSigner, webVerifySignature } from '../jose/web-signatures.ts';
import { sdJwtLimits } from '../limits/format-limits.ts';
import { issueSdJwts, type SdJwtContents, startOfDay } from './issuing.ts';
import { presentSdJwt, readHeldSdJwt } from './presenting.ts';
import {
  binding,
  contents,
  decodePart,
  facts,
  holderKey,
  issueOne,
  now,
  present,
  sha256,
  status,
  template,
  tools,
  values,
} from './testing/sample-sd-jwts.ts';
import { verifySdJwt } from './verifying.ts';

const payloadOf = (text: string) => decodePart(text.split('.')[1]);
const refuses = (changes: Partial<SdJwtContents>, words: RegExp) =>
  assert.rejects(issueOne(changes), (error) => error instanceof Fault && words.test(error.message));

describe('issuing', () => {
  test('everything of the template is a disclosure; open are the claims that verifiers need', async () => {
    const text = await issueOne({ vctIntegrity: 'sha256-abc' });
    const { _sd, ...open } = payloadOf(text);
    const day = Date.parse('2026-11-19T00:00:00Z') / 1_000;
    assert.deepEqual(open, {
      iss: contents.issuer,
      vct: contents.vct,
      'vct#integrity': 'sha256-abc',
      iat: day,
      nbf: day,
      exp: day + 365 * 86_400,
      cnf: { jwk: holderKey.publicKey },
      status: { status_list: { idx: 7, uri: status.uri } },
      _sd_alg: 'sha-256',
    });
    assert.deepEqual(decodePart(text.split('.')[0]), { alg: 'ES256', typ: 'dc+sd-jwt', kid: 'key-1' });
    assert.deepEqual(_sd, [...(_sd as string[])].sort());
    const { claims } = readHeldSdJwt(text, sha256).unpacked;
    for (const [name, value] of Object.entries(values)) assert.equal(claims[name], value);
  });

  test('an attribute that is left out does not show in the number of digests', async () => {
    const text = await issueOne({ values: { fullName: 'Ada' } });
    assert.equal((payloadOf(text)._sd as string[]).length, template.attributes.length);
    assert.equal(text.split('~').length - 2, 1);
  });

  test('a batch has nothing in common but what all credentials of the template have', async () => {
    const instances = Array.from({ length: 20 }, (_, index) => ({
      holderKey: makeKey().publicKey,
      status: { ...status, idx: 1_000 - index * 37 },
    }));
    const texts = await issueSdJwts(contents, instances, tools);
    const parts = texts.flatMap((text) => text.split('~').slice(1, -1));
    assert.equal(new Set(parts).size, parts.length, 'disclosures');
    const digests = texts.flatMap((text) => payloadOf(text)._sd as string[]);
    assert.equal(new Set(digests).size, digests.length, 'digests');
    const later = await issueOne({ issuedAt: now + 3_600_000, validFrom: now + 3_600_000 });
    const times = [...texts, later].map(payloadOf).map(({ iat, nbf, exp }) => [iat, nbf, exp].join());
    assert.equal(new Set(times).size, 1, 'times');
  });

  test('a batch with one key or one status for two is refused, and one without or with too many', async () => {
    const [one, two] = [makeKey().publicKey, makeKey().publicKey];
    const issue = (instances: Parameters<typeof issueSdJwts>[1]) =>
      assert.rejects(issueSdJwts(contents, instances, tools), Fault);
    await issue([{ holderKey: one }, { holderKey: { ...one, kid: 'other' } }]);
    await issue([
      { holderKey: one, status },
      { holderKey: two, status },
    ]);
    await issue([]);
    await issue(Array.from({ length: sdJwtLimits.batchMax + 1 }, () => ({ holderKey: one })));
  });

  test('keys that are none, and private ones', async () => {
    for (const key of [
      undefined,
      {},
      { ...holderKey.publicKey, d: 'AA' },
      { kty: 'RSA', n: 'AA', e: 'AQAB' },
    ])
      await assert.rejects(issueSdJwts(contents, [{ holderKey: key }], tools), Fault);
  });

  test('attributes that are claims of their own, values that are no attributes', async () => {
    for (const key of ['iss', 'sub', 'status', 'exp', 'vct', 'cnf', 'nonce'])
      await refuses(
        { template: { attributes: [{ ...template.attributes[0], key }] }, values: {} },
        new RegExp(key),
      );
    await refuses({ values: { ...values, nickname: 'A' } }, /nickname/);
  });

  test('a validity of less than a day, or backwards', async () => {
    await refuses({ validUntil: now + 60_000 }, /a day/);
    await refuses({ validUntil: now - 86_400_000 }, /a day/);
    await refuses({ validUntil: Number.NaN }, /a day/);
    assert.equal(startOfDay(-1), -86_400);
  });
});

describe('presenting', () => {
  test('shows nothing that was not chosen', async () => {
    const whole = await issueOne();
    const text = await present(whole, ['children']);
    const shown = text.split('~').slice(1, -1);
    assert.deepEqual(
      shown.map((one) => JSON.parse(Buffer.from(one, 'base64url').toString()).slice(1) as unknown),
      [['children', 3]],
    );
    assert.equal((await present(whole, [])).split('~').length, 2);
  });

  test('paths that lead nowhere or are none', async () => {
    const whole = await issueOne();
    for (const path of [['nothing'], [], [null], [-1], [1.5], ['fullName', 'more'], Array(30).fill('a')])
      await assert.rejects(presentSdJwt(whole, { paths: [path] }, sha256), Fault, JSON.stringify(path));
  });

  test('what is not a credential', async () => {
    for (const text of ['', 'a.b.c', `${await issueOne()}${'AAAA'}~`])
      await assert.rejects(presentSdJwt(text, { paths: [] }, sha256), Fault);
  });

  test('with keys of the browser, agreement included', async () => {
    const [issuer, holder] = [await makeWebSigner('ES256'), await makeWebSigner('EdDSA')];
    const [whole] = await issueSdJwts(contents, [{ holderKey: holder.publicKey }], {
      ...tools,
      signer: issuer.signer,
    });
    const transactionData = [encodeBase64Url(Buffer.from('{"type":"payment"}'))];
    const keyBinding = { signer: holder.signer, now, transactionData, ...binding };
    const text = await presentSdJwt(whole, { paths: [['grade']], keyBinding }, sha256);
    const verdict = await verifySdJwt(text, {
      ...facts,
      verifySignature: webVerifySignature,
      binding: { ...binding, transactionData },
      findIssuerKeys: async () => ({ keys: [issuer.publicKey], foundBy: 'given' }),
    });
    assert.ok(verdict.verified, JSON.stringify(verdict.checks));
  });
});
