/**
 * A good request for every route of OpenID4VCI, OpenID4VP and the VC-API, with codes, tokens, nonces and sessions that a
 * running service has just given: the point from which these requests are spoiled. A route without an entry here does not
 * compile.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { JsonObject } from '@symbolon/wire/json/json';
import { openidAuthorizationRoutes } from '@symbolon/wire/openid/authorization-routes';
import { openidIssuanceRoutes } from '@symbolon/wire/openid/issuance-routes';
import { openidPublishedRoutes } from '@symbolon/wire/openid/published-routes';
import { openidVerificationRoutes } from '@symbolon/wire/openid/verification-routes';
import { vcApiRoutes } from '@symbolon/wire/vc-api/vc-api-routes';
import type { JWK } from 'jose';
import { openBrowser } from '../support/code-flow.ts';
import { appClient, type CodeFlowWorld, tokenIn } from '../support/code-flow-world.ts';
import { payPaths } from '../support/payment-world.ts';
import { openRequest, showCard } from '../support/raw-presenter.ts';
import {
  getDocument,
  makeWalletKey,
  offerUriOf,
  postForm,
  postJson,
  readOffer,
  type WalletKey,
  walletFor,
} from '../support/raw-wallet.ts';
import { postService } from '../support/service-http.ts';
import { fewValues, ok, signBlob } from '../support/service-steps.ts';
import { vcApiOf } from '../support/vc-api.ts';

const routes = {
  ...openidAuthorizationRoutes,
  ...openidIssuanceRoutes,
  ...openidVerificationRoutes,
  ...openidPublishedRoutes,
  ...vcApiRoutes,
};
export type OpenidRouteName = keyof typeof routes;
export const openidRouteNames = Object.keys(routes) as OpenidRouteName[];

/** Whom an encrypted body is for, and which member of a form it is; the whole body where there is none. */
export interface SealedFor {
  readonly jwk: JWK;
  readonly member?: string;
  /** What is encrypted, where that is not the body itself. */
  readonly value?: JsonObject;
}

