/**
 * A wallet that others have written, Credo, gets SD-JWT VCs of this service: with a code that is told on another way, in
 * a batch, and later than it asked. It checks signatures, types and keys by itself.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Kms } from '@credo-ts/core';
import { startCredo } from '../support/credo-wallet.ts';
import { openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { fewValues, ok } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);
const publicUrl = 'https://issuer.example';

let service: RunningService;
let acts: ReturnType<typeof openidIssuer>;
let credo: Awaited<ReturnType<typeof startCredo>>;

before(async () => {
  const config = { publicUrl, openid: { sdJwtIssuer: 'did:web' } };
  service = await startService(owner, { node: await startNode(owner), proofs, config });
  const world = worldOf(service);
  acts = openidIssuer(service.url, world.issuer, await registerCard(world, 'Credo card'));
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
