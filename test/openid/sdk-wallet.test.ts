/**
 * The SDK's wallet of the field against a real service and node: offers are read before anything is sent, credentials of
 * every format are kept only if they verify, in copies and later; and what is wrong ends by its name.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { SdkError } from '@symbolon/sdk/errors/errors';
import type { FetchRequest } from '@symbolon/sdk/transport/http-exchange';
import { createOpenidWallet, type OpenidWalletOptions, viewFieldCredential } from '@symbolon/sdk/wallet';
import { type MadeOffer, openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs, startService } from '../support/running-service.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);
let acts: ReturnType<typeof openidIssuer>;

before(async () => {
  const service = await startService(owner, { proofs });
  const world = worldOf(service);
  acts = openidIssuer(service.url, world.issuer, await registerCard(world, 'Field card'));
});

const wallet = createOpenidWallet();
const codeOf = ({ txCode }: MadeOffer) => (txCode === undefined ? {} : { txCode });

async function issued(offer: MadeOffer, copies = 1, using = wallet) {
  const taken = await using.takeOffer(await using.openOffer(offer.link), { ...codeOf(offer), copies });
  assert.equal(taken.state, 'issued');
  assert.ok(taken.state === 'issued');
  return taken;
}

const refusal = (code: string, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, words);
  return true;
};

describe('an offer by OpenID4VCI', () => {
  test('says what it is before anything is taken, by reference and by value', async () => {
    const offer = await acts.offer();
    const opened = await wallet.openOffer(offer.link);
    assert.equal(opened.txCode?.length, 6);
    assert.equal(opened.offered[0]?.format, 'dc+sd-jwt');
    assert.ok((opened.offered[0]?.claims.length ?? 0) > 0);
    const value = JSON.stringify(offer.made.offer);
    const same = await wallet.openOffer(
      `openid-credential-offer://?${new URLSearchParams({ credential_offer: value })}`,
    );
    assert.deepEqual(same, opened);
    assert.equal((await acts.state(offer)).state, 'created');
  });

  test('becomes an SD-JWT VC, and its issuer hears so', async () => {
    const offer = await acts.offer();
    const { credentials, tell } = await issued(offer);
    const [credential] = credentials;
    assert.ok(credential);
    const { claims, issuer } = viewFieldCredential(credential);
    assert.ok(Object.keys(claims).length > 0);
    assert.match(issuer, /\/oid4vci\//);
    assert.equal(await tell('credential_accepted'), true);
    assert.equal((await acts.state(offer)).state, 'accepted');
  });

  for (const format of ['bbs-2023', 'eddsa-rdfc-2022'])
    test(`becomes a credential in JSON-LD with ${format}`, async () => {
      const { credentials } = await issued(await acts.offer({ txCode: false, formats: [format] }));
      const [credential] = credentials;
      assert.ok(credential);
      assert.equal(credential.format, 'ldp_vc');
      assert.ok(Object.keys(viewFieldCredential(credential).claims).length > 0);
    });

  test('gives copies that share no key', async () => {
    const { credentials } = await issued(await acts.offer(), 3);
    assert.equal(new Set(credentials.map(({ key }) => key.x)).size, 3);
  });

  test('that its issuer has not signed is collected later, by whoever kept what is needed', async () => {
    const offer = await acts.make();
    const first = await wallet.takeOffer(await wallet.openOffer(offer.link), codeOf(offer));
    assert.ok(first.state === 'later');
    const kept = JSON.parse(JSON.stringify(first.later)) as typeof first.later;
    const again = createOpenidWallet();
    assert.equal((await again.collectLater(kept)).state, 'later');
    assert.equal((await acts.sign(offer)).status, 200);
    const collected = await again.collectLater(kept);
    assert.ok(collected.state === 'issued');
    assert.equal(collected.credentials[0]?.key.x, first.later.keys[0]?.x);
  });

  test('that is denied is denied', async () => {
    const offer = await acts.make();
    const first = await wallet.takeOffer(await wallet.openOffer(offer.link), codeOf(offer));
    assert.ok(first.state === 'later');
    await acts.reject(offer, 'not this year');
    await assert.rejects(
      wallet.collectLater(first.later),
      refusal('openidRefused', /credential_request_denied/),
    );
  });
});

describe('what is wrong', () => {
  test('with a link or an order ends before anything is sent', async () => {
    for (const link of [
      '',
      'x',
      'openid-credential-offer://?a=b',
      'openid-credential-offer://?credential_offer_uri=a&credential_offer=b',
    ])
      await assert.rejects(wallet.openOffer(link), refusal('invalidArgument', /not the link/));
    const offer = await acts.offer();
    const opened = await wallet.openOffer(offer.link);
    await assert.rejects(wallet.takeOffer(opened), refusal('invalidArgument', /needs a code/));
    await assert.rejects(
      wallet.takeOffer(opened, { ...codeOf(offer), copies: 21 }),
      refusal('invalidArgument', /copies/),
    );
    await assert.rejects(
      wallet.takeOffer(opened, { ...codeOf(offer), configurationId: 'x' }),
      refusal('invalidArgument', /not offered/),
    );
    assert.equal((await acts.state(offer)).state, 'created');
  });

  test('with a code, and an offer that is taken', async () => {
    const offer = await acts.offer();
    const opened = await wallet.openOffer(offer.link);
    const wrong = String((Number(offer.txCode) + 1) % 1_000_000).padStart(6, '0');
    await assert.rejects(
      wallet.takeOffer(opened, { txCode: wrong }),
      refusal('openidRefused', /invalid_grant/),
    );
    await issued(offer);
    await assert.rejects(wallet.takeOffer(opened, codeOf(offer)), refusal('openidRefused', /invalid_grant/));
    await assert.rejects(wallet.openOffer(offer.link), refusal('openidRefused', /no such offer/));
  });

  test('with what somebody puts into the way', async () => {
    const changed = (change: (url: string, text: string) => string): OpenidWalletOptions => ({
      async fetch(url: string, request: FetchRequest) {
        const answer = await fetch(url, request);
        const { status, headers } = answer;
        return status === 204 ? answer : new Response(change(url, await answer.text()), { status, headers });
      },
    });
    const other = createOpenidWallet(
      changed((url, text) =>
        text.replaceAll(/"credential_issuer":"[^"]+/g, (found) =>
          url.includes('.well-known') ? `${found}x` : found,
        ),
      ),
    );
    const offer = await acts.offer({ txCode: false });
    await assert.rejects(other.openOffer(offer.link), refusal('unexpectedReply', /another issuer/));
    const elsewhere = createOpenidWallet(
      changed((url, text) =>
        url.endsWith('/jwks') || url.includes('jwt-vc-issuer')
          ? text.replaceAll(/"x":"[^"]{4}/g, '"x":"AAAA')
          : text,
      ),
    );
    await assert.rejects(issued(offer, 1, elsewhere), refusal('notAsOrdered', /signature|key/));
    assert.equal((await acts.state(offer)).state, 'failed');
  });
});
