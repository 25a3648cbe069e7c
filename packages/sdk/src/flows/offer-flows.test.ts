import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SdkError } from '../errors/errors.ts';
import { signerFromSeed } from '../keys/signer.ts';
import { createCredentialClient } from '../service/credential-client.ts';
import { acceptOffer, offerLink, type ParsedOffer, parseOfferLink } from './offer-flows.ts';

const did = `did:zid:${'ab'.repeat(32)}`;
const code = 'secret-code-of-the-offer';
const offer: ParsedOffer = { service: 'https://issuer.example', templateIds: [did], code };
const jsonOf = (link: string): Record<string, unknown> =>
  JSON.parse(decodeURIComponent(link.slice(link.indexOf('=') + 1)));

describe('the link of an offer', () => {
  test('is read as it was written, whatever is in it', () => {
    const link = offerLink(offer);
    assert.match(link, /^openid-credential-offer:\/\/\?credential_offer=%7B[^ ]*$/);
    assert.deepEqual(jsonOf(link), {
      credential_issuer: offer.service,
      credential_configuration_ids: [did],
      grants: { 'urn:ietf:params:oauth:grant-type:pre-authorized_code': { 'pre-authorized_code': code } },
    });
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' }),
        fc.boolean(),
        (text, isShort) => {
          const given = { ...offer, code: text, ...(isShort && { txCode: { length: 6 } }) };
          assert.deepEqual(parseOfferLink(` ${offerLink(given)}\n`), given);
        },
      ),
    );
  });

  test('is read with what other issuers write beside it, and from the page of a wallet', () => {
    const json = jsonOf(offerLink({ ...offer, txCode: { length: 4 } }));
    const more = { ...json, authorization_server: 'https://as.example' };
    const query = new URLSearchParams({ credential_offer: JSON.stringify(more) });
    for (const text of [`https://wallet.example/open?lang=en&${query}#top`, JSON.stringify(more)])
      assert.deepEqual(parseOfferLink(text), { ...offer, txCode: { length: 4 } });
  });

  test('is refused without being repeated', () => {
    const json = jsonOf(offerLink(offer));
    const linked = (value: object) => `openid-credential-offer://?credential_offer=${JSON.stringify(value)}`;
    const wrong = [
      '',
      'hello',
      `openid-credential-offer://?credential_offer_uri=https://x.example/${code}`,
      `openid-credential-offer://?code=${code}`,
      linked({ ...json, grants: { authorization_code: { issuer_state: code } } }),
      linked({ ...json, credential_configuration_ids: [] }),
      linked({ ...json, credential_issuer: 'javascript:alert(1)' }),
      linked({ ...json, credential_issuer: `https://u:${code}@x.example` }),
      `openid-credential-offer://?credential_offer=${code.repeat(1_000)}`,
    ];
    for (const text of wrong)
      assert.throws(
        () => parseOfferLink(text),
        (error) => {
          assert.ok(error instanceof SdkError && error.code === 'invalidArgument', text);
          assert.ok(!`${error.message} ${error.hint}`.includes(code));
          return true;
        },
      );
  });

  test('sends its code to no other service, and nothing is signed for another template', async () => {
    const signer = {
      ...(await signerFromSeed(new Uint8Array(32).fill(3))),
      sign: () => assert.fail('nothing is signed'),
    };
    const silent = createCredentialClient(() => assert.fail('nothing is sent'), {
      audience: 'https://other.example',
    });
    await assert.rejects(acceptOffer(silent, { offer, signer }), /another service/);
    const preview = {
      offerId: 'offer_1',
      state: 'open' as const,
      templateId: `did:zid:${'cd'.repeat(32)}`,
      templateVersion: '1.0.0',
      templateName: 'Another',
      issuer: did,
      expiresAt: '2030-01-01T00:00:00Z',
      attributes: [],
    };
    const lying = { ...silent, audience: offer.service, previewOffer: async () => preview };
    await assert.rejects(acceptOffer(lying, { offer, signer }), { code: 'notAsOrdered' });
    await assert.rejects(acceptOffer(lying, { offer, signer, preview }), { code: 'notAsOrdered' });
  });
});
