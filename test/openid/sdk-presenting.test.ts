/**
 * The SDK's wallet of the field against a verifier that is a real service: requests are read and verified before anything
 * is sent, credentials of every format are matched, shown and judged; and what is wrong with a request ends by its name.
 */
import assert from 'node:assert/strict';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { SdkError } from '@symbolon/sdk/errors/errors';
import {
  type HeldFieldCredential,
  type HeldOwnCredential,
  type OpenidWallet,
  type PresentableCredential,
  viewFieldCredential,
} from '@symbolon/sdk/wallet';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import {
  answersSent,
  askingHost,
  type ChangeAnswer,
  type PresentingWorld,
  startPresentingWorld,
} from '../support/presenting-world.ts';
import { makeWalletKey, signToken } from '../support/raw-wallet.ts';
import { fewValues } from '../support/service-steps.ts';

const owner = ownerOfSuite();
let world: PresentingWorld;
let cards: readonly HeldFieldCredential[];
let selective: HeldFieldCredential;
let whole: HeldFieldCredential;
let own: HeldOwnCredential;
let typeNames: readonly string[];
let vct: string;

before(async () => {
  world = await startPresentingWorld(owner);
  cards = await world.issue('dc+sd-jwt', 3);
  [selective] = (await world.issue('bbs-2023')) as [HeldFieldCredential];
  [whole] = (await world.issue('eddsa-rdfc-2022')) as [HeldFieldCredential];
  own = await world.issueOwn();
  [vct] = viewFieldCredential(cards[0]).types as [string];
  const [, hex] = /([0-9a-f]{64})/.exec(world.templateId) ?? [];
  typeNames = viewFieldCredential(selective).types.map(
    (name) => `https://${askingHost}/vocab/${hex}#${name}`,
  );
});

const sdJwt = (more: JsonObject = {}): JsonObject => ({
  ...{ id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [vct] } },
  claims: [{ path: ['fullName'] }],
  ...more,
});
const jsonLd = (more: JsonObject = {}): JsonObject => ({
  ...{ id: 'card', format: 'ldp_vc', meta: { type_values: [[...typeNames]] } },
  claims: [{ path: ['credentialSubject', 'fullName'] }],
  ...more,
});
const ours = (more: JsonObject = {}): JsonObject => ({
  ...{ id: 'card', format: 'symbolon-bbs-2026', meta: { template_values: [world.templateId] } },
  claims: [{ path: ['fullName'] }, { path: ['birthDate'], range: { max: '2000-01-01' } }],
  ...more,
});
const asking = (...credentials: JsonObject[]): JsonObject => ({ credentials });

/** Opens, matches, and shows the first option of all that is suggested. */
async function show(wallet: OpenidWallet, link: string, kept: readonly PresentableCredential[]) {
  const request = await wallet.openPresentationRequest(link);
  const { parts, suggested } = await wallet.matchCredentials(request, kept);
  assert.ok(suggested, JSON.stringify(parts));
  const options = suggested.map((id) => parts.find(({ wanted }) => wanted.id === id)?.options[0]);
  const shown = options.flatMap((option) =>
    option ? [{ queryId: option.queryId, credential: kept[option.credential] }] : [],
  );
  return { request, options, outcome: await wallet.answerRequest(request, { shown }) };
}

async function verified(id: string): Promise<JsonObject> {
  const { status, result } = (await world.stateOf(id)) as { status: string; result?: JsonObject };
  assert.equal(status, 'VERIFIED', JSON.stringify(result));
  return JSON.parse(String(result?.signedResult)) as JsonObject;
}

