/**
 * Verification by OpenID4VP, with a real service and node and a wallet over HTTP alone: credentials of this service are
 * asked for in every way and judged; of everything that can be wrong with an answer each is found by its name.
 */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { makeAuthority } from '../support/certificates.ts';
import { send } from '../support/http.ts';
import { openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import {
  answerWith,
  encryptFor,
  openRequest,
  type ReadRequest,
  readRequestObject,
  type ShowOrder,
  showCard,
} from '../support/raw-presenter.ts';
import {
  getDocument,
  makeWalletKey,
  postForm,
  readOffer,
  seconds,
  type WalletAnswer,
  walletFor,
} from '../support/raw-wallet.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService, type ServiceAnswer } from '../support/service-http.ts';
import { fewValues, ok } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);
const publicUrl = 'https://issuer.example';
const authority = makeAuthority('Test root');
const certificate = authority.issue('issuer.example', ['issuer.example']);
const holder = makeWalletKey();

let service: RunningService;
let world: ReturnType<typeof worldOf>;
let acts: ReturnType<typeof openidIssuer>;
let templateId: string;
let vct: string;
let card: { readonly credential: string; readonly vcId: string };

const reach = (address: string): string => address.replace(publicUrl, service.url);

async function issueCard(): Promise<{ credential: string; vcId: string }> {
  const offer = await acts.offer();
  const wallet = walletFor(await readOffer(offer.link, reach), { reach });
  const token = await wallet.token(offer.txCode);
  const { body } = await wallet.ask(token, await wallet.proofs([holder]));
  const [{ credential }] = body.credentials as [{ credential: string }];
  return { credential, vcId: offer.vcId };
}

before(async () => {
  const config = {
    publicUrl,
    openid: { requestCertificate: { chain: `${certificate.cert}${authority.cert}`, key: certificate.key } },
  };
  service = await startService(owner, { node: await startNode(owner), proofs, config });
  world = worldOf(service);
  templateId = await registerCard(world, 'Field card');
  acts = openidIssuer(service.url, world.issuer, templateId);
  card = await issueCard();
  vct = JSON.parse(Buffer.from(card.credential.split('.')[1], 'base64url').toString()).vct as string;
});

const credentialQuery = (more: JsonObject = {}): JsonObject => ({
  ...{ id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [vct] } },
  claims: [{ path: ['fullName'] }],
  ...more,
});
const order = (more: JsonObject = {}): JsonObject => ({
  dcqlQuery: { credentials: [credentialQuery()] },
  responseMode: 'direct_post',
  ...more,
});

const asking = (more: JsonObject = {}): Promise<ServiceAnswer> =>
  postService(service.url, '/cred/v1/oid4vp/requests', order(more), service.verifier);
const stateOf = async (id: unknown, code = ''): Promise<JsonObject> =>
  ok(await getService(service.url, `/cred/v1/oid4vp/requests/${id}${code}`, service.verifier));

const eventsOf = async ({ id }: Pick<Asked, 'id'>): Promise<string> => {
  const headers = { authorization: `Bearer ${service.verifier.apiKey}` };
  return (await send(`${service.url}/v1/verification/${id}/events`, { headers })).text;
};

interface Asked extends ReadRequest {
  readonly id: string;
  readonly link: string;
}

async function ask(more: JsonObject = {}): Promise<Asked> {
  const made = ok(await asking(more));
  const link = made.request as string;
  return { id: made.id as string, link, ...(await openRequest(link, reach)) };
}

const show = (asked: Asked, order: Partial<ShowOrder> = {}): string =>
  showCard(card.credential, { claims: ['fullName'], request: asked.claims, key: holder, ...order });
const answer = (asked: Asked, token: object, state?: unknown): Promise<WalletAnswer> =>
  answerWith(asked, token, { reach, ...(state !== undefined && { state }) });

function refused({ status, body }: WalletAnswer, words: RegExp, wanted = 400): void {
  assert.deepEqual(
    [status, Object.keys(body).toSorted()],
    [wanted, ['error', 'error_description']],
    JSON.stringify(body),
  );
  assert.match(body.error_description as string, words);
}

