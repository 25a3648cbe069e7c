/**
 * A wallet that others have written, Credo, gets SD-JWT VCs of this service: with a code that is told on another way, in
 * a batch, and later than it asked. It checks signatures, types and keys by itself, and presents what it got, in clear and
 * encrypted, to whoever asks by a DID or by a certificate.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Kms } from '@credo-ts/core';
import type { JsonObject } from '@symbolon/wire/json/json';
import { makeAuthority } from '../support/certificates.ts';
import { startCredo } from '../support/credo-wallet.ts';
import { openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import { fewValues, ok } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);
const publicUrl = 'https://issuer.example';
const authority = makeAuthority('Test root');
const { cert: chain, key } = authority.issue('issuer.example', ['issuer.example']);

let service: RunningService;
let acts: ReturnType<typeof openidIssuer>;
let templateId: string;
let credo: Awaited<ReturnType<typeof startCredo>>;

before(async () => {
  const config = { publicUrl, openid: { sdJwtIssuer: 'did:web', requestCertificate: { chain, key } } };
  service = await startService(owner, { node: await startNode(owner), proofs, config });
  const world = worldOf(service);
  templateId = await registerCard(world, 'Credo card');
  acts = openidIssuer(service.url, world.issuer, templateId);
  credo = await startCredo(owner, { publicUrl, url: service.url });
});

const holderOf = () =>
  (credo.agent as never as { openid4vc: { holder: never } }).openid4vc.holder as never as {
    resolveCredentialOffer(link: string): Promise<never>;
    requestToken(
      options: object,
    ): Promise<{ accessToken: string; dpop?: object; accessTokenResponse: { c_nonce?: string } }>;
    requestCredentials(options: object): Promise<{
      credentials: readonly {
        record: {
          credentialInstances: readonly { compactSdJwtVc: string }[];
          firstCredential: { prettyClaims: Record<string, unknown> };
        };
        notificationId?: string;
      }[];
      deferredCredentials: readonly { transactionId: string }[];
    }>;
    requestDeferredCredentials(options: object): Promise<{
      credentials: readonly { record: { firstCredential: { prettyClaims: Record<string, unknown> } } }[];
    }>;
    sendNotification(options: object): Promise<void>;
  };

/** Keys of its own, as many as credentials are wanted. */
const binding = (count: number) => async () => {
  const kms = credo.agent.context.resolve(Kms.KeyManagementApi);
  const keys = await Promise.all(
    Array.from({ length: count }, () => kms.createKeyForSignatureAlgorithm({ algorithm: 'ES256' })),
  );
  return { method: 'jwk', keys: keys.map(({ publicJwk }) => Kms.PublicJwk.fromPublicJwk(publicJwk)) };
};

async function received(link: string, txCode: string | undefined, count: number) {
  const holder = holderOf();
  const resolvedCredentialOffer = await holder.resolveCredentialOffer(link);
  const token = await holder.requestToken({
    resolvedCredentialOffer,
    ...(txCode !== undefined && { txCode }),
  });
  const answered = await holder.requestCredentials({
    ...{ resolvedCredentialOffer, ...token },
    credentialBindingResolver: binding(count),
  });
  return { holder, resolvedCredentialOffer, token, answered };
}