describe('a request is answered', () => {
  for (const responseMode of ['direct_post', 'direct_post.jwt'])
    test(`with each format, by ${responseMode}`, async () => {
      const { wallet } = world.newWallet();
      const shown: readonly (readonly [JsonObject, PresentableCredential])[] = [
        [sdJwt(), cards[0]],
        [jsonLd(), selective],
        [jsonLd(), whole],
        [jsonLd({ require_cryptographic_holder_binding: false }), selective],
        [ours(), own],
      ];
      for (const [query, credential] of shown) {
        const { id, link } = await world.ask(asking(query), { responseMode });
        const { outcome, options, request } = await show(wallet, link, [credential]);
        assert.deepEqual(outcome, { accepted: true }, JSON.stringify(query));
        assert.equal(request.terms.encryption === undefined, responseMode === 'direct_post');
        const [option] = options;
        assert.equal(option?.isWhole, credential === whole);
        assert.equal(option?.shows.fullName, fewValues.fullName);
        assert.equal('birthDate' in (option?.shows ?? {}), credential === whole);
        const told = (await verified(id)).verifiedClaims as JsonObject;
        assert.equal(told.fullName, fewValues.fullName);
      }
    });

  test('whoever asks by each kind of name', async () => {
    const expected = {
      x509_hash: 'certificate',
      x509_san_dns: 'certificate',
      decentralized_identifier: 'webDid',
      redirect_uri: 'nobody',
    };
    for (const [clientIdPrefix, knownBy] of Object.entries(expected)) {
      const { wallet } = world.newWallet();
      const { id, link } = await world.ask(asking(sdJwt()), { clientIdPrefix, purpose: 'To let you in' });
      const { request, outcome } = await show(wallet, link, cards);
      assert.deepEqual([request.verifier.knownBy, request.verifier.host], [knownBy, askingHost]);
      assert.equal(request.purpose, 'To let you in');
      assert.deepEqual(outcome, { accepted: true });
      await verified(id);
    }
  });

  test('that is fetched by POST, with a nonce and what the wallet can', async () => {
    const { wallet, sent } = world.newWallet();
    const { id, link } = await world.ask(asking(sdJwt()), { requestUriMethod: 'post' });
    await show(wallet, link, cards);
    const [first] = sent;
    assert.equal(first?.method, 'POST');
    const form = new URLSearchParams(first?.body);
    assert.ok((form.get('wallet_nonce') ?? '').length >= 32);
    assert.ok(JSON.parse(form.get('wallet_metadata') ?? '').vp_formats_supported);
    await verified(id);
  });

  test('with agreement to a transaction that is understood', async () => {
    const { wallet, sent } = world.newWallet();
    const data = (type: string) => ({
      transactionData: [{ type, credential_ids: ['card'], amount: '5' }],
    });
    const { id, link } = await world.ask(asking(sdJwt()), data('payment'));
    const { request } = await show(wallet, link, cards);
    assert.deepEqual(
      request.agreements.map(({ type, content }) => [type, content.amount]),
      [['payment', '5']],
    );
    await verified(id);
    const other = await world.ask(asking(sdJwt()), data('marriage'));
    const before = answersSent(sent).length;
    await assert.rejects(wallet.openPresentationRequest(other.link), refusal('openidRefused', /agreement/));
    assert.equal(answersSent(sent).length, before);
  });

  test('by one list of claims, with several copies, by one option of a set', async () => {
    const { wallet } = world.newWallet();
    const claims: JsonObject[] = [
      { id: 'n', path: ['fullName'], values: ['Nobody'] },
      { id: 'b', path: ['birthDate'], values: [fewValues.birthDate] },
    ];
    const lists = await world.ask(asking(sdJwt({ claims, claim_sets: [['n'], ['b']] })));
    const { options } = await show(wallet, lists.link, cards);
    assert.deepEqual(options[0]?.shows, { birthDate: fewValues.birthDate });
    await verified(lists.id);
    const many = await world.ask(asking(sdJwt({ multiple: true })));
    const request = await wallet.openPresentationRequest(many.link);
    const shown = cards.slice(0, 2).map((credential) => ({ queryId: 'card', credential }));
    assert.deepEqual(await wallet.answerRequest(request, { shown }), { accepted: true });
    assert.equal(((await verified(many.id)).fieldCredentials as JsonObject[]).length, 2);
    const either = await world.ask({
      credentials: [sdJwt({ id: 'pass', meta: { vct_values: ['https://a.example/pass'] } }), sdJwt()],
      credential_sets: [{ options: [['pass'], ['card']] }],
    });
    const chosen = await show(wallet, either.link, cards);
    assert.deepEqual(
      chosen.options.map((option) => option?.queryId),
      ['card'],
    );
    await verified(either.id);
  });

  test('with a redirect that nobody follows, or not at all', async () => {
    const { wallet, sent } = world.newWallet();
    const { link } = await world.ask(asking(sdJwt()), { redirectUri: 'https://shop.example/done' });
    const { outcome } = await show(wallet, link, cards);
    assert.ok(outcome.accepted);
    assert.match(outcome.redirectUri ?? '', /^https:\/\/shop\.example\/done#response_code=/);
    assert.ok(!sent.some(({ url }) => url.startsWith('https://shop.example')));
    const declined = await world.ask(asking(sdJwt()), { responseMode: 'direct_post.jwt' });
    await wallet.declineRequest(await wallet.openPresentationRequest(declined.link));
    assert.equal((await world.stateOf(declined.id)).abortedBy, 'wallet');
  });
});

const refusal = (code: string, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, words);
  return true;
};

