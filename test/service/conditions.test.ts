/**
 * Conditions of verifiers over HTTP, plain and sealed, in the body and in the address: what is understood is obeyed, what
 * is not is refused with a name that is known, and a presentation that is good otherwise is never called verified for
 * want of a name. All spellings by table: `packages/wire/src/trust/foreign-conditions.test.ts`.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { present } from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';
import { getService, postService, type SealTarget, sealTargetOf } from '../support/service-http.ts';
import {
  answerTo,
  claim,
  requirementsOf,
  startVerificationWorld,
  type VerificationWorld,
} from '../support/verification-world.ts';
import { challenge, postSubmission } from '../support/x401.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let world: VerificationWorld;
let vp: JsonObject;
let url: string;
let sealed: SealTarget;

before(async () => {
  world = await startVerificationWorld(owner, { proofs });
  url = world.service.url;
  sealed = await sealTargetOf(url);
  vp = await present(world, world.holder, { vc: world.vc, revealAttributes: ['city'] });
});

const strangers: JsonObject = {
  nonce: 'x',
  requests: {},
  ages: { attribute: 'birthDate', minAge: 18 },
  minAge: 18,
  allowed_issuers: [`did:zid:${'00'.repeat(32)}`],
  presentation_definition: {},
};

describe('vp/verify', () => {
  test('the presentation is good', async () => {
    const answer = await postService(url, '/cred/v1/vp/verify', { vp });
    assert.equal(answer.body.verified, true, answer.text);
  });

  test('a condition that is not known is refused, plain and sealed', async () => {
    for (const [name, value] of Object.entries(strangers))
      for (const [path, posting] of [
        ['/cred/v1/vp/verify', {}],
        ['/cred/v1/vp/enc/verify', { sealed }],
      ] as const) {
        const { status, body, text } = await postService(url, path, { vp, [name]: value }, posting);
        assert.deepEqual([status, body.code], [400, 'requestMalformed'], text);
        const [error] = body.errors as JsonObject[];
        assert.equal(error.pointer, `/${name}`);
        assert.match(error.detail as string, /is not known here; (did you mean|known are) "/);
      }
  });

  test('so is one in the address, and one inside of the request', async () => {
    for (const path of ['/cred/v1/vp/verify?challenge=x', '/cred/v1/vp/verify?challenge=']) {
      const { status, text } = await postService(url, path, { vp });
      assert.equal(status, 400, text);
    }
    const inAddress = await postService(url, '/cred/v1/vp/enc/verify?challenge=x', { vp }, { sealed });
    assert.equal(inAddress.status, 400, inAddress.text);
    const requests: JsonObject[] = [
      { revealAttributes: ['city'], rangeProofs: [{ attribute: 'height', min: 200 }] },
      { revealAttributes: ['city'], age: { attribute: 'birthDate', min_age: 99, minAge: 1 } },
      { revealAttributes: ['issuer.city'] },
    ];
    for (const request of requests) {
      const { status, text } = await postService(url, '/cred/v1/vp/verify', { vp, request });
      assert.equal(status, 400, text);
    }
  });

  test("keys of the issuer are obeyed: with another's it does not verify", async () => {
    const { issuer } = world.service;
    const verify = async (keys: JsonObject) =>
      (await postService(url, '/cred/v1/vp/verify', { vp, ...keys })).body as JsonObject;
    const [bbsPublicKey, ed25519PubKey] = [issuer.bbsPublicKey, issuer.signer.publicKey];
    assert.equal((await verify({ bbsPublicKey, ed25519PubKey })).verified, true);
    const other = await world.service.issuer.client.createBbsKey({ seed: '07'.repeat(32) });
    const wrong: JsonObject[] = [
      { bbsPublicKey: other.publicKeyMultibase },
      { bbsPublicKey, ed25519PubKey: world.holder.signer.publicKey },
    ];
    for (const keys of wrong) {
      const { verified, errors } = await verify(keys);
      assert.equal(verified, false);
      assert.match((errors as string[])[0], /^bbsProof: the issuer's .* is not the one that was named$/);
    }
    const malformed: JsonObject[] = [
      { bbsPublicKey: 'z1' },
      { ed25519PubKey: 'b001' },
      { bbsPublicKey: null },
    ];
    for (const keys of malformed)
      assert.equal((await postService(url, '/cred/v1/vp/verify', { vp, ...keys })).status, 400);
  });
});

describe('a kept presentation', () => {
  test('parameters are each known, given once, and not empty', async () => {
    const id = `v2-${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;
    const path = `/cred/v1/vp/verify?id=${id}`;
    assert.equal((await getService(url, path)).body.code, 'presentationUnknown');
    for (const more of [
      'challange=x',
      'nonce=x',
      'challenge=',
      'challenge=a&challenge=b',
      'challenge=a&challenge=',
    ]) {
      const { status, body, text } = await getService(url, `${path}&${more}`);
      assert.deepEqual([status, body.code], [400, 'requestMalformed'], text);
    }
  });
});

describe('sessions', () => {
  const open = (body: JsonObject) =>
    postService(url, '/v1/verification/request', body, { apiKey: world.server.apiKey });

  test('a condition that is not known opens none', async () => {
    const requirements = requirementsOf(world, [claim('city')]);
    const did = `did:zid:${'00'.repeat(32)}`;
    const wrong: JsonObject[] = [
      { requirements, trustedIssuer: [did] },
      { requirements, trusted_issuers: null },
      { requirements, minimumAge: 18 },
      { requirements: { ...requirements, allowed_issuers: [did] } },
      { requirements: requirementsOf(world, [{ path: ['issuer', 'name'] }]) },
      { requirements: requirementsOf(world, [{ path: ['address', 'city'] }]) },
    ];
    for (const body of wrong) {
      const { status, text } = await open(body);
      assert.equal(status, 400, text);
    }
  });

  const answered = async (requirements: JsonObject, revealAttributes: string[]) => {
    const asked = await challenge(world.server, requirements);
    const { definition, vpToken } = await answerTo(world, asked.presentationId, { revealAttributes });
    const { body } = await postSubmission(world.wallet, definition, { vpToken });
    return { definition, answer: body.object as JsonObject };
  };

  test('the issuer is that of the credential, and no attribute', async () => {
    const { did } = world.service.issuer;
    const asking = (constant: string) =>
      requirementsOf(world, [claim('city'), { path: ['issuer'], constraints: { const: constant } }]);
    assert.equal((await answered(asking(did), ['city'])).answer.verified, true);
    const { answer } = await answered(asking(world.holder.did), ['city']);
    assert.equal(answer.verified, false);
    assert.deepEqual(answer.errors, ['request: the issuer has another value than asked for']);
  });

  test('types in every form, and a query in its wrapper, which wallets fetch without it', async () => {
    const [credential] = requirementsOf(world, [claim('city')]).credentials as JsonObject[];
    const { meta: _types, ...bare } = credential;
    const forms = (type: string): JsonObject[] => [
      { credentialType: type },
      { credential_type: type },
      { credentialTypes: ['Passport', type] },
      { meta: { type_values: [['Passport'], ['VerifiableCredential', type]] } },
    ];
    for (const form of forms('Residence permit')) {
      const query = { credentials: [{ ...bare, ...form }] };
      const { definition, answer } = await answered({ requirementsId: 'r-1', query }, ['city']);
      assert.equal(answer.verified, true, JSON.stringify([form, answer.errors]));
      assert.deepEqual(definition.credentialQuery, query);
    }
    for (const form of forms('Visa')) {
      const { answer } = await answered({ credentials: [{ ...bare, ...form }] }, ['city']);
      assert.equal(answer.verified, false, JSON.stringify(form));
    }
  });
});
