/**
 * Whom a verifier trusts, in every form in which it can say so: nobody and nothing stands twice, because of two entries
 * with other limits nobody knows which one is meant; and a member that is not known is refused with one that is.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { extendedRoutes } from '../credentials/extended-routes.ts';
import { credentialRoutes } from '../credentials/routes.ts';
import { type ArrivedRequest, readServiceRequest, type ServiceRoute } from '../http/service-route.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { verificationRoutes } from '../sessions/routes.ts';
import { trustRoutes } from './routes.ts';

const [a, b] = ['0a', '0b'].map((byte) => `did:zid:${byte.repeat(32)}`) as [string, string];
const shouted = a.replace(/[0-9a-f]{64}$/, (digits) => digits.toUpperCase());
const vp = { type: ['VerifiablePresentation'] };
const id = `v2-${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;
const requirements = { credentials: [{ id: 'x' }] };

const complaint = (route: ServiceRoute, arrived: ArrivedRequest): string | undefined => {
  try {
    readServiceRequest(route, arrived);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error.message;
  }
};
const verdict = (body: JsonObject) =>
  complaint(credentialRoutes.verifyPresentation, { body: { vp, ...body } });
const session = (body: JsonObject) =>
  complaint(verificationRoutes.requestVerification, { body: { requirements, ...body } });
const query = (more: JsonObject) => session({ requirements: { ...requirements, ...more } });
const part = (more: JsonObject) => session({ requirements: { credentials: [{ id: 'x', ...more }] } });
const kept = (query: Record<string, string>) =>
  complaint(extendedRoutes.verifySavedPresentation, { query: { id, ...query } });
const entry = (body: JsonObject) =>
  complaint(trustRoutes.setTrustedIssuer, { body: { list: 'l', did: a, ...body } });

const twice: readonly JsonValue[][] = [
  [{ did: a, templates: [b] }, a],
  [a, { did: a, templates: [b] }],
  [{ did: a, templates: [b] }, { did: a }],
  [
    { did: a, templates: [b] },
    { did: a, templates: [a] },
  ],
  [a, b, a],
  [a, shouted],
];

describe('an issuer that stands twice', () => {
  test('in a body is refused, under each name', () => {
    for (const issuers of twice)
      for (const name of ['trustedIssuers', 'trusted_issuers', 'issuers']) {
        const said = `/${name}/${issuers.length - 1}: came before: each may stand once`;
        assert.equal(verdict({ [name]: issuers }), said);
        assert.equal(session({ [name]: issuers }), said);
      }
    assert.equal(verdict({ trustedIssuers: [{ did: a, templates: [b] }, b] }), undefined);
  });

  test('in an address is refused', () => {
    assert.match(kept({ trustedIssuers: `${a},${b},${a}` }) ?? '', /^\/query\/trustedIssuers: .*came before/);
    assert.match(
      kept({ trustedIssuers: `${a},${shouted}` }) ?? '',
      /^\/query\/trustedIssuers: .*came before/,
    );
    assert.equal(kept({ trustedIssuers: `${a},${b}` }), undefined);
  });

  test('in a query of a session is refused, for all of it and for a part', () => {
    for (const name of ['trusted_issuers', 'issuers'])
      for (const issuers of [
        [a, a],
        [a, b, shouted],
      ]) {
        const at = `${name}/${issuers.length - 1}: came before`;
        assert.ok(query({ [name]: issuers })?.startsWith(`/requirements/${at}`));
        assert.ok(part({ [name]: issuers })?.startsWith(`/requirements/credentials/0/${at}`));
      }
    assert.equal(query({ issuers: [a, b] }), undefined);
    assert.equal(part({ issuers: [a, b], trusted_issuers: [b, a] }), undefined);
  });
});

describe('a template that stands twice', () => {
  test('is refused wherever templates are named', () => {
    for (const templates of [
      [b, b],
      [a, b, shouted],
    ]) {
      const at = `templates/${templates.length - 1}: came before`;
      assert.ok(verdict({ templates })?.startsWith(`/${at}`));
      assert.ok(session({ templates })?.startsWith(`/${at}`));
      assert.ok(entry({ templates })?.startsWith(`/${at}`));
      assert.ok(verdict({ trustedIssuers: [{ did: a, templates }] })?.startsWith(`/trustedIssuers/0/${at}`));
      assert.match(kept({ templates: templates.join() }) ?? '', /^\/query\/templates: .*came before/);
    }
    assert.equal(entry({ templates: [a, b] }), undefined);
  });
});

describe('a member that is not known', () => {
  test('is refused with the nearest name, in a list and in a request', () => {
    assert.equal(
      entry({ template: [b] }),
      '/template: "template" is not known here; did you mean "templates"?',
    );
    assert.match(
      entry({ colour: 'red' }) ?? '',
      /^\/colour: .* known are "list", "did", "name", "templates"$/,
    );
    assert.equal(
      verdict({ trustedIssuers: [{ did: a, template: [b] }] }),
      '/trustedIssuers/0/template: "template" is not known here; did you mean "templates"?',
    );
  });
});