describe('what is chosen', () => {
  test('is noted before it is sent, and not sent where it cannot be noted', async () => {
    const { wallet, sent } = world.newWallet();
    const { id, link } = await world.ask(asking(sdJwt()));
    const request = await wallet.openPresentationRequest(link);
    const shown = [{ queryId: 'card', credential: cards[0] }];
    const record = () => {
      throw new Error('the disk is full');
    };
    await assert.rejects(wallet.answerRequest(request, { shown, record }), /disk is full/);
    assert.deepEqual(answersSent(sent), []);
    assert.equal((await world.stateOf(id)).status, 'FETCHED');
    let noted = 0;
    await wallet.answerRequest(request, {
      shown,
      record: () => {
        noted = answersSent(sent).length + 1;
      },
    });
    assert.equal(noted, 1);
  });

  test('has to answer the request', async () => {
    const { wallet, sent } = world.newWallet();
    const { link } = await world.ask(asking(sdJwt({ claims: [{ path: ['height'] }] })));
    const request = await wallet.openPresentationRequest(link);
    const { parts, suggested } = await wallet.matchCredentials(request, [cards[0], selective, own]);
    assert.equal(suggested, undefined);
    assert.match(parts[0]?.problem ?? '', /height is not shown/);
    const [card] = cards;
    for (const shown of [
      [],
      [{ queryId: 'other', credential: card }],
      [{ queryId: 'card', credential: card }],
      [
        { queryId: 'card', credential: card },
        { queryId: 'card', credential: card },
      ],
    ])
      await assert.rejects(
        wallet.answerRequest(request, { shown }),
        refusal('invalidArgument', /does not fit/),
      );
    assert.deepEqual(answersSent(sent), []);
  });

  test('is told as it is judged', async () => {
    const { wallet } = world.newWallet();
    const { link } = await world.ask(asking(sdJwt()), {
      trustedIssuers: [`did:zid:${'0'.repeat(64)}`],
    });
    const { outcome } = await show(wallet, link, cards);
    assert.ok(!outcome.accepted);
    assert.match(outcome.reason, /^issuer: /);
  });
});

type Claims = Record<string, unknown>;
const part = (text: string): Claims => JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims;

/** The same request, changed, and signed by somebody with a key of their own. */
function signedAnew(
  change: (header: Claims, claims: Claims) => void,
  key: KeyObject = makeWalletKey().key,
): ChangeAnswer {
  return (url, text) => {
    if (!url.includes('/oid4vp/request/')) return text;
    const [header = {}, claims = {}] = text.split('.').slice(0, 2).map(part);
    change(header, claims);
    return signToken(header, claims, key);
  };
}

/** Changed by the verifier itself: by a certificate of its own for the same host. */
function signedByHost(change: (claims: Claims) => void): ChangeAnswer {
  const { cert, key } = world.authority.issue(askingHost, [askingHost]);
  return signedAnew((header, claims) => {
    header.x5c = [cert.replaceAll(/-----[^-]+-----|\n/g, '')];
    change(claims);
  }, createPrivateKey(key));
}

