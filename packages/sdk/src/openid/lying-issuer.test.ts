/**
 * What an issuer that lies gets out of a wallet: nothing is kept, and nothing is sent that need not be. The issuer stands in
 * this process and issues as the rules of the format have it; each case is wrong in one thing. Real ones are in
 * `test/openid/sdk-wallet.test.ts`.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Template } from '@symbolon/core/documents/model';
import { makeSecretKey, publicHalf, signerOfSecretKey } from '@symbolon/formats/jose/web-signatures';
import { issuerMetadata } from '@symbolon/formats/sd-jwt/issuer-metadata';
import { issueSdJwts } from '@symbolon/formats/sd-jwt/issuing';
import { SdkError } from '../errors/errors.ts';
import { createOpenidWallet, type TakenOffer } from './openid-wallet.ts';

const issuer = 'https://issuer.example/oid4vci/one';
const vct = 'https://issuer.example/types/one';
const link = `openid-credential-offer://?${new URLSearchParams({ credential_offer_uri: `${issuer}/offers/x` })}`;
const dayMs = 86_400_000;
const issuerKey = await makeSecretKey();
const otherKey = await makeSecretKey();
const template = {
  attributes: [{ key: 'name', mandatory: true }],
} as unknown as Pick<Template, 'attributes'>;

/** What is otherwise than it should be. */
interface Lie {
  readonly issuer?: string;
  readonly vct?: string;
  readonly isOtherHolder?: boolean;
  readonly isOtherSigner?: boolean;
  readonly isExpired?: boolean;
  readonly documents?: Readonly<Record<string, object>>;
  readonly count?: number;
}

interface Asked {
  readonly url: string;
  readonly body: string;
}

function walletAt(lie: Lie) {
  const asked: Asked[] = [];
  const documents: Readonly<Record<string, object>> = {
    [`${issuer}/offers/x`]: {
      credential_issuer: issuer,
      credential_configuration_ids: ['one'],
      grants: {
        'urn:ietf:params:oauth:grant-type:pre-authorized_code': { 'pre-authorized_code': 'secret-code' },
      },
    },
    'https://issuer.example/.well-known/openid-credential-issuer/oid4vci/one': {
      credential_issuer: issuer,
      credential_endpoint: `${issuer}/credential`,
      nonce_endpoint: `${issuer}/nonce`,
      notification_endpoint: `${issuer}/notification`,
      batch_credential_issuance: { batch_size: 4 },
      credential_configurations_supported: {
        one: {
          ...{ format: 'dc+sd-jwt', vct, cryptographic_binding_methods_supported: ['jwk'] },
          proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256'] } },
        },
      },
    },
    'https://issuer.example/.well-known/oauth-authorization-server/oid4vci/one': {
      issuer,
      token_endpoint: `${issuer}/token`,
      dpop_signing_alg_values_supported: ['ES256'],
    },
    [`${issuer}/token`]: { access_token: 'token', token_type: 'DPoP', expires_in: 900 },
    [`${issuer}/nonce`]: { c_nonce: 'nonce' },
    [`${issuer}/notification`]: {},
    'https://issuer.example/.well-known/jwt-vc-issuer/oid4vci/one': issuerMetadata(issuer, [
      { kid: 'k', key: publicHalf(issuerKey) },
    ]),
    ...lie.documents,
  };
  const wallet = createOpenidWallet({
    async fetch(url, { body = '' }) {
      asked.push({ url, body });
      const answer = url === `${issuer}/credential` ? await credentialsFor(body, lie) : documents[url];
      return Response.json(answer ?? {}, { status: answer ? 200 : 404 });
    },
  });
  const take = async (): Promise<TakenOffer> => wallet.takeOffer(await wallet.openOffer(link));
  return { take, asked };
}

async function credentialsFor(body: string, lie: Lie): Promise<object> {
  const { proofs } = JSON.parse(body) as { proofs: { jwt: [string] } };
  const [head = ''] = proofs.jwt[0].split('.');
  const { jwk } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { jwk: object };
  const now = Date.now();
  const signer = await signerOfSecretKey(lie.isOtherSigner ? otherKey : issuerKey, { kid: 'k' });
  const texts = await issueSdJwts(
    {
      ...{ template, values: { name: 'Mira' } as never, issuer: lie.issuer ?? issuer, vct: lie.vct ?? vct },
      ...{ issuedAt: now - 9 * dayMs, validFrom: now - 9 * dayMs },
      validUntil: lie.isExpired ? now - 2 * dayMs : now + 9 * dayMs,
    },
    [{ holderKey: lie.isOtherHolder ? publicHalf(otherKey) : jwk }],
    { signer, sha256, randomBytes },
  );
  const credentials = Array.from({ length: lie.count ?? 1 }, () => ({ credential: texts[0] }));
  return { credentials, notification_id: 'n' };
}

test('an honest one is believed', async () => {
  const { take, asked } = walletAt({});
  const taken = await take();
  assert.ok(taken.state === 'issued');
  assert.equal(taken.credentials.length, 1);
  assert.equal(asked.filter(({ body }) => body.includes('secret-code')).length, 1);
});

const lies: Readonly<Record<string, readonly [Lie, RegExp]>> = {
  'of another issuer': [{ issuer: 'https://other.example' }, /issuer|key/],
  'of another type': [{ vct: `${vct}x` }, /type/],
  'for the key of somebody else': [{ isOtherHolder: true }, /another key/],
  'signed by somebody else': [{ isOtherSigner: true }, /signature/],
  'that is over': [{ isExpired: true }, /expired/i],
  'more than were asked for': [{ count: 2 }, /more credentials/],
};
for (const [what, [lie, words]] of Object.entries(lies))
  test(`a credential ${what} is not kept, and the issuer is told`, async () => {
    const { take, asked } = walletAt(lie);
    await assert.rejects(take(), (error) => {
      assert.ok(error instanceof SdkError, String(error));
      assert.equal(error.code, 'notAsOrdered');
      assert.match(error.message, words);
      return true;
    });
    assert.ok(
      asked.some(({ url, body }) => url.endsWith('/notification') && body.includes('credential_failure')),
    );
  });

const documentLies: Readonly<Record<string, readonly [string, object, RegExp]>> = {
  'a document about another issuer': [
    'https://issuer.example/.well-known/openid-credential-issuer/oid4vci/one',
    { credential_issuer: 'https://other.example' },
    /about another issuer/,
  ],
  'a token that anybody can use': [
    `${issuer}/token`,
    { access_token: 'token', token_type: 'Bearer' },
    /not bound/,
  ],
  'an offer with a sign-in': [
    `${issuer}/offers/x`,
    { credential_issuer: issuer, credential_configuration_ids: ['one'], grants: {} },
    /sign-in/,
  ],
};
for (const [what, [url, document, words]] of Object.entries(documentLies))
  test(`${what} ends it`, async () => {
    const { take } = walletAt({ documents: { [url]: document } });
    await assert.rejects(take(), (error) => {
      assert.ok(error instanceof SdkError, String(error));
      assert.match(error.message, words);
      return true;
    });
  });
