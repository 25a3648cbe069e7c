/**
 * Credentials of templates by the VC-API, with a real service and node: issued, shown in part, presented and verified,
 * until the issuer suspends or revokes them.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Fields } from '@symbolon/core/basics/plain-values';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { payPaths } from '../support/payment-world.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { outcomeOf, postService } from '../support/service-http.ts';
import { fewValues, ok, signedBlobBody } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';
import { problemTypes, vcApiOf } from '../support/vc-api.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);
const credentialsV2 = 'https://www.w3.org/ns/credentials/v2';
const binding = { challenge: 'a-challenge-of-this-verifier', domain: 'https://verifier.example' };

let service: RunningService;
let world: ReturnType<typeof worldOf>;
let api: ReturnType<typeof vcApiOf>;
let context: string;

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  api = vcApiOf(service.url, world.issuer);
  const templateId = await registerCard(world, 'Field card');
  const { privateKey } = service.demo.issuer;
  const rules = { perDayMax: 1_000, until: '2099-01-01', privateKey, templateId } as JsonObject;
  ok(await postService(service.url, payPaths.autoIssue, rules, world.issuer));
  context = `${service.url}/contexts/${templateId.slice(-64)}/1.0.0`;
});

const order = (more: object = {}): JsonObject =>
  ({
    '@context': [credentialsV2, context],
    type: ['VerifiableCredential', 'FieldCard'],
    validUntil: '2099-12-31T00:00:00Z',
    credentialSubject: { id: 'did:example:holder', ...fewValues },
    ...more,
  }) as JsonObject;

async function issued(options?: object, more?: object): Promise<Fields> {
  const answer = await api.issue(order(more), options);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.verifiableCredential as Fields;
}

async function assertVerified(credential: object, isVerified = true): Promise<void> {
  const answer = await api.verify(credential, { returnResults: true });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.verified, isVerified, answer.text);
}

async function change(credentialId: string, statusPurpose: string, status: boolean): Promise<void> {
  const answer = await api.status({ credentialId, credentialStatus: { statusPurpose }, status });
  assert.equal(answer.status, 202, answer.text);
  const { submit, ...blob } = answer.body;
  ok(await postService(service.url, String(submit), signedBlobBody(world.issuer, blob)));
}

describe('credentials of templates by the VC-API', () => {
  test('eddsa-rdfc-2022: issued, verified, and refused where a value was changed', async () => {
    const credential = await issued();
    assert.equal((credential.proof as Fields).cryptosuite, 'eddsa-rdfc-2022');
    assert.match(String(credential.issuer), /^did:web:.*:oid4vci:[0-9a-f]{64}$/);
    await assertVerified(credential);
    const subject = { ...(credential.credentialSubject as object), fullName: 'Eve' };
    const refused = await api.verify({ ...credential, credentialSubject: subject });
    assert.deepEqual([refused.status, problemTypes(refused)], [400, ['PROOF_VERIFICATION_ERROR']]);
    assert.match(String(refused.headers['content-type']), /^application\/problem\+json/);
  });

  test('bbs-2023: a base proof is never verified nor presented; what is derived of it is', async () => {
    const credential = await issued({ cryptosuite: 'bbs-2023' });
    await assertVerified(credential, false);
    const presentation = { '@context': [credentialsV2], type: ['VerifiablePresentation'] };
    const leaky = await api.present({ ...presentation, verifiableCredential: [credential] }, binding);
    assert.equal(outcomeOf(leaky), '400 presentationMalformed');
    const derived = await api.derive(credential, ['/credentialSubject/fullName']);
    assert.equal(derived.status, 201, derived.text);
    const shown = derived.body.verifiableCredential as Fields;
    assert.deepEqual(Object.keys(shown.credentialSubject as object).toSorted(), ['fullName', 'id']);
    await assertVerified(shown);
    const again = await api.derive(shown, ['/credentialSubject/fullName']);
    assert.equal(again.status, 400);
  });

  test('mandatoryPointers are shown whatever is chosen', async () => {
    const credential = await issued({ mandatoryPointers: ['/credentialSubject/birthDate'] });
    const { body } = await api.derive(credential, ['/credentialSubject/fullName']);
    const { credentialSubject } = body.verifiableCredential as Fields;
    assert.deepEqual(Object.keys(credentialSubject as object).toSorted(), ['birthDate', 'fullName', 'id']);
    const wrong = { cryptosuite: 'eddsa-rdfc-2022', mandatoryPointers: ['/issuer'] };
    assert.equal(outcomeOf(await api.issue(order(), wrong)), '400 requestMalformed');
  });

  test('a presentation is signed for one challenge and one domain', async () => {
    const presentation = {
      '@context': [credentialsV2],
      type: ['VerifiablePresentation'],
      verifiableCredential: [await issued()],
    };
    const { status, body, text } = await api.present(presentation, binding);
    assert.equal(status, 201, text);
    const made = body.verifiablePresentation as Fields;
    const good = await api.verifyPresentation(made, binding);
    assert.deepEqual([good.status, good.body.verified], [200, true], good.text);
    assert.equal((good.body.warnings as object[]).length, 1, 'the holder is not the subject');
    const cases = [
      [{ ...binding, challenge: 'another' }, 'INVALID_CHALLENGE_ERROR'],
      [{ ...binding, domain: 'https://other.example' }, 'INVALID_DOMAIN_ERROR'],
      [{ challenge: binding.challenge }, 'INVALID_DOMAIN_ERROR'],
    ] as const;
    for (const [options, type] of cases) {
      const refused = await api.verifyPresentation(made, options);
      assert.deepEqual([refused.status, problemTypes(refused)], [400, [type]]);
    }
    assert.equal((await api.verifyPresentation(made, {})).status, 400);
    const { holder: _, ...anybodys } = made;
    assert.equal(
      (await api.verifyPresentation({ ...anybodys, holder: 'did:example:eve' }, binding)).status,
      400,
    );
  });

  test('suspended, reinstated and revoked by the ledger itself; by id and by place', async () => {
    const credentialId = 'https://issuer.example/cards/1';
    const credential = await issued({ credentialId });
    assert.equal(credential.id, credentialId);
    await change(credentialId, 'suspension', true);
    await assertVerified(credential, false);
    await change(credentialId, 'suspension', false);
    await assertVerified(credential);
    await change(credentialId, 'revocation', true);
    const refused = await api.verify(credential);
    assert.deepEqual([refused.status, problemTypes(refused)], [400, ['STATUS_VERIFICATION_ERROR']]);
    const [revocation] = credential.credentialStatus as Fields[];
    const known = await api.status({ credentialStatus: revocation, status: true });
    assert.deepEqual([known.status, known.body], [200, { status: 'Revoked' }]);
    const back = { credentialId, credentialStatus: { statusPurpose: 'revocation' }, status: false };
    assert.equal(outcomeOf(await api.status(back)), '409 statusForbids');
    const unknown = { ...back, credentialId: 'https://issuer.example/cards/none' };
    assert.equal(outcomeOf(await api.status(unknown)), '404 credentialUnknown');
  });

  test('the same order under the same id has the same entry, another order is refused', async () => {
    const credentialId = 'https://issuer.example/cards/2';
    const first = await issued({ credentialId });
    const again = await issued({ credentialId });
    assert.notDeepEqual(again.credentialStatus, first.credentialStatus);
    const other = order({ credentialSubject: { ...fewValues, fullName: 'Eve' } });
    assert.equal(outcomeOf(await api.issue(other, { credentialId })), '409 stateForbids');
    await change(credentialId, 'revocation', true);
    for (const credential of [first, again]) await assertVerified(credential, false);
  });

  test('what is not understood is refused by name, and whose instance it is not, too', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ evidence: [{ type: 'Evidence' }] }, '/credential/evidence'],
      [{ credentialStatus: { type: 'BitstringStatusListEntry' } }, '/credential/credentialStatus'],
      [{ proof: { type: 'DataIntegrityProof' } }, '/credential/proof'],
      [{ issuer: 'did:example:eve' }, '/credential/issuer'],
      [{ type: ['VerifiableCredential'] }, '/credential/type'],
      [{ '@context': [credentialsV2] }, '/credential/@context'],
      [{ validUntil: undefined }, '/credential/validUntil'],
      [{ credentialSubject: {} }, '/credential/credentialSubject'],
    ];
    for (const [more, pointer] of cases) {
      const { status, body } = await api.issue(order(more));
      assert.equal(status, 400, pointer);
      assert.deepEqual((body.errors as Fields[])[0]?.pointer, pointer);
    }
    const unknown = await api.issue(order(), { credentialID: 'urn:x' });
    assert.match(unknown.text, /did you mean \\"credentialId\\"/);
    const { holder } = world;
    const strangers = await api.post('/credentials/verify', { verifiableCredential: order() }, holder.apiKey);
    assert.equal(outcomeOf(strangers), '403 issuerMismatch');
    const nobody = await postService(service.url, `${api.base}/credentials/verify`, {});
    assert.equal(nobody.status, 401);
  });

  test('a template whose issuer has left no key is not issued at once', async () => {
    const templateId = await registerCard(world, 'Desk card');
    const place = `${service.url}/contexts/${templateId.slice(-64)}/1.0.0`;
    const wanted = order({ '@context': [credentialsV2, place], type: ['VerifiableCredential', 'DeskCard'] });
    assert.equal(outcomeOf(await api.issue(wanted)), '403 autoIssueRefused');
  });
});