describe('a request that is not what it should be gets no answer', () => {
  async function refuses(change: ChangeAnswer, words: RegExp, more: JsonObject = {}): Promise<void> {
    const { wallet, sent } = world.newWallet(change);
    const { id, link } = await world.ask(asking(sdJwt()), more);
    await assert.rejects(wallet.openPresentationRequest(link), refusal('unexpectedReply', words));
    assert.deepEqual(answersSent(sent), []);
    assert.ok(['CREATED', 'FETCHED'].includes(String((await world.stateOf(id)).status)));
  }

  const prefixes = ['x509_hash', 'x509_san_dns', 'decentralized_identifier'];
  for (const clientIdPrefix of prefixes)
    test(`signed by another key, of ${clientIdPrefix}`, async () => {
      await refuses(
        signedAnew(() => undefined),
        /not signed by the verifier/,
        { clientIdPrefix },
      );
      await refuses(
        signedAnew((_header, claims) => {
          claims.response_uri = 'https://thief.example/answers';
        }),
        /answer sent to/,
        { clientIdPrefix },
      );
    });

  test('one wrong thing each', async () => {
    const header = (more: Claims) => signedAnew((given) => void Object.assign(given, more));
    const claims = (more: Claims) => signedAnew((_header, given) => void Object.assign(given, more));
    await refuses(header({ typ: 'JWT' }), /not of type/);
    await refuses(header({ crit: ['exp'] }), /critical/);
    await refuses(header({ alg: 'none' }), /not signed by ES256/);
    await refuses(claims({ client_id: 'x509_san_dns:other.example' }), /another verifier/);
    await refuses(claims({ response_mode: 'fragment' }), /another way/);
    await refuses(claims({ response_type: 'code' }), /something else/);
    await refuses(claims({ presentation_definition: {} }), /older standard/);
    await refuses(claims({ dcql_query: { credentials: [] } }), /query that is not understood/);
    await refuses(claims({ response_uri: 'http://issuer.example/x' }), /others can read/);
    await refuses(claims({ nonce: '' }), /no nonce/);
    await refuses(claims({ filler: 'x'.repeat(300_000) }), /too long/);
    await refuses((_url, text) => `${text}x`, /signature|signed/);
  });

  test('with another certificate', async () => {
    const other = world.authority.issue('other.example', ['other.example']);
    const der = other.cert.replaceAll(/-----[^-]+-----|\n/g, '');
    const shown = signedAnew((header) => {
      header.x5c = [der];
    });
    await refuses(shown, /another certificate/);
    await refuses(shown, /another host/, { clientIdPrefix: 'x509_san_dns' });
    const { wallet } = world.newWallet(undefined, {
      checkCertificates: () => ({ complaint: 'leads to nobody who is trusted' }),
    });
    const { link } = await world.ask(asking(sdJwt()));
    await assert.rejects(wallet.openPresentationRequest(link), refusal('unexpectedReply', /nobody/));
  });

  test('of another time, for another wallet, without its nonce', async () => {
    const day = 86_400_000;
    for (const [offset, words] of [
      [day, /expired/],
      [-day, /future/],
    ] as const) {
      const { wallet, sent } = world.newWallet(undefined, { now: () => Date.now() + offset });
      const { link } = await world.ask(asking(sdJwt()), { clientIdPrefix: 'decentralized_identifier' });
      await assert.rejects(wallet.openPresentationRequest(link), refusal('unexpectedReply', words));
      assert.deepEqual(answersSent(sent), []);
    }
    const { wallet } = world.newWallet();
    for (const link of [
      '',
      'x',
      'openid4vp://?request_uri=https://a.example',
      'openid4vp://?client_id=x509_hash:a',
    ])
      await assert.rejects(wallet.openPresentationRequest(link), refusal('invalidArgument', /not the link/));
    await assert.rejects(
      wallet.openPresentationRequest('openid4vp://?client_id=web-origin:https://a.example&request=x'),
      refusal('openidRefused', /not known/),
    );
  });

  test('by the verifier itself', async () => {
    const more = { clientIdPrefix: 'x509_san_dns', requestUriMethod: 'post' };
    const changed = (change: (claims: Claims) => void) => signedByHost(change);
    const { wallet } = world.newWallet(changed(() => undefined));
    const { link } = await world.ask(asking(sdJwt()), more);
    assert.ok(await wallet.openPresentationRequest(link), 'nothing else is wrong with it');
    await refuses(
      changed((claims) => {
        claims.aud = 'https://wallet.example';
      }),
      /another wallet/,
      more,
    );
    await refuses(
      changed((claims) => {
        claims.wallet_nonce = 'guessed';
      }),
      /nonce of this wallet/,
      more,
    );
    await refuses(
      changed((claims) => {
        delete claims.wallet_nonce;
      }),
      /nonce of this wallet/,
      more,
    );
    await refuses(
      changed((claims) => {
        claims.exp = 1;
      }),
      /expired/,
      more,
    );
  });

  test('without a signature, elsewhere than it says', async () => {
    const { wallet, sent } = world.newWallet();
    const { link } = await world.ask(asking(sdJwt()), { clientIdPrefix: 'redirect_uri' });
    const url = new URL(link);
    url.searchParams.set('response_uri', 'https://thief.example/answers');
    await assert.rejects(wallet.openPresentationRequest(url.href), refusal('unexpectedReply', /elsewhere/));
    assert.deepEqual(sent, []);
  });
});
