/**
 * Credentials by OpenID4VCI, with a real service and node and a wallet over HTTP alone: an offer becomes SD-JWT VCs, one
 * by one, in a batch and later; what is wrong is refused by its name; of many who redeem one code one does.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { addressOfDid } from '@symbolon/core/did/did';
import { datasetCommitment } from '@symbolon/core/openid/standards-dataset';
import type { JsonObject } from '@symbolon/wire/json/json';
import { openidIssuanceRoutes } from '@symbolon/wire/openid/issuance-routes';
import { type MadeOffer, openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { keyFormat } from '../support/people.ts';
import {
  dpopProof,
  getDocument,
  keyProof,
  makeWalletKey,
  offerUriOf,
  postForm,
  postJson,
  readOffer,
  seconds,
  type WalletAnswer,
  walletFor,
} from '../support/raw-wallet.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService } from '../support/service-http.ts';
import { ok } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);

let service: RunningService;
let acts: ReturnType<typeof openidIssuer>;
let world: ReturnType<typeof worldOf>;

before(async () => {
  service = await startService(owner, { node: await startNode(owner), proofs });
  world = worldOf(service);
  acts = openidIssuer(service.url, world.issuer, await registerCard(world, 'Field card'));
});

const open = async (offer: MadeOffer) => walletFor(await readOffer(offer.link));

function refused({ status, body, headers }: WalletAnswer, error: string, wanted = 400): void {
  assert.deepEqual([status, body.error], [wanted, error], JSON.stringify(body));
  assert.deepEqual(Object.keys(body).toSorted(), ['error', 'error_description']);
  assert.equal(headers['cache-control'], 'no-store');
}

const claimsOf = (credential: unknown): JsonObject => {
  const [token] = (credential as string).split('~');
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()) as JsonObject;
};
const credentialsOf = ({ status, body }: WalletAnswer): string[] => {
  assert.equal(status, 200, JSON.stringify(body));
  return (body.credentials as JsonObject[]).map(({ credential }) => credential as string);
};

describe('documents of an issuer', () => {
  test('name it letter for letter, with its endpoints and configurations', async () => {
    const wallet = await open(await acts.make());
    const { issuer, configurations } = wallet.offer;
    const path = issuer.slice(service.url.length);
    const { body } = await getDocument(`${service.url}/.well-known/openid-credential-issuer${path}`);
    assert.equal(body.credential_issuer, issuer);
    const supported = body.credential_configurations_supported as Record<string, JsonObject>;
    const configuration = supported[configurations[0]];
    assert.equal(configuration.format, 'dc+sd-jwt');
    assert.equal(configuration.scope, configurations[0]);
    const server = await getDocument(`${service.url}/.well-known/oauth-authorization-server${path}`);
    assert.equal(server.body.issuer, issuer);
    const signed = await getDocument(`${service.url}/.well-known/openid-credential-issuer${path}`, {
      accept: 'application/jwt',
    });
    const [head, claims] = (signed.body.text as string)
      .split('.')
      .map(
        (part) =>
          JSON.parse(
            Buffer.from(part, 'base64url').toString('latin1').startsWith('{')
              ? Buffer.from(part, 'base64url').toString()
              : '{}',
          ) as JsonObject,
      );
    assert.equal(head.typ, 'openidvci-issuer-metadata+jwt');
    assert.equal(claims.sub, issuer);
    assert.equal(claims.credential_endpoint, body.credential_endpoint);
    assert.equal(
      (await getDocument(`${service.url}/.well-known/openid-credential-issuer/oid4vci/${'0'.repeat(64)}`))
        .status,
      404,
    );
  });
});

describe('an offer with a code on another way', () => {
  test('becomes a credential of the key that was proved, recorded once', async () => {
    const offer = await acts.offer();
    const wallet = await open(offer);
    assert.deepEqual(wallet.offer.txCode?.length, 6);
    const token = await wallet.token(offer.txCode);
    const holder = makeWalletKey();
    const answer = await wallet.ask(token, await wallet.proofs([holder]));
    const [credential] = credentialsOf(answer);
    const claims = claimsOf(credential);
    assert.equal(claims.iss, wallet.offer.issuer);
    assert.deepEqual((claims.cnf as JsonObject).jwk, {
      crv: 'P-256',
      kty: 'EC',
      x: holder.jwk.x,
      y: holder.jwk.y,
    });
    assert.equal(Number(claims.iat) % 86_400, 0);
    const entry = await service.served.parts.ledger.readEntry(
      addressOfDid(world.issuer.did, keyFormat) as string,
      offer.vcId,
    );
    assert.equal(entry?.commitment, datasetCommitment);
    assert.equal(entry?.status, 'active');
    assert.equal((await wallet.notify(token, answer.body.notification_id)).status, 204);
    assert.equal((await wallet.notify(token, answer.body.notification_id)).status, 204);
    assert.equal((await acts.state(offer)).state, 'accepted');
    assert.equal((await acts.state(offer)).status, 'Issued');
    // Its status is changed as that of any credential.
    await world.steps.revoke(world.issuer, offer.vcId);
    assert.equal(
      ok(await getService(service.url, `/cred/v1/vc/status?vcId=${offer.vcId}`)).status,
      'Revoked',
    );
  });

  test('the same request again has the same answer, another one other credentials', async () => {
    const offer = await acts.offer();
    const wallet = await open(offer);
    const token = await wallet.token(offer.txCode);
    const asked = await wallet.proofs([makeWalletKey()]);
    const first = await wallet.ask(token, asked);
    assert.deepEqual((await wallet.ask(token, asked)).body, first.body);
    const second = await wallet.ask(token, await wallet.proofs([makeWalletKey()]));
    assert.notDeepEqual(credentialsOf(second), credentialsOf(first));
    const [one, other] = [first, second].map((answer) => claimsOf(credentialsOf(answer)[0]));
    assert.deepEqual([one.iat, one.exp], [other.iat, other.exp]);
  });

  test('a batch has a key and digests of its own in each', async () => {
    const offer = await acts.offer();
    const wallet = await open(offer);
    const token = await wallet.token(offer.txCode);
    const keys = [makeWalletKey(), makeWalletKey(), makeWalletKey()];
    const claims = credentialsOf(await wallet.ask(token, await wallet.proofs(keys))).map(claimsOf);
    assert.deepEqual(
      claims.map(({ cnf }) => ((cnf as JsonObject).jwk as JsonObject).x),
      keys.map(({ jwk }) => jwk.x),
    );
    assert.equal(
      new Set(claims.flatMap(({ _sd }) => _sd as string[])).size,
      3 * (claims[0]._sd as string[]).length,
    );
  });

  test('is over after five wrong codes, however many come at once', async () => {
    const offer = await acts.offer();
    const wallet = await open(offer);
    const wrong = String((Number(offer.txCode) + 1) % 1_000_000).padStart(6, '0');
    const tries = await Promise.all(Array.from({ length: 12 }, () => wallet.askToken(wrong)));
    for (const one of tries) refused(one, 'invalid_grant');
    assert.equal((await acts.state(offer)).state, 'locked');
    refused(await wallet.askToken(offer.txCode), 'invalid_grant');
    assert.equal((await getDocument(offerUriOf(offer.link))).status, 409);
  });

  test('a link that names nothing, or another issuer, shows no offer', async () => {
    const offered = new URL(offerUriOf((await acts.offer()).link));
    const [, , issuer = '', , reference = ''] = offered.pathname.split('/');
    const other = `${issuer.slice(0, -1)}${issuer.endsWith('0') ? '1' : '0'}`;
    for (const path of [
      `/oid4vci/${issuer}/offers/${reference.startsWith('A') ? 'B' : 'A'}${reference.slice(1)}`,
      `/oid4vci/${other}/offers/${reference}`,
    ])
      assert.equal((await getDocument(new URL(path, offered).href)).status, 404, path);
  });

  test('a code is wanted where there is one, and only there', async () => {
    const wallet = await open(await acts.offer());
    refused(await wallet.askToken(undefined), 'invalid_request');
    const without = await open(await acts.offer({ txCode: false }));
    refused(await without.askToken('123456'), 'invalid_request');
    assert.equal((await without.askToken(undefined)).status, 200);
  });

  test('who guesses at a code that was redeemed, before anybody knows whether the answer came, has five tries', async () => {
    const offer = await acts.offer();
    const wallet = await open(offer);
    await wallet.token(offer.txCode);
    await service.served.parts.database.kysely
      .updateTable('openidGrants')
      .set({ answeredAt: null })
      .execute();
    const guess = (at: number): string => String((Number(offer.txCode) + at) % 1_000_000).padStart(6, '0');
    for (let at = 1; at <= 5; at += 1) refused(await wallet.askToken(guess(at)), 'invalid_grant');
    refused(await wallet.askToken(offer.txCode), 'invalid_grant');
  });

  test('a token that was shown is given to nobody again', async () => {
    const offer = await acts.offer();
    const wallet = await open(offer);
    const token = await wallet.token(offer.txCode);
    await service.served.parts.database.kysely
      .updateTable('openidGrants')
      .set({ answeredAt: null })
      .execute();
    refused(await wallet.askLater(token, 'nothing'), 'invalid_transaction_id');
    refused(await wallet.askToken(offer.txCode), 'invalid_grant');
  });

  test('whoever wants an encrypted answer gets none in clear', async () => {
    const offer = await acts.offer();
    const wallet = await open(offer);
    const token = await wallet.token(offer.txCode);
    const wish = { credential_response_encryption: { jwk: makeWalletKey().jwk, enc: 'A128GCM' } };
    const proofs = await wallet.proofs([makeWalletKey()]);
    refused(await wallet.ask(token, proofs, wish), 'invalid_encryption_parameters');
    assert.equal((await wallet.ask(token, proofs)).status, 200);
  });

  test('what would be over by the end of the day is not offered', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { status } = await acts.post({ validUntil: `${today}T23:59:59Z` });
    assert.equal(status, 400);
  });

  test('of twenty who redeem it at once with their own keys one does', async () => {
    const offer = await acts.offer();
    const read = await readOffer(offer.link);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => walletFor(read).askToken(offer.txCode)),
    );
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    for (const one of answers) if (one.status !== 200) refused(one, 'invalid_grant');
  });

  test('twenty of the same request at once get one token, and a spent code none', async () => {
    const offer = await acts.offer();
    const wallet = await open(offer);
    const answers = await Promise.all(Array.from({ length: 20 }, () => wallet.askToken(offer.txCode)));
    const tokens = answers.flatMap(({ body }) =>
      body.access_token === undefined ? [] : [body.access_token],
    );
    assert.ok(tokens.length >= 1);
    assert.equal(new Set(tokens).size, 1);
    refused(await wallet.askToken(offer.txCode), 'invalid_grant');
    const token = tokens[0] as string;
    const asked = await wallet.proofs([makeWalletKey()]);
    const raced = await Promise.all(Array.from({ length: 20 }, () => wallet.ask(token, asked)));
    assert.equal(new Set(raced.map(({ body }) => JSON.stringify(body))).size, 1);
    credentialsOf(raced[0]);
  });
});

describe('an offer that its issuer has not signed', () => {
  test('is answered later, with what was asked for', async () => {
    const offer = await acts.make();
    const wallet = await open(offer);
    const token = await wallet.token(offer.txCode);
    const holder = makeWalletKey();
    const asked = await wallet.proofs([holder]);
    const first = await wallet.ask(token, asked);
    assert.equal(first.status, 202, JSON.stringify(first.body));
    const { transaction_id: id } = first.body;
    assert.deepEqual((await wallet.ask(token, asked)).body, first.body);
    const waiting = await wallet.askLater(token, id);
    assert.deepEqual([waiting.status, waiting.body.transaction_id], [202, id]);
    assert.equal((await acts.state(offer)).state, 'deferred');
    refused(await wallet.askLater(token, 'x'), 'invalid_transaction_id');
    const strangers = await acts.sign(offer, 'ab'.repeat(64));
    assert.equal(strangers.status, 401);
    ok(await acts.sign(offer));
    ok(await acts.sign(offer));
    const answer = await wallet.askLater(token, id);
    assert.equal(((claimsOf(credentialsOf(answer)[0]).cnf as JsonObject).jwk as JsonObject).x, holder.jwk.x);
    assert.deepEqual((await wallet.askLater(token, id)).body, answer.body);
    const other = await open(await acts.offer({ txCode: false }));
    refused(await other.askLater(await other.token(), id), 'invalid_transaction_id');
  });

  test('is denied for good', async () => {
    const offer = await acts.make();
    const wallet = await open(offer);
    const token = await wallet.token(offer.txCode);
    const { body } = await wallet.ask(token, await wallet.proofs([makeWalletKey()]));
    assert.equal(ok(await acts.reject(offer, 'not this year')).state, 'denied');
    assert.equal(ok(await acts.reject(offer)).state, 'denied');
    refused(await wallet.askLater(token, body.transaction_id), 'credential_request_denied');
    assert.equal((await acts.sign(offer)).status, 409);
    const entry = await service.served.parts.ledger.readEntry(
      addressOfDid(world.issuer.did, keyFormat) as string,
      offer.vcId,
    );
    assert.equal(entry, undefined, 'what nobody has leaves nothing on the ledger');
  });

  test('is withdrawn before anybody takes it', async () => {
    const offer = await acts.make();
    const wallet = await open(offer);
    assert.equal(ok(await acts.reject(offer)).state, 'withdrawn');
    refused(await wallet.askToken(offer.txCode), 'invalid_grant');
  });
});

describe('requests for credentials that are wrong', () => {
  const ready = async () => {
    const offer = await acts.offer({ txCode: false });
    const wallet = await open(offer);
    return { wallet, token: await wallet.token() };
  };

  test('each is refused by its name', async () => {
    const { wallet, token } = await ready();
    const key = makeWalletKey();
    const { issuer } = wallet.offer;
    const nonce = await wallet.nonce();
    const proof = (changes: object = {}) => keyProof(key, { audience: issuer, nonce, ...changes });
    const body = { credential_configuration_id: wallet.offer.configurations[0] };
    const post = (sent: object) => postJson(wallet.at('credential'), sent, wallet.shown(token, 'credential'));
    refused(await post(body), 'invalid_proof');
    refused(await post({ ...body, proofs: { jwt: [] } }), 'invalid_proof');
    refused(await post({ ...body, proofs: { jwt: [proof()], di_vp: [] } }), 'invalid_proof');
    refused(await post({ ...body, proofs: { attestation: ['x'] } }), 'invalid_proof');
    refused(await post({ proofs: { jwt: [proof()] } }), 'invalid_credential_request');
    refused(
      await post({ ...body, credential_identifier: 'x', proofs: { jwt: [proof()] } }),
      'invalid_credential_request',
    );
    refused(
      await wallet.ask(token, [proof()], { credential_configuration_id: 'unknown' }),
      'unknown_credential_configuration',
    );
    refused(
      await post({ credential_identifier: 'x', proofs: { jwt: [proof()] } }),
      'unknown_credential_identifier',
    );
    refused(await wallet.ask(token, [proof({ nonce: 'x.y' })]), 'invalid_nonce');
    refused(await wallet.ask(token, [proof({ nonce: undefined })]), 'invalid_proof');
    refused(await wallet.ask(token, [proof({ audience: `${issuer}/` })]), 'invalid_proof');
    refused(await wallet.ask(token, [proof({ claims: { iss: 'somebody' } })]), 'invalid_proof');
    refused(await wallet.ask(token, [`${proof().slice(0, -8)}AAAAAAAA`]), 'invalid_proof');
    refused(await wallet.ask(token, [proof(), proof()]), 'invalid_proof');
    refused(await wallet.notify(token, 'x'), 'invalid_notification_id');
    refused(await wallet.notify(token, 'x', 'credential_lost'), 'invalid_notification_request');
    assert.equal((await wallet.ask(token, [proof()], { random_member: { a: 1 } })).status, 200);
  });

  test('tokens are shown by their key, once each, and never in an address', async () => {
    const { wallet, token } = await ready();
    const url = wallet.at('credential');
    const body = {
      credential_configuration_id: wallet.offer.configurations[0],
      proofs: { jwt: await wallet.proofs([makeWalletKey()]) },
    };
    const { dpop } = wallet;
    const shown = (proof: string) => ({ authorization: `DPoP ${token}`, dpop: proof });
    const proofFor = (claims: object) => dpopProof(dpop, { url, token, claims });
    refused(await postJson(url, body, { authorization: `Bearer ${token}` }), 'invalid_token', 401);
    refused(
      await postJson(url, body, shown(dpopProof(makeWalletKey(), { url, token }))),
      'invalid_dpop_proof',
      401,
    );
    refused(await postJson(url, body, shown(dpopProof(dpop, { url }))), 'invalid_dpop_proof', 401);
    refused(
      await postJson(url, body, shown(dpopProof(dpop, { url: wallet.at('deferred'), token }))),
      'invalid_dpop_proof',
      401,
    );
    refused(
      await postJson(url, body, shown(dpopProof(dpop, { url, token, method: 'GET' }))),
      'invalid_dpop_proof',
      401,
    );
    refused(await postJson(url, body, shown(proofFor({ iat: seconds() - 600 }))), 'invalid_dpop_proof', 401);
    refused(await postJson(url, body, shown(proofFor({ iat: seconds() + 600 }))), 'invalid_dpop_proof', 401);
    refused(
      await postJson(url, body, { authorization: 'DPoP abc', dpop: proofFor({}) }),
      'invalid_token',
      401,
    );
    assert.equal(
      (await postJson(`${url}?access_token=${token}`, body, wallet.shown(token, 'credential'))).status,
      400,
    );
    assert.equal((await postJson(url, body, {})).status, 401);
    const once = proofFor({});
    assert.equal((await postJson(url, body, shown(once))).status, 200);
    refused(await postJson(url, body, shown(once)), 'invalid_dpop_proof', 401);
  });

  test('the token endpoint refuses by name', async () => {
    const wallet = await open(await acts.offer({ txCode: false }));
    const post = (fields: Record<string, string>) => postForm(wallet.at('token'), fields);
    refused(await post({ grant_type: 'password' }), 'unsupported_grant_type');
    refused(await post({ 'pre-authorized_code': wallet.offer.code }), 'invalid_request');
    refused(await wallet.askToken(undefined, { 'pre-authorized_code': 'x' }), 'invalid_grant');
    refused(
      await wallet.askToken(undefined, { authorization_details: '[{}]' }),
      'invalid_authorization_details',
    );
    const spoiled = postForm(wallet.at('token'), { grant_type: 'x' }, { dpop: 'a.b.c' });
    refused(await spoiled, 'unsupported_grant_type');
  });

  test('identifiers come with the token where details were asked for, and must be named', async () => {
    const wallet = await open(await acts.offer({ txCode: false }));
    const [id] = wallet.offer.configurations;
    const details = JSON.stringify([
      { type: 'openid_credential', credential_configuration_id: id, extra: 1 },
    ]);
    const { body } = await wallet.askToken(undefined, { authorization_details: details });
    const [detail] = body.authorization_details as JsonObject[];
    const [identifier] = detail.credential_identifiers as string[];
    const token = body.access_token as string;
    const sent = { credential_configuration_id: undefined, credential_identifier: identifier };
    refused(await wallet.ask(token, await wallet.proofs([makeWalletKey()])), 'invalid_credential_request');
    refused(
      await wallet.ask(token, await wallet.proofs([makeWalletKey()]), {
        ...sent,
        credential_identifier: 'x',
      }),
      'unknown_credential_identifier',
    );
    assert.equal((await wallet.ask(token, await wallet.proofs([makeWalletKey()]), sent)).status, 200);
  });
});

describe('what credentials refer to', () => {
  test('endpoints, type and status list are where documents and credentials say', async () => {
    const offer = await acts.offer({ txCode: false });
    const wallet = await open(offer);
    const token = await wallet.token();
    const [credential] = credentialsOf(await wallet.ask(token, await wallet.proofs([makeWalletKey()])));
    const claims = claimsOf(credential);
    const issuer = wallet.offer.issuer.slice(-64);
    const { stranger } = service;
    const metadata = (await stranger.getIssuerMetadata({ issuer })) as JsonObject;
    const server = (await stranger.getAuthorizationServer({ issuer })) as JsonObject;
    const named = {
      credential_endpoint: 'getOpenidCredential',
      deferred_credential_endpoint: 'getDeferredCredential',
      notification_endpoint: 'notifyOpenidIssuer',
      nonce_endpoint: 'getOpenidNonce',
      token_endpoint: 'getOpenidToken',
    } as const;
    for (const [member, route] of Object.entries(named))
      assert.equal(
        metadata[member] ?? server[member],
        `${service.url}${openidIssuanceRoutes[route].path.replace(':issuer', issuer)}`,
      );
    const [template, version] = (claims.vct as string).split('/').slice(-2);
    assert.equal(((await stranger.getCredentialType({ template, version })) as JsonObject).vct, claims.vct);
    const text = await (await fetch(claims.vct as string)).text();
    assert.equal(claims['vct#integrity'], `sha256-${createHash('sha256').update(text).digest('base64')}`);
    const { status_list: place } = claims.status as { status_list: { uri: string; idx: number } };
    assert.ok(place.uri.endsWith(`/status/${issuer}/0.jwt`));
    const bitsAt = async (): Promise<number> => {
      const list = (await stranger.getStatusList({ issuer, list: '0.jwt' })) as unknown as string;
      const body = claimsOf(list).status_list as { bits: number; lst: string };
      const bytes = inflateSync(Buffer.from(body.lst, 'base64url'));
      return (bytes[Math.floor((place.idx * body.bits) / 8)] >> ((place.idx * body.bits) % 8)) & 3;
    };
    assert.equal(await bitsAt(), 0);
    await world.steps.revoke(world.issuer, offer.vcId);
    await until('the list says revoked', async () => (await bitsAt()) === 1);
    const listed = await service.issuer.client.listOpenidOffers({ order: 'newest' });
    assert.equal(listed.offers[0].offerId, offer.offerId);
    assert.equal((await service.issuer.client.getOpenidOffer({ offerId: offer.offerId })).status, 'Issued');
  });
});