describe('Credo', () => {
  test('gets a credential with a code on another way, and says so', async () => {
    const offer = await acts.offer();
    const { holder, resolvedCredentialOffer, token, answered } = await received(offer.link, offer.txCode, 1);
    assert.ok(token.dpop, 'its token is bound to a key');
    const [{ record, notificationId }] = answered.credentials;
    const { prettyClaims } = record.firstCredential;
    for (const [name, value] of Object.entries(fewValues)) assert.equal(prettyClaims[name], value);
    const { metadata } = resolvedCredentialOffer as { metadata: object };
    const accepted = { notificationId, notificationEvent: 'credential_accepted', metadata };
    await holder.sendNotification({ ...accepted, accessToken: token.accessToken, dpop: token.dpop });
    assert.equal((await acts.state(offer)).state, 'accepted');
    assert.ok(
      credo.asked.some((address) => address.includes('/types/')),
      'it has looked at the type',
    );
  });

  test('gets a batch of credentials that nothing but their values links', async () => {
    const offer = await acts.offer();
    const { answered } = await received(offer.link, offer.txCode, 5);
    const [{ record }] = answered.credentials;
    assert.equal(record.credentialInstances.length, 5);
    const claims = record.credentialInstances.map(
      ({ compactSdJwtVc }) =>
        JSON.parse(Buffer.from(compactSdJwtVc.split('.')[1], 'base64url').toString()) as {
          status: { status_list: { idx: number } };
          cnf: { jwk: { x: string } };
        },
    );
    const slots = claims.map(({ status }) => status.status_list.idx);
    assert.equal(new Set(slots).size, 5);
    assert.notDeepEqual(
      slots,
      slots.toSorted((left, right) => left - right),
    );
    assert.equal(new Set(claims.map(({ cnf }) => cnf.jwk.x)).size, 5);
  });

  test('gets later what its issuer had not signed', async () => {
    const offer = await acts.make({ txCode: false });
    const { holder, resolvedCredentialOffer, token, answered } = await received(offer.link, undefined, 1);
    assert.equal(answered.credentials.length, 0);
    const [deferred] = answered.deferredCredentials;
    ok(await acts.sign(offer));
    const { metadata: issuerMetadata } = resolvedCredentialOffer as { metadata: object };
    const later = await holder.requestDeferredCredentials({ issuerMetadata, ...token, ...deferred });
    assert.equal(later.credentials[0].record.firstCredential.prettyClaims.fullName, fewValues.fullName);
  });
});

interface Resolved {
  readonly authorizationRequestPayload: object;
  readonly dcql: { readonly queryResult: { readonly can_be_satisfied: boolean } };
}

/** What Credo does with a verifier's link. */
const presenterOf = () =>
  holderOf() as unknown as {
    resolveOpenId4VpAuthorizationRequest(link: string, options: object): Promise<Resolved>;
    selectCredentialsForDcqlRequest(result: object): object;
    acceptOpenId4VpAuthorizationRequest(
      options: object,
    ): Promise<{ ok: boolean; serverResponse?: { status: number; body: unknown } }>;
  };

async function present(more: object): Promise<{ readonly told: JsonObject; readonly answered: unknown }> {
  const [, hex] = templateId.split(/:(?=[^:]*$)/);
  const meta = { vct_values: [`${publicUrl}/types/${hex}/1.0.0`] };
  const dcqlQuery = {
    credentials: [{ id: 'card', format: 'dc+sd-jwt', meta, claims: [{ path: ['fullName'] }] }],
  };
  const { verifier } = service;
  const made = ok(
    await postService(service.url, '/cred/v1/oid4vp/requests', { dcqlQuery, ...more }, verifier),
  );
  const presenter = presenterOf();
  const resolved = await presenter.resolveOpenId4VpAuthorizationRequest(made.request as string, {
    trustedCertificates: [authority.cert],
  });
  assert.ok(resolved.dcql.queryResult.can_be_satisfied, JSON.stringify(resolved.dcql));
  const answered = await presenter.acceptOpenId4VpAuthorizationRequest({
    authorizationRequestPayload: resolved.authorizationRequestPayload,
    dcql: { credentials: presenter.selectCredentialsForDcqlRequest(resolved.dcql.queryResult) },
  });
  assert.ok(answered.ok, JSON.stringify(answered.serverResponse));
  const { result } = ok(await getService(service.url, `/cred/v1/oid4vp/requests/${made.id}`, verifier));
  const told = JSON.parse((result as JsonObject).signedResult as string) as JsonObject;
  return { told, answered: answered.serverResponse };
}

describe('Credo presents', () => {
  before(async () => {
    const offer = await acts.offer();
    const { answered } = await received(offer.link, offer.txCode, 1);
    const sdJwtVc = (credo.agent as never as { sdJwtVc: { store(options: object): Promise<void> } }).sdJwtVc;
    await sdJwtVc.store({ record: answered.credentials[0].record });
  });

  for (const clientIdPrefix of ['decentralized_identifier', 'x509_san_dns', 'x509_hash'])
    for (const responseMode of ['direct_post', 'direct_post.jwt'])
      test(`to ${clientIdPrefix}, by ${responseMode}`, async () => {
        const { told } = await present({ clientIdPrefix, responseMode });
        assert.equal(told.verified, true);
        assert.deepEqual(told.verifiedClaims, { fullName: fewValues.fullName });
      });
});
