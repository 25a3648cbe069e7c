/** Ours beside the library of the field, both ways: what one makes the other reads. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { SDJwtInstance } from '@sd-jwt/core';
import { parseExactBase64Url } from '@symbolon/core/basics/bytes';
import { nodeVerifySignature } from '../jose/testing/node-keys.ts';
import {
  binding,
  facts,
  holderKey,
  issueOne,
  issuerKey,
  issuerUrl,
  now,
  present,
  values,
  vct,
} from './testing/sample-sd-jwts.ts';
import { verifySdJwt } from './verifying.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const signBy =
  ({ signer }: typeof issuerKey) =>
  async (text: string) =>
    Buffer.from(await signer.sign(bytes(text))).toString('base64url');
const verifyBy =
  ({ publicKey }: typeof issuerKey) =>
  async (text: string, signature: string) =>
    nodeVerifySignature({
      alg: 'ES256',
      key: publicKey,
      data: bytes(text),
      signature: parseExactBase64Url(signature) ?? new Uint8Array(),
    });

const library = new SDJwtInstance({
  signer: signBy(issuerKey),
  signAlg: 'ES256',
  verifier: verifyBy(issuerKey),
  kbSigner: signBy(holderKey),
  kbSignAlg: 'ES256',
  kbVerifier: verifyBy(holderKey),
  hasher: (data) =>
    createHash('sha256')
      .update(typeof data === 'string' ? data : new Uint8Array(data))
      .digest(),
  hashAlg: 'sha-256',
  saltGenerator: (length: number) => randomBytes(length).toString('base64url'),
});

test('the library reads and verifies ours', async () => {
  const text = await present(await issueOne(), ['fullName', 'birthDate']);
  const { payload } = await library.verify(text, {
    keyBindingNonce: binding.nonce,
    currentDate: Math.floor(now / 1_000),
  });
  const { fullName, birthDate, grade } = payload as typeof values;
  assert.deepEqual([fullName, birthDate, grade], [values.fullName, values.birthDate, undefined]);
});

test('ours reads and verifies the library’s', async () => {
  const seconds = Math.floor(now / 1_000);
  const claims = { iss: issuerUrl, vct, iat: seconds, cnf: { jwk: holderKey.publicKey }, ...values };
  const frame = { _sd: ['fullName', 'grade', 'children'] as (keyof typeof values)[] };
  const issued = await library.issue(claims, frame, { header: { typ: 'dc+sd-jwt' } });
  const text = await library.present<Record<string, unknown>>(
    issued,
    { grade: true },
    { kb: { payload: { iat: seconds, nonce: binding.nonce, aud: binding.audience } } },
  );
  const { verified, credential, checks } = await verifySdJwt(text, facts);
  assert.ok(verified, JSON.stringify(checks));
  assert.deepEqual(credential?.disclosed, [['grade']]);
  assert.equal(credential?.claims.birthDate, values.birthDate);
});