export interface OpenidRequest {
  readonly name: OpenidRouteName;
  readonly method: string;
  /** Segments after the origin. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: JsonObject | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly seal?: SealedFor | undefined;
}

type Shape = Partial<Pick<OpenidRequest, 'query' | 'headers' | 'json' | 'form' | 'seal'>> & {
  readonly params?: Readonly<Record<string, string>>;
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
/** The key whose proofs are signed anew after they were spoiled. */
export const fuzzHolder: WalletKey = makeWalletKey();
const credentialsV2 = 'https://www.w3.org/ns/credentials/v2';

/** Has the issuer sign at once what is asked for by the VC-API, which is of a template of its own. */
export async function signAtOnce({
  service,
  world,
  otherTemplateId: templateId,
}: CodeFlowWorld): Promise<void> {
  const { privateKey } = service.demo.issuer;
  const rules = { perDayMax: 1_000_000, until: '2099-01-01', privateKey, templateId };
  ok(await postService(service.url, payPaths.autoIssue, rules, world.issuer));
}

/** What has been offered, and a token for some of it. */
async function grantedFacts({ acts }: CodeFlowWorld) {
  const [offered, given, waiting, login] = await Promise.all([
    acts.offer({ txCode: false }),
    acts.offer({ txCode: false }),
    acts.make({ txCode: false }),
    acts.offer({ login: true }),
  ]);
  const tokenOf = async (link: string) => {
    const wallet = walletFor(await readOffer(link));
    const { code } = wallet.offer;
    const grant_type = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
    const form = { grant_type, 'pre-authorized_code': code };
    const token = tokenIn(await postForm(wallet.at('token'), form));
    const order = {
      credential_configuration_id: wallet.offer.configurations[0] as string,
      proofs: { jwt: [...(await wallet.proofs([fuzzHolder]))] },
    };
    const ask = () => postJson(wallet.at('credential'), order, bearer(token));
    return { token, order, ask };
  };
  const ready = await tokenOf(given.link);
  const { body: issued } = await ready.ask();
  const [{ credential }] = issued.credentials as [{ credential: string }];
  const later = await tokenOf(waiting.link);
  const { body: deferred } = await later.ask();
  return {
    ...{ offered, login, ready, later, card: credential },
    code: (await readOffer(offered.link)).code,
    notificationId: String(issued.notification_id),
    transactionId: String(deferred.transaction_id),
  };
}

/** Logins in every state that they have, and offers that wait for their issuer. */
async function loginFacts({ place, walletOf, acts }: CodeFlowWorld) {
  const begin = async () => {
    const [wallet, browser] = [walletOf(), openBrowser()];
    const { location } = await browser.visit(await wallet.pushed());
    return { browser, reference: new URL(location).searchParams.get('reference') as string };
  };
  const [begun, decided, wallet] = [await begin(), await begin(), walletOf()];
  const { continueUrl } = ok(await place.confirm(decided.reference));
  const answering = walletOf();
  return {
    ...{ wallet, answering, code: await answering.code(), reference: begun.reference },
    requestUri: new URL(await wallet.pushed()).searchParams.get('request_uri') as string,
    ticket: String(continueUrl).split('/').at(-1) as string,
    cookie: [...decided.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    unsigned: await acts.make(),
    unwanted: await acts.make(),
  };
}

/** Requests of a verifier, open ones, and what answers them. */
async function askedFacts({ service }: CodeFlowWorld, card: string) {
  const { vct } = JSON.parse(Buffer.from(card.split('.')[1] as string, 'base64url').toString());
  const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [vct] } };
  const order = {
    dcqlQuery: {
      credentials: [{ ...query, claims: [{ path: ['fullName'], values: [fewValues.fullName] }] }],
    },
    responseMode: 'direct_post',
    purpose: 'To see who you are',
    transactionData: [{ type: 'payment', credential_ids: ['card'], amount: '5' }],
    foreignIssuers: [{ issuer: 'https://a.example', keys: [fuzzHolder.jwk] }],
  } as JsonObject;
  const ask = async (responseMode: string) => {
    const body = { ...order, responseMode, foreignIssuers: undefined } as unknown as JsonObject;
    const made = ok(await postService(service.url, '/cred/v1/oid4vp/requests', body, service.verifier));
    const { claims } = await openRequest(String(made.request));
    const shown = showCard(card, { claims: ['fullName'], request: claims, key: fuzzHolder });
    const state = String(claims.state);
    return { id: String(made.id), claims, token: { card: [shown] }, state };
  };
  return { order, clear: await ask('direct_post'), sealed: await ask('direct_post.jwt') };
}

async function documentFacts({ service, world, otherTemplateId }: CodeFlowWorld) {
  const api = vcApiOf(service.url, world.issuer);
  const credential = {
    '@context': [credentialsV2, `${service.url}/contexts/${otherTemplateId.slice(-64)}/1.0.0`],
    type: ['VerifiableCredential', 'AnotherCard'],
    validUntil: '2099-12-31T00:00:00Z',
    credentialSubject: { id: 'did:example:holder', ...fewValues },
  };
  const issue = async (options?: object) => {
    const { body, text } = await api.issue(credential, options);
    assert.ok(body.verifiableCredential, text);
    return body.verifiableCredential as JsonObject;
  };
  const [plain, base] = [await issue(), await issue({ cryptosuite: 'bbs-2023' })];
  const presentation = {
    '@context': [credentialsV2],
    type: ['VerifiablePresentation'],
    verifiableCredential: [plain],
  };
  const binding = { challenge: 'a-challenge', domain: 'https://verifier.example' };
  const { verifiablePresentation } = (await api.present(presentation, binding)).body;
  return { credential, plain, base, presentation, binding, verifiablePresentation };
}

async function requestKeyOf({ service, issuer }: CodeFlowWorld): Promise<JWK> {
  const path = issuer.slice(service.url.length);
  const { body } = await getDocument(`${service.url}/.well-known/openid-credential-issuer${path}`);
  const { jwks } = body.credential_request_encryption as unknown as { jwks: { keys: [JWK] } };
  return jwks.keys[0];
}