describe('a request', () => {
  test('by the hash of a certificate: signed, and the same whenever it is asked for', async () => {
    const asked = await ask({ responseMode: 'direct_post.jwt' });
    const { header, claims } = asked;
    assert.deepEqual([header.typ, header.alg], ['oauth-authz-req+jwt', 'ES256']);
    const x5c = header.x5c as string[];
    assert.equal(x5c.length, 1, 'without the root');
    const leaf = new X509Certificate(Buffer.from(x5c[0], 'base64'));
    assert.equal(claims.client_id, `x509_hash:${createHash('sha256').update(leaf.raw).digest('base64url')}`);
    const again = await getDocument(reach(new URL(asked.link).searchParams.get('request_uri') as string));
    const [head, body, signature] = (again.body.text as string).split('.');
    const key = { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')));
    assert.deepEqual(readRequestObject(again.body.text as string).claims.nonce, claims.nonce);
    const other = await ask({ responseMode: 'direct_post.jwt' });
    for (const name of ['nonce', 'state']) {
      assert.ok(String(claims[name]).length >= 22, name);
      assert.notEqual(other.claims[name], claims[name], name);
    }
    assert.notDeepEqual(other.claims.client_metadata, claims.client_metadata, 'a key of its own');
    for (const absent of ['redirect_uri', 'scope', 'transaction_data', 'presentation_definition'])
      assert.equal(absent in claims, false, absent);
  });

  test('by the name of a host, by a DID, and by nobody', async () => {
    assert.equal(
      (await ask({ clientIdPrefix: 'x509_san_dns' })).claims.client_id,
      'x509_san_dns:issuer.example',
    );
    const byDid = await ask({ clientIdPrefix: 'decentralized_identifier' });
    const did = String(byDid.claims.client_id).replace('decentralized_identifier:', '');
    assert.match(did, /^did:web:issuer\.example:oid4vci:/);
    const { body } = await getDocument(`${service.url}/${did.split(':').slice(3).join('/')}/did.json`);
    const document = JSON.parse((body.text as string | undefined) ?? JSON.stringify(body)) as JsonObject;
    const methods = document.verificationMethod as { id: string; publicKeyJwk?: JsonObject }[];
    const jwk = methods.find(({ id }) => id === byDid.header.kid)?.publicKeyJwk;
    assert.ok(jwk && createPublicKey({ key: jwk as never, format: 'jwk' }));
    const unsigned = await ask({ clientIdPrefix: 'redirect_uri' });
    assert.equal(unsigned.claims.client_id, `redirect_uri:${unsigned.claims.response_uri}`);
    assert.deepEqual((await answer(unsigned, { card: [show(unsigned)] })).body, {});
  });

  test('by POST, with the nonce of the wallet in it', async () => {
    const { request } = ok(await asking({ requestUriMethod: 'post' }));
    const link = new URL(request as string);
    assert.equal(link.searchParams.get('request_uri_method'), 'post');
    const uri = reach(link.searchParams.get('request_uri') as string);
    const { body } = await postForm(uri, { wallet_nonce: 'mine', wallet_metadata: '{}' });
    assert.equal(readRequestObject(body.text as string).claims.wallet_nonce, 'mine');
  });

  test('that cannot be asked is refused by its place', async () => {
    const wrong: readonly (readonly [more: JsonObject, pointer: string])[] = [
      [
        { dcqlQuery: { credentials: [credentialQuery({ claim_set: [['a']] })] } },
        '/dcqlQuery/credentials/0/claim_set',
      ],
      [{ transactionData: [{ type: 'pay', credential_ids: ['other'] }] }, '/transactionData/0'],
      [{ redirectUri: 'http://a.example/' }, '/redirectUri'],
      [{ redirectUri: 'https://a.example/', callbackUrl: 'https://a.example/c' }, '/callbackUrl'],
      [
        { foreignIssuers: [{ issuer: 'https://a.example', keys: [{ kty: 'EC' }] }] },
        '/foreignIssuers/0/keys/0',
      ],
      [{ responseModes: 'x' }, '/responseModes'],
    ];
    for (const [more, pointer] of wrong) {
      const { status, body } = await asking(more);
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal((body.errors as JsonObject[])[0].pointer, pointer);
    }
  });
});

describe('an answer that is right', () => {
  test('in clear and encrypted: what was asked for is told, and signed', async () => {
    for (const responseMode of ['direct_post', 'direct_post.jwt']) {
      const asked = await ask({ responseMode });
      assert.equal((await stateOf(asked.id)).status, 'FETCHED');
      const token = { card: [show(asked)] };
      assert.deepEqual((await answer(asked, token)).body, {});
      assert.deepEqual((await answer(asked, token)).body, {}, 'and again');
      const { status, result } = (await stateOf(asked.id)) as { status: string; result: JsonObject };
      assert.equal(status, 'VERIFIED');
      const told = JSON.parse(result.signedResult as string) as JsonObject;
      assert.deepEqual(told.verifiedClaims, { fullName: fewValues.fullName });
      const [shown] = told.fieldCredentials as JsonObject[];
      assert.deepEqual(shown.claims, { fullName: fewValues.fullName });
      assert.equal((shown.record as JsonObject).id, card.vcId);
      assert.equal(shown.issuerTrust, 'not asked');
    }
  });

  test('is a session as any other: in the list, with events', async () => {
    const asked = await ask();
    await answer(asked, { card: [show(asked)] });
    const { sessions } = ok(await getService(service.url, '/v1/verification', service.verifier))
      .object as JsonObject;
    assert.ok((sessions as JsonObject[]).some(({ presentationId }) => presentationId === asked.id));
    assert.match(await eventsOf(asked), /event: result\ndata: .*field_credentials/);
    // No wallet of the family can read it, or answer it.
    const foreign = await getService(service.url, `/v1/presentation/${asked.id}`);
    assert.equal(foreign.status, 404);
  });

  test('comes from issuers that are named, and from no others', async () => {
    const { did } = world.issuer;
    const outcome = async (more: JsonObject): Promise<WalletAnswer> => {
      const asked = await ask(more);
      return answer(asked, { card: [show(asked)] });
    };
    assert.equal((await outcome({ trustedIssuers: [did] })).status, 200);
    assert.equal((await outcome({ trustedIssuers: [{ did, templates: [templateId] }] })).status, 200);
    refused(
      await outcome({ trustedIssuers: [`did:zid:${'0'.repeat(64)}`] }),
      /^issuer: .*not one of those trusted/,
    );
    refused(
      await outcome({ templates: [`did:zid:${'0'.repeat(64)}`] }),
      /^issuer: .*not one of those wanted/,
    );
    refused(await outcome({ foreignIssuers: [{ issuer: 'https://a.example' }] }), /^issuer: /);
  });

  test('with agreement to a transaction', async () => {
    const more = { transactionData: [{ type: 'payment', credential_ids: ['card'], amount: '5' }] };
    const asked = await ask(more);
    assert.equal((await answer(asked, { card: [show(asked)] })).status, 200);
    const silent = await ask(more);
    const { transaction_data: _, ...request } = silent.claims;
    refused(await answer(silent, { card: [show(silent, { request })] }), /^transactionData: /);
  });

  test('by one set of claims, several credentials, or a set of credentials', async () => {
    const claims: JsonObject[] = [
      { id: 'n', path: ['fullName'] },
      { id: 'b', path: ['birthDate'], values: ['1990-05-17'] },
    ];
    const query = credentialQuery({ claims, claim_sets: [['b'], ['n']], multiple: true });
    const asked = await ask({ dcqlQuery: { credentials: [query] } });
    const second = show(asked, { claims: ['birthDate'] });
    assert.equal((await answer(asked, { card: [show(asked), second] })).status, 200);
    const { result } = (await stateOf(asked.id)) as { result: JsonObject };
    const told = JSON.parse(result.signedResult as string) as JsonObject;
    assert.deepEqual(told.verifiedClaims, {
      '0.fullName': fewValues.fullName,
      '1.birthDate': fewValues.birthDate,
    });
    const either = {
      credentials: [
        credentialQuery(),
        credentialQuery({ id: 'pass', meta: { vct_values: ['https://a.example/pass'] } }),
      ],
      credential_sets: [{ options: [['pass'], ['card']] }],
    };
    const choice = await ask({ dcqlQuery: either });
    assert.equal((await answer(choice, { card: [show(choice)] })).status, 200);
  });
});

describe('an answer that is none to this request leaves it open', () => {
  test('one wrong thing each, ten times at most', async () => {
    const asked = await ask();
    const other = await ask();
    const token = { card: [show(asked)] };
    refused(await answer(asked, token, other.claims.state), /state is not that/);
    refused(
      await postForm(reach(asked.claims.response_uri as string), { vp_token: JSON.stringify(token) }),
      /state/,
    );
    refused(await answer(asked, { card: [show(other)] }), /challenge: /);
    refused(await answer(asked, { card: ['no~token'] }), /form: /);
    refused(await answer(asked, { card: [show(asked).replace(/[^~]*$/, '')] }), /not signed/);
    refused(await answer(asked, { card: [show(asked, { header: { typ: 'JWT' } })] }), /holderSignature: /);
    refused(await answer(asked, { card: [...token.card, ...token.card] }), /more than one/);
    refused(await answer(asked, { card: token.card[0] }), /no list/);
    const encrypted = await encryptFor((await ask({ responseMode: 'direct_post.jwt' })).claims, {
      vp_token: token,
    });
    refused(
      await postForm(reach(asked.claims.response_uri as string), { response: encrypted }),
      /No encrypted/,
    );
    assert.equal((await stateOf(asked.id)).status, 'FETCHED');
    refused(await answer(asked, {}), /answers nothing/);
    refused(await answer(asked, token), /too many answers/, 409);
    assert.equal((await stateOf(asked.id)).status, 'FETCHED');
  });

  test('encrypted for another request, or not at all', async () => {
    const asked = await ask({ responseMode: 'direct_post.jwt' });
    const other = await ask({ responseMode: 'direct_post.jwt' });
    const uri = reach(asked.claims.response_uri as string);
    const payload = { vp_token: { card: [show(asked)] }, state: asked.claims.state };
    refused(await postForm(uri, { response: await encryptFor(other.claims, payload) }), /another key/);
    const clear = { vp_token: JSON.stringify(payload.vp_token), state: String(payload.state) };
    refused(await postForm(uri, clear), /has to be encrypted/);
    refused(await postForm(uri, { ...clear, response: 'x' }), /exactly one/);
    assert.deepEqual((await answer(asked, payload.vp_token)).body, {});
  });
});

describe('an answer to this request that fails decides it', () => {
  const year = 365 * 86_400;
  const stranger = makeWalletKey();
  const flip = (presented: string): string =>
    presented.replace(
      /\.([^.~]{20})([^.~]*)~/,
      (_all, start: string, rest: string) => `.${start}${rest.slice(0, -4)}AAAA~`,
    );
  const cases: Readonly<Record<string, readonly [Partial<ShowOrder>, RegExp]>> = {
    'a signature of another key': [{ key: stranger }, /^holderSignature: /],
    'a credential that was changed': [{ spoil: flip }, /^issuerSignature: /],
    'another hash of what is shown': [{ payload: { sd_hash: 'x' } }, /^shownClaims: /],
    'an audience without its prefix': [{ payload: { aud: 'issuer.example' } }, /^audience: /],
    'a year ago': [{ payload: { iat: seconds() - year } }, /^freshness: .*too long ago/],
    'in a year': [{ payload: { iat: seconds() + year } }, /^freshness: .*future/],
    'more than asked for': [
      { claims: ['fullName', 'birthDate'] },
      /^disclosure: birthDate was not asked for/i,
    ],
    'less than asked for': [{ claims: [] }, /^disclosure: fullName is not shown/i],
    'agreement to nothing that was asked': [
      { payload: { transaction_data_hashes: ['x'] } },
      /^transactionData: /,
    ],
    'a disclosure twice': [
      { spoil: (presented) => presented.replace(/~([^~]+)~$/, '~$1~$1~') },
      /^disclosures: /,
    ],
  };
  for (const [name, [spoiled, words]] of Object.entries(cases))
    test(name, async () => {
      const asked = await ask();
      refused(await answer(asked, { card: [show(asked, spoiled)] }), words);
      const { status, result } = (await stateOf(asked.id)) as { status: string; result: JsonObject };
      assert.equal(status, 'FAILED');
      assert.deepEqual(JSON.parse(result.signedResult as string).verifiedClaims, {});
      refused(await answer(asked, { card: [show(asked)] }), /FAILED/, 409);
    });

  test('of another type, of values that were not asked for, and revoked on the ledger', async () => {
    const otherType = await ask({
      dcqlQuery: { credentials: [credentialQuery({ meta: { vct_values: [`${vct}0`] } })] },
    });
    refused(await answer(otherType, { card: [show(otherType)] }), /^credentialType: /);
    const otherValue = await ask({
      dcqlQuery: { credentials: [credentialQuery({ claims: [{ path: ['fullName'], values: ['Nobody'] }] })] },
    });
    refused(await answer(otherValue, { card: [show(otherValue)] }), /^disclosure: .*none of the values/);
    const { credential, vcId } = await issueCard();
    await world.steps.revoke(world.issuer, vcId);
    const revoked = await ask();
    const shown = showCard(credential, { claims: ['fullName'], request: revoked.claims, key: holder });
    refused(await answer(revoked, { card: [shown] }), /^record: .*revoked/);
  });
});

describe('how a request ends', () => {
  test('one answer decides, of twenty at once', async () => {
    const asked = await ask();
    const good = { card: [show(asked)] };
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        answer(asked, index % 2 === 0 ? good : { card: [show(asked, { claims: [] })] }),
      ),
    );
    const { status } = await stateOf(asked.id);
    assert.ok(
      all.every(({ status: one }) => one < 500),
      all.map(({ status: one }) => one).join(),
    );
    assert.equal(
      all.some(({ status: one }) => one === 200),
      status === 'VERIFIED',
    );
    assert.equal((await eventsOf(asked)).match(/^event: result$/gm)?.length, 1, 'one verdict is told');
    assert.equal((await stateOf(asked.id)).status, status, 'and it stays');
  });

  test('the wallet may refuse, if it knows the state', async () => {
    const asked = await ask();
    const uri = reach(asked.claims.response_uri as string);
    refused(await postForm(uri, { error: 'access_denied', state: 'x' }), /state/);
    const { status, body } = await postForm(uri, {
      error: 'access_denied',
      state: String(asked.claims.state),
    });
    assert.deepEqual([status, body], [200, {}]);
    assert.equal((await stateOf(asked.id)).abortedBy, 'wallet');
  });

  test('with a redirect the result is told to whoever has the code of this browser', async () => {
    const asked = await ask({ redirectUri: 'https://shop.example/done?id=1' });
    const { body } = await answer(asked, { card: [show(asked)] });
    const target = new URL(body.redirect_uri as string);
    assert.equal(`${target.origin}${target.pathname}${target.search}`, 'https://shop.example/done?id=1');
    const code = new URLSearchParams(target.hash.slice(1)).get('response_code') as string;
    assert.ok(code.length >= 22);
    const path = `/cred/v1/oid4vp/requests/${asked.id}`;
    for (const wrong of ['', '?response_code=x', `?response_code=${code}0`]) {
      const answered = await getService(service.url, `${path}${wrong}`, service.verifier);
      assert.deepEqual([answered.status, answered.body.code], [403, 'responseCodeWrong']);
    }
    assert.ok((await stateOf(asked.id, `?response_code=${code}`)).result);
    const own = ok(await getService(service.url, `/v1/verification/${asked.id}`, service.verifier));
    assert.equal('result' in (own.object as JsonObject), false);
    assert.doesNotMatch(await eventsOf(asked), /signed_result/);
  });

  test('of another key it is nobody’s business', async () => {
    const asked = await ask();
    const other = await getService(service.url, `/cred/v1/oid4vp/requests/${asked.id}`, world.issuer);
    assert.equal(other.status, 404);
    const unknown = `${service.url}/oid4vp/request/oid4vp_1_0`;
    assert.equal((await getDocument(unknown)).status, 404);
  });
});
