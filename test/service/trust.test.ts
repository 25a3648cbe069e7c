/**
 * Whom a verifier trusts, over HTTP: a stranger's credential under a good proof is refused where a university is
 * trusted, on every route that gives a verdict; lists of trusted issuers; and what a verdict says of each credential.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { postService } from '../support/service-http.ts';
import { attribute, type Issuer, ok, paths, templateBody } from '../support/service-steps.ts';
import { makeIssuer, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;
let stranger: Issuer;
let degreeId: string;
let strangersId: string;
let degree: JsonObject;
let strangers: JsonObject;
let both: JsonObject;

const degreeAttributes = [attribute('degree', 'string', 1), attribute('birthDate', 'date', 5)];

before(async () => {
  service = await startService(owner, { proofs });
  world = worldOf(service);
  const { steps, issuer, holder } = world;
  stranger = await makeIssuer(world, 'a stranger who issues');
  const registered = async (who: Issuer, templateName: string) =>
    (await steps.registerTemplate(who, { templateName, attributes: degreeAttributes })).templateId as string;
  degreeId = await registered(issuer, 'University degree');
  strangersId = await registered(stranger, 'Certificate of studies');
  const values = { degree: 'BSc Mathematics', birthDate: '1990-05-17' };
  const first = await steps.issue({ issuer, holder }, degreeId, values);
  const bought = { degree: 'Doctor of Everything', birthDate: '1970-01-01' };
  const second = await steps.issue({ issuer: stranger, holder }, strangersId, bought);
  degree = await steps.present(holder, {
    vc: first.vc,
    revealAttributes: ['degree'],
    age: { attribute: 'birthDate', minAge: 18 },
  });
  strangers = await steps.present(holder, { vc: second.vc, revealAttributes: ['degree'] });
  both = await steps.present(holder, {
    vcs: [
      { vc: first.vc, revealAttributes: ['degree'] },
      { vc: second.vc, age: { attribute: 'birthDate', minAge: 50 } },
    ],
  });
});

const verify = async (vp: JsonObject, more: JsonObject = {}, as?: { readonly apiKey: string }) =>
  ok(await postService(service.url, paths.verify, { vp, ...more }, as));
const fault = async (vp: JsonObject, more: JsonObject, as?: { readonly apiKey: string }) => {
  const { status, body } = await postService(service.url, paths.verify, { vp, ...more }, as);
  return `${status} ${body.code}`;
};

describe('a verdict with trusted issuers', () => {
  test('refuses the credential of a stranger, and names it in check 4', async () => {
    for (const name of ['trustedIssuers', 'trusted_issuers', 'issuers']) {
      const refused = await verify(strangers, { [name]: [world.issuer.did] });
      assert.equal(refused.verified, false, name);
      assert.deepEqual(refused.errors, [
        `disclosure: the issuer ${stranger.did} is not one of those trusted`,
      ]);
      const good = await verify(degree, { [name]: [world.issuer.did] });
      assert.equal(good.verified, true, name);
    }
    const second = await verify(both, { trustedIssuers: [world.issuer.did] });
    assert.deepEqual(second.errors, [
      `disclosure: the issuer ${stranger.did} is not one of those trusted (credential 2 of 2)`,
    ]);
  });

  test('refuses a template that was not wanted', async () => {
    assert.equal((await verify(degree, { templates: [degreeId] })).verified, true);
    const refused = await verify(degree, { templates: [strangersId] });
    assert.deepEqual(refused.errors, [
      `disclosure: the template "University degree" (${degreeId}) is not one of those wanted`,
    ]);
  });

  test('says of each credential who it was', async () => {
    const { verified, vcDetails, credentials } = await verify(both, {
      issuers: [world.issuer.did, stranger.did],
    });
    assert.equal(verified, true);
    const age = (vcDetails as JsonObject)['1.birthDate'] as string;
    assert.match(age, /^range proof ok: <= \d{4}-\d\d-\d\d$/);
    assert.deepEqual(vcDetails, { '0.degree': 'BSc Mathematics', '1.birthDate': age });
    const [first, second] = credentials as JsonObject[];
    assert.deepEqual(first?.issuer, { id: world.issuer.did });
    assert.deepEqual(first?.template, { id: degreeId, name: 'University degree', version: '1.0.0' });
    assert.equal(first?.issuerTrust, 'trusted');
    assert.equal(first?.validUntil, '2099-12-31T00:00:00Z');
    const { state, ledgerSeq, since } = (first as JsonObject).status as JsonObject;
    assert.equal(state, 'active');
    assert.match(String(ledgerSeq), /^[1-9]\d*$/);
    assert.match(String(since), /^\d{4}-.*Z$/);
    assert.deepEqual(first?.revealed, { degree: 'BSc Mathematics' });
    assert.deepEqual(second?.revealed, {});
    const max = age.slice('range proof ok: <= '.length);
    assert.deepEqual(second?.ranges, [
      { attribute: 'birthDate', max, age: { minAge: 50 }, text: '50 or older' },
    ]);
    const [open] = (await verify(strangers)).credentials as JsonObject[];
    assert.equal(open?.issuerTrust, 'not asked');
  });

  test('refuses what trusts nobody, or is no list of issuers', async () => {
    assert.equal(await fault(degree, { trustedIssuers: [] }), '400 requestMalformed');
    assert.equal(await fault(degree, { templates: [] }), '400 requestMalformed');
    assert.equal(await fault(degree, { trustedIssuers: ['University'] }), '400 requestMalformed');
    assert.equal(await fault(degree, { trustedIssuers: world.issuer.did }), '400 requestMalformed');
    assert.equal(await fault(degree, { trustList: 'universities' }), '401 notAuthenticated');
    assert.equal(await fault(degree, { trustList: 'universities' }, world.verifier), '404 trustListUnknown');
  });
});

describe('look-alike names', () => {
  const draft = (name: string, who: Issuer = stranger) =>
    postService(service.url, paths.templateBlob, templateBody(who, { templateName: name }), who);

  test('of another issuer are refused', async () => {
    for (const name of [
      'University-degree',
      'University degree.',
      'Ｕniversity degree',
      'Univérsity degree',
      'Universіtу degree',
      'UNlVERSlTY DEGREE',
    ]) {
      const answer = await draft(name);
      assert.ok(['nameTaken', 'templateInvalid', 'templateExists'].includes(String(answer.body.code)), name);
    }
    assert.equal((await draft('University degree', world.issuer)).body.code, 'templateExists');
    assert.equal((await draft('University degrees')).status, 200);
  });
});