async function factsOf(site: CodeFlowWorld) {
  ok(await site.place.set([site.templateId]));
  const granted = await grantedFacts(site);
  const login = await loginFacts(site);
  const [asked, documents, requestKey] = [
    await askedFacts(site, granted.card),
    await documentFacts(site),
    await requestKeyOf(site),
  ];
  return { site, granted, login, asked, documents, requestKey };
}
type Facts = Awaited<ReturnType<typeof factsOf>>;
type Shapes<Names extends OpenidRouteName> = Readonly<Record<Names, Shape>>;

function authorizationShapes({
  site,
  login,
  granted,
}: Facts): Shapes<keyof typeof openidAuthorizationRoutes> {
  const { place, templateId, configuration, issuer } = site;
  const params = { issuer: issuer.slice(-64) };
  const { issuer_state } = (granted.login.made.offer as { grants: { authorization_code: JsonObject } }).grants
    .authorization_code;
  const details = [{ type: 'openid_credential', credential_configuration_id: configuration }];
  const code_challenge = createHash('sha256').update(login.wallet.verifier).digest('base64url');
  return {
    setOpenidLogin: { json: { loginUrl: place.loginUrl, templateIds: [templateId] } },
    getOpenidLogin: {},
    removeOpenidLogin: {},
    readOpenidAuthorization: { json: { reference: login.reference } },
    decideOpenidAuthorization: {
      json: {
        ...{ reference: login.reference, decision: 'grant' },
        ...{ metadata: fewValues as JsonObject, validUntil: '2099-12-31' },
      },
    },
    pushOpenidAuthorization: {
      params,
      form: {
        ...{ response_type: 'code', client_id: appClient.clientId, redirect_uri: appClient.redirectUri },
        ...{ state: 'mine', scope: configuration, code_challenge, code_challenge_method: 'S256' },
        ...{ authorization_details: JSON.stringify(details), issuer_state: String(issuer_state) },
      },
    },
    beginOpenidAuthorization: {
      params,
      query: { client_id: appClient.clientId, request_uri: login.requestUri },
    },
    continueOpenidAuthorization: {
      params: { ...params, ticket: login.ticket },
      headers: { cookie: login.cookie },
    },
  };
}

function issuanceShapes(facts: Facts): Shapes<keyof typeof openidIssuanceRoutes> {
  const { site, granted, login, requestKey: jwk } = facts;
  const { acts, world, configuration } = site;
  const params = { issuer: site.issuer.slice(-64) };
  const details = [{ type: 'openid_credential', credential_configuration_id: configuration }];
  return {
    makeOpenidOffer: { json: acts.order({ formats: ['dc+sd-jwt', 'bbs-2023'], txCode: true }) },
    listOpenidOffers: { query: { order: 'newest' } },
    getOpenidOffer: { params: { offerId: granted.offered.offerId } },
    signOpenidOffer: {
      json: {
        offerId: login.unsigned.offerId,
        signData: signBlob(world.issuer, login.unsigned.made.ed25519Blob),
      },
    },
    rejectOpenidOffer: { json: { offerId: login.unwanted.offerId, reason: 'Not for you' } },
    getIssuerMetadata: { params, headers: { accept: 'application/jwt' } },
    getAuthorizationServer: { params },
    getOfferedCredentials: {
      params: { ...params, reference: offerUriOf(granted.offered.link).split('/').at(-1) as string },
    },
    getOpenidToken: {
      params,
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
        'pre-authorized_code': granted.code,
        authorization_details: JSON.stringify(details),
      },
    },
    getOpenidNonce: { params },
    getOpenidCredential: {
      ...{ params, headers: bearer(granted.ready.token), json: granted.ready.order, seal: { jwk } },
    },
    getDeferredCredential: {
      ...{ params, headers: bearer(granted.later.token), seal: { jwk } },
      json: { transaction_id: granted.transactionId },
    },
    notifyOpenidIssuer: {
      ...{ params, headers: bearer(granted.ready.token) },
      json: { notification_id: granted.notificationId, event: 'credential_accepted' },
    },
  };
}

