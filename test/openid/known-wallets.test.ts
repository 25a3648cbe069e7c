/**
 * Wallets that show who they are, and messages that nobody on the way reads, over HTTP with a real service and node: what
 * is right becomes a credential, and each thing that is wrong is refused by its name.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { CompactEncrypt, compactDecrypt, importJWK, type JWK } from 'jose';
import { send } from '../support/http.ts';
import { openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import {
  dpopProof,
  getDocument,
  makeWalletKey,
  postForm,
  readOffer,
  seconds,
  signToken,
  type WalletAnswer,
  type WalletKey,
  walletFor,
} from '../support/raw-wallet.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);
const client = makeWalletKey();
const clientId = 'known-wallet';
const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

let service: RunningService;
let acts: ReturnType<typeof openidIssuer>;

before(async () => {
  const clients = [{ clientId, jwks: { keys: [{ ...client.jwk, kid: 'one' }] } }];
  service = await startService(owner, { proofs, config: { openid: { clients } } });
  const world = worldOf(service);
  acts = openidIssuer(service.url, world.issuer, await registerCard(world, 'Field card'));
});

function refused({ status, body }: WalletAnswer, error: string, word: RegExp): void {
  assert.deepEqual([status, body.error], [400, error], JSON.stringify(body));
  assert.match(String(body.error_description), word);
}

const opened = async () => walletFor(await readOffer((await acts.offer({ txCode: false })).link));

describe('a wallet that the operator has registered', () => {
  const assertion = (issuer: string, changes: object = {}, key: WalletKey = client): string =>
    signToken(
      { kid: 'one' },
      {
        ...{ iss: clientId, sub: clientId, aud: issuer, jti: randomUUID() },
        ...{ iat: seconds(), exp: seconds() + 60, ...changes },
      },
      key.key,
    );
  const shown = (text: string): Record<string, string> => ({
    client_assertion: text,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  });

  test('shows it by an assertion, which is good once', async () => {
    const wallet = await opened();
    const { issuer } = wallet.offer;
    const ask = (more: Record<string, string>) => wallet.askToken(undefined, more);
    refused(await ask({ client_id: clientId }), 'invalid_client', /missing/);
    refused(await ask(shown(assertion(issuer, {}, makeWalletKey()))), 'invalid_client', /not signed/);
    refused(await ask(shown(assertion(`${issuer}/token`))), 'invalid_client', /authorization server/);
    refused(await ask(shown(assertion(issuer, { exp: seconds() - 1 }))), 'invalid_client', /expired/);
    refused(
      await ask({ client_id: 'another', ...shown(assertion(issuer)) }),
      'invalid_client',
      /No client of this name/,
    );
    const once = assertion(issuer);
    const { status, body } = await ask(shown(once));
    assert.equal(status, 200, JSON.stringify(body));
    const other = await opened();
    refused(await other.askToken(undefined, shown(once)), 'invalid_client', /used before/);
    const token = body.access_token as string;
    const named = await wallet.proofs([makeWalletKey()], { claims: { iss: clientId } });
    assert.equal((await wallet.ask(token, named)).status, 200);
    const stranger = await wallet.proofs([makeWalletKey()], { claims: { iss: 'another' } });
    refused(await wallet.ask(token, stranger), 'invalid_proof', /iss/);
  });

  test('cannot be played by whoever has its name alone, and others need no name', async () => {
    const wallet = await opened();
    const form = { grant_type: preAuthorized, 'pre-authorized_code': wallet.offer.code };
    const dpop = { dpop: dpopProof(wallet.dpop, { url: wallet.at('token') }) };
    const played = await postForm(wallet.at('token'), { ...form, client_id: clientId }, dpop);
    refused(played, 'invalid_client', /missing/);
    assert.equal((await wallet.askToken(undefined, { client_id: 'anybody' })).status, 200);
  });
});

describe('messages that nobody on the way reads', () => {
  const own = makeWalletKey();
  const wish = (changes: object = {}) => ({
    jwk: { ...own.jwk, alg: 'ECDH-ES', kid: 'mine' },
    enc: 'A256GCM',
    ...changes,
  });

  const metadataOf = async (issuer: string): Promise<JsonObject> => {
    const path = issuer.slice(service.url.length);
    return (await getDocument(`${service.url}/.well-known/openid-credential-issuer${path}`)).body;
  };
  async function sealerOf(issuer: string) {
    const offered = (await metadataOf(issuer)).credential_request_encryption as JsonObject;
    const [jwk] = (offered.jwks as { keys: JWK[] }).keys as [JWK];
    const key = await importJWK(jwk, 'ECDH-ES');
    return (value: object, header: object = {}): Promise<string> =>
      new CompactEncrypt(Buffer.from(JSON.stringify(value)))
        .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: jwk.kid as string, ...header })
        .encrypt(key);
  }
  async function posted(url: string, text: string, headers: Record<string, string>): Promise<WalletAnswer> {
    const type = { 'content-type': 'application/jwt', ...headers };
    const answer = await send(url, { method: 'POST', body: text, headers: type });
    const isJson = (answer.headers['content-type'] ?? '').includes('json');
    const body = isJson ? (JSON.parse(answer.text) as JsonObject) : { text: answer.text };
    return { status: answer.status, headers: answer.headers as never, body };
  }
  const unsealed = async ({ status, headers, body }: WalletAnswer, wanted = 200): Promise<JsonObject> => {
    assert.equal(status, wanted, JSON.stringify(body));
    assert.match(String(headers['content-type']), /^application\/jwt/);
    const { plaintext, protectedHeader } = await compactDecrypt(body.text as string, own.key);
    assert.deepEqual(
      [protectedHeader.alg, protectedHeader.enc, protectedHeader.kid],
      ['ECDH-ES', 'A256GCM', 'mine'],
    );
    return JSON.parse(Buffer.from(plaintext).toString()) as JsonObject;
  };

  test('are a request for the issuer and an answer for the wallet, also later', async () => {
    const offer = await acts.make({ txCode: false });
    const wallet = walletFor(await readOffer(offer.link));
    const token = await wallet.token();
    const seal = await sealerOf(wallet.offer.issuer);
    const order = {
      credential_configuration_id: wallet.offer.configurations[0],
      proofs: { jwt: await wallet.proofs([makeWalletKey()]) },
      credential_response_encryption: wish(),
    };
    const post = async (endpoint: string, value: object) =>
      posted(wallet.at(endpoint), await seal(value), wallet.shown(token, endpoint));
    const waiting = await unsealed(await post('credential', order), 202);
    const later = { transaction_id: waiting.transaction_id, credential_response_encryption: wish() };
    await unsealed(await post('deferred', later), 202);
    assert.equal((await acts.sign(offer)).status, 200);
    const answer = await unsealed(await post('deferred', later));
    assert.equal((answer.credentials as unknown[]).length, 1);
    const clear = await post('deferred', { transaction_id: waiting.transaction_id });
    assert.deepEqual(clear.body.credentials, answer.credentials);
  });

  test('each that is wrong is refused by its name, in clear', async () => {
    const wallet = await opened();
    const token = await wallet.token();
    const seal = await sealerOf(wallet.offer.issuer);
    const order = {
      credential_configuration_id: wallet.offer.configurations[0],
      proofs: { jwt: await wallet.proofs([makeWalletKey()]) },
    };
    const post = (text: string) => posted(wallet.at('credential'), text, wallet.shown(token, 'credential'));
    const asking = async (encryption: object) =>
      post(await seal({ ...order, credential_response_encryption: encryption }));
    const parameters = 'invalid_encryption_parameters';
    refused(await asking(wish({ enc: 'A128CBC-HS256' })), parameters, /enc/);
    refused(await asking(wish({ jwk: { ...own.jwk, alg: 'RSA-OAEP' } })), parameters, /alg/);
    refused(await asking(wish({ zip: 'DEF' })), parameters, /compressed/);
    const secret = own.key.export({ format: 'jwk' });
    refused(await asking(wish({ jwk: { ...secret, alg: 'ECDH-ES' } })), parameters, /private/);
    const x = Buffer.alloc(32, 1).toString('base64url');
    refused(await asking(wish({ jwk: { ...own.jwk, x, alg: 'ECDH-ES' } })), parameters, /curve/);
    const malformed = 'invalid_credential_request';
    refused(await post(await seal(order, { kid: 'other' })), malformed, /another key/);
    refused(await post(`${(await seal(order)).slice(0, -4)}AAAA`), malformed, /cannot be opened/);
    refused(await post(await seal({ ...order, credential_identifier: 'x' })), malformed, /exactly one/);
    refused(await post(await seal([order])), malformed, /no request/);
    const anonymous = await posted(wallet.at('credential'), await seal(order), {});
    assert.equal(anonymous.status, 401);
    assert.equal((await post(await seal(order))).status, 200);
  });
});
