/**
 * Verification sessions and whom the verifier trusts: beside the query, in it, or by a list of its own; and what the
 * signed result, the callback and the events say of two credentials of two issuers.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { openSignedResult } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { present } from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';
import { postService, type ServiceAnswer } from '../support/service-http.ts';
import { attribute, type Issuer, ok } from '../support/service-steps.ts';
import { makeIssuer, type World, worldOf } from '../support/service-world.ts';
import {
  claim,
  requirementsOf,
  startVerificationWorld,
  type VerificationWorld,
} from '../support/verification-world.ts';
import { challenge, fetchDefinition, postSubmission } from '../support/x401.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let world: VerificationWorld;
let people: World;
let stranger: Issuer;
let strangersId: string;
let permit: JsonObject;
let strangers: JsonObject;

before(async () => {
  world = await startVerificationWorld(owner, { proofs });
  people = worldOf(world.service);
  permit = world.vc;
  stranger = await makeIssuer(people, 'a stranger who issues');
  const attributes = [attribute('city', 'string', 1)];
  const order = { templateName: 'Proof of address', attributes };
  strangersId = (await people.steps.registerTemplate(stranger, order)).templateId as string;
  const { holder } = people;
  strangers = (await people.steps.issue({ issuer: stranger, holder }, strangersId, { city: 'Atlantis' })).vc;
});

const objectOf = ({ body, text }: ServiceAnswer): JsonObject => {
  assert.ok(body.object, text);
  return body.object as JsonObject;
};
const anyCity: JsonObject = { credentials: [{ id: 'any', format: 'ldp_vc', claims: [claim('city')] }] };

/** The session's answer to a wallet that shows these credentials. */
async function answered(requirements: JsonObject, more: JsonObject, vcs: readonly JsonObject[]) {
  const { presentationId } = await challenge(world.server, requirements, more);
  const definition = await fetchDefinition(world.wallet, presentationId);
  const vpToken = await present(world, world.holder, {
    vcs: vcs.map((vc) => ({ vc, revealAttributes: ['city'] })),
    challenge: definition.nonce,
  });
  const answer = await postSubmission(world.wallet, definition, { vpToken });
  return { presentationId, definition, answer, object: objectOf(answer) };
}

/** The same query with issuers of its own for each credential. */
const withIssuers = (query: JsonObject, trusted: readonly string[]): JsonObject => ({
  ...query,
  credentials: (query.credentials as JsonObject[]).map((one) => ({ ...one, trusted_issuers: [...trusted] })),
});

describe('a session', () => {
  test('refuses the credential of a stranger where an issuer is trusted, beside the query or in it', async () => {
    const { did } = world.service.issuer;
    const refusal = `disclosure: the issuer ${stranger.did} is not one of those trusted`;
    const cases: readonly [JsonObject, JsonObject][] = [
      [anyCity, { trustedIssuers: [did] }],
      [anyCity, { trusted_issuers: [did] }],
      [anyCity, { issuers: [{ did, name: 'Ministry' }] }],
      [{ ...anyCity, trusted_issuers: [did] }, {}],
      // What one credential may be by widens nothing.
      [withIssuers(anyCity, [stranger.did]), { trustedIssuers: [did] }],
      [{ ...withIssuers(anyCity, [stranger.did]), trusted_issuers: [did] }, {}],
    ];
    for (const [requirements, more] of cases) {
      const { object } = await answered(requirements, more, [strangers]);
      assert.deepEqual([object.verified, object.errors], [false, [refusal]], JSON.stringify(more));
      assert.match(object.signed_result as string, /"verifiedClaims":\{\},"requestHash":"[0-9a-f]{64}"\}$/);
    }
    const unwanted = await answered(anyCity, { templates: [world.templateId] }, [strangers]);
    assert.match(String(unwanted.object.errors), /disclosure: the template "Proof of address" .* wanted/);
  });

  test('takes a list of the caller, tells wallets its issuers, and names them by it', async () => {
    const { apiKey } = world.server;
    const entry = { did: world.service.issuer.did, name: 'Ministry', templates: [world.templateId] };
    ok(await postService(world.service.url, '/v1/trust/lists', { list: 'offices', ...entry }, { apiKey }));
    const { object, definition, presentationId } = await answered(anyCity, { trustList: 'offices' }, [
      permit,
    ]);
    assert.deepEqual((definition.credentialQuery as JsonObject).trusted_issuers, [entry.did]);
    assert.equal(object.verified, true);
    const [told] = object.credentials as [JsonObject];
    assert.deepEqual(
      [told.issuer, told.issuer_name, told.issuer_name_source, told.issuer_trust],
      [entry.did, 'Ministry', 'trustList', 'trusted'],
    );
    const keys = await world.service.stranger.getResultKeys();
    const events = world.service.verifier.client.watchVerification({ id: presentationId });
    for await (const event of events) {
      const { signed_result: text = '', timestamp = '', result_signature: signature = '' } = event;
      const request = { requirements: anyCity, callbackUrl: null, trustList: 'offices' };
      const expected = { keys, presentationId, request };
      const signed = await openSignedResult({ text, timestamp, signature }, expected);
      const { did: id, name } = entry;
      assert.deepEqual(signed.credentials[0]?.issuer, { id, name, nameSource: 'trustList' });
      assert.deepEqual(signed.credentials[0]?.revealed, { city: 'Dunedin' });
      assert.equal(event.credentials?.[0]?.issuer_trust, 'trusted');
    }
    const elsewhere = { ...entry, templates: [strangersId] };
    ok(
      await postService(
        world.service.url,
        '/v1/trust/lists',
        { list: 'elsewhere', ...elsewhere },
        { apiKey },
      ),
    );
    const refused = await answered(anyCity, { trustList: 'elsewhere' }, [permit]);
    assert.match(String(refused.object.errors), /disclosure: the issuer .* is not trusted for the template/);
  });

  test('never mixes what two issuers say', async () => {
    const requirements: JsonObject = {
      credentials: [
        { id: world.templateId, claims: [claim('city')], issuers: [world.service.issuer.did] },
        { id: strangersId, claims: [claim('city')] },
      ],
    };
    const { object } = await answered(requirements, {}, [permit, strangers]);
    assert.equal(object.verified, true, String(object.errors));
    const { verifiedClaims, credentials } = JSON.parse(object.signed_result as string) as JsonObject;
    assert.deepEqual(verifiedClaims, { '0.city': 'Dunedin', '1.city': 'Atlantis' });
    const told = (credentials as JsonObject[]).map(({ queryId, issuer, issuerTrust, revealed }) => [
      queryId,
      (issuer as JsonObject).id,
      issuerTrust,
      revealed,
    ]);
    assert.deepEqual(told, [
      [world.templateId, world.service.issuer.did, 'trusted', { city: 'Dunedin' }],
      [strangersId, stranger.did, 'not asked', { city: 'Atlantis' }],
    ]);
  });

  test('is not opened for what it does not understand, or with a list that is not there', async () => {
    const refused = async (more: JsonObject) => {
      const body = { requirements: requirementsOf(world, [claim('city')]), ...more };
      const { apiKey } = world.server;
      const answer = await postService(world.service.url, '/v1/verification/request', body, { apiKey });
      return `${answer.status} ${answer.body.code}`;
    };
    assert.equal(await refused({ trustList: 'nowhere' }), '404 trustListUnknown');
    assert.equal(await refused({ trustedIssuers: [] }), '400 requestMalformed');
    assert.equal(await refused({ trustedIssuer: world.service.issuer.did }), '400 requestMalformed');
    assert.equal(await refused({ trust_list: 'offices' }), '400 requestMalformed');
  });
});