function verificationShapes({ asked }: Facts): Shapes<keyof typeof openidVerificationRoutes> {
  const { order, clear, sealed } = asked;
  const { jwks } = sealed.claims.client_metadata as unknown as { jwks: { keys: [JWK] } };
  return {
    requestOpenidVerification: { json: order },
    getOpenidVerification: { params: { id: clear.id } },
    getRequestObject: { params: { id: clear.id } },
    postRequestObject: {
      params: { id: clear.id },
      form: { wallet_nonce: 'mine', wallet_metadata: '{"a":[1]}' },
    },
    answerOpenidRequest: {
      params: { id: clear.id },
      form: { vp_token: JSON.stringify(clear.token), state: clear.state },
      seal: {
        ...{ jwk: jwks.keys[0], member: 'response' },
        value: { vp_token: sealed.token, state: sealed.state },
      },
    },
  };
}

function documentShapes({
  site,
  documents,
  granted,
}: Facts): Shapes<keyof typeof vcApiRoutes | keyof typeof openidPublishedRoutes> {
  const { credential, plain, base, presentation, binding, verifiablePresentation } = documents;
  const params = { issuer: site.issuer.slice(-64) };
  const type = { template: site.templateId.slice(-64), version: '1.0.0' };
  const statuses = plain.credentialStatus as JsonObject[];
  const [status] = statuses as [JsonObject];
  const list = String(status.statusListCredential).split('/').at(-2) as string;
  const { status: token } = JSON.parse(
    Buffer.from(granted.card.split('.')[1] as string, 'base64url').toString(),
  ) as { status: { status_list: { uri: string } } };
  return {
    issueByVcApi: { params, json: { credential, options: { cryptosuite: 'eddsa-rdfc-2022' } } as JsonObject },
    changeStatusByVcApi: {
      params,
      json: {
        credentialStatus: statuses.find(({ statusPurpose }) => statusPurpose === 'suspension') as JsonObject,
        status: true,
      },
    },
    deriveByVcApi: {
      params,
      json: {
        verifiableCredential: base,
        options: { selectivePointers: ['/credentialSubject/fullName'] },
      },
    },
    verifyCredentialByVcApi: {
      params,
      json: { verifiableCredential: plain, options: { returnResults: true } },
    },
    presentByVcApi: { params, json: { presentation, options: binding } as JsonObject },
    verifyPresentationByVcApi: { params, json: { verifiablePresentation, options: binding } as JsonObject },
    getCredentialType: { params: type },
    getCredentialContext: { params: type },
    getStatusList: { params: { ...params, list: token.status_list.uri.split('/').at(-1) as string } },
    getStatusListOfPurpose: { params: { ...params, list, purpose: String(status.statusPurpose) } },
  };
}

/** Good requests of this moment, one for each route. */
export async function openidCorpus(
  site: CodeFlowWorld,
): Promise<Readonly<Record<OpenidRouteName, OpenidRequest>>> {
  const facts = await factsOf(site);
  const shapes: Shapes<OpenidRouteName> = {
    ...authorizationShapes(facts),
    ...issuanceShapes(facts),
    ...verificationShapes(facts),
    ...documentShapes(facts),
  };
  const keyOf = (name: OpenidRouteName): string =>
    (name in openidVerificationRoutes ? site.service.verifier : site.world.issuer).apiKey;
  const made = openidRouteNames.map((name) => {
    const { params = {}, query = {}, headers = {}, ...body } = shapes[name];
    const { method, path, access } = routes[name] as {
      method: string;
      path: string;
      access: string;
    };
    const filled = path.replaceAll(
      /:(\w+)/g,
      (_all, key: string) => params[key] ?? assert.fail(`${name}: ${key}`),
    );
    const own = access === 'key' ? bearer(keyOf(name)) : {};
    return [name, { name, method, path: filled, query, headers: { ...own, ...headers }, ...body }];
  });
  return Object.fromEntries(made) as Readonly<Record<OpenidRouteName, OpenidRequest>>;
}
