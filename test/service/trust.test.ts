/**
 * Whom a verifier trusts, over HTTP: a stranger's credential under a good proof is refused where a university is
 * trusted, on every route that gives a verdict; lists of trusted issuers; and what a verdict says of each credential.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { trustLimits } from '@symbolon/core/limits/documents';
import { addSavedPresentation } from '@symbolon/credential-service/presentations/saved-presentation-rows';
import { contexts } from '@symbolon/credential-service/vault/encryption-contexts';
import {
  fetchOfflineFacts,
  publishName,
  signerFromSeed,
  verifyPresentationOffline,
} from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import { attribute, type Issuer, ok, paths, signedBlobBody, templateBody } from '../support/service-steps.ts';
import { makeIssuer, makeParty, type World, worldOf } from '../support/service-world.ts';

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
    const twice = [{ did: world.issuer.did, templates: [strangersId] }, world.issuer.did];
    assert.equal(await fault(degree, { trustedIssuers: twice }), '400 requestMalformed');
    assert.equal(await fault(degree, { trustList: 'universities' }), '401 notAuthenticated');
    assert.equal(await fault(degree, { trustList: 'universities' }, world.verifier), '404 trustListUnknown');
  });
});

describe('a list of trusted issuers', () => {
  const lists = '/v1/trust/lists';
  const put = (name: string, entry: JsonObject, as: { readonly apiKey: string } = world.verifier) =>
    postService(service.url, lists, { list: name, ...entry }, as);
  const remove = async (name: string, did: string) => {
    const headers = { authorization: `Bearer ${world.verifier.apiKey}` };
    return fetch(`${service.url}/v1/trust/lists/${name}/${did}`, { method: 'DELETE', headers });
  };

  test('is kept, used by its name, and names the issuer in verdicts', async () => {
    const entry = { did: world.issuer.did, name: 'University of Example', templates: [degreeId] };
    assert.deepEqual(ok(await put('universities', entry)), { name: 'universities', issuers: [entry] });
    const { verified, credentials } = await verify(degree, { trustList: 'universities' }, world.verifier);
    assert.equal(verified, true);
    const [credential] = credentials as [JsonObject];
    const { did: id, name } = entry;
    assert.deepEqual(credential.issuer, { id, name, nameSource: 'trustList' });
    assert.equal(credential.issuerTrust, 'trusted');
    const sealed = await service.verifier.sealedClient.verifyPresentation({
      vp: strangers,
      trustList: 'universities',
    });
    assert.match(sealed.errors?.[0] ?? '', /^disclosure: the issuer .* is not one of those trusted$/);
    const more = { trustList: 'universities', trustedIssuers: [stranger.did] };
    assert.equal((await verify(both, more, world.verifier)).verified, true, 'both together');
  });

  test('and a word beside it do not say two things of one issuer', async () => {
    ok(await put('narrow', { did: world.issuer.did, name: 'University', templates: [strangersId] }));
    const beside = (issuer: JsonObject | string) =>
      fault(degree, { trustList: 'narrow', trustedIssuers: [issuer] }, world.verifier);
    assert.equal(await beside(world.issuer.did), '400 requestMalformed');
    assert.equal(await beside({ did: world.issuer.did, templates: [degreeId] }), '400 requestMalformed');
    assert.equal(await beside({ did: world.issuer.did, templates: [strangersId] }), '200 undefined');
    ok(await put('narrow', { did: world.issuer.did }));
    const more = { trustList: 'narrow', trustedIssuers: [world.issuer.did] };
    assert.equal((await verify(degree, more, world.verifier)).verified, true, 'the same twice');
    const narrower = { did: world.issuer.did, templates: [strangersId] };
    const refused = await postService(
      service.url,
      '/v1/verification/request',
      { requirements: { credentials: [{ id: 'a' }] }, trustList: 'narrow', trustedIssuers: [narrower] },
      world.verifier,
    );
    assert.deepEqual([refused.status, refused.body.code], [400, 'requestMalformed'], refused.text);
  });

  test('trusts an issuer for the templates that it says', async () => {
    ok(await put('other', { did: world.issuer.did, templates: [strangersId] }));
    const { errors } = await verify(degree, { trustList: 'other' }, world.verifier);
    assert.match(
      String(errors),
      /disclosure: the issuer .* is not trusted for the template "University degree"/,
    );
    ok(await put('other', { did: world.issuer.did }));
    assert.equal((await verify(degree, { trustList: 'other' }, world.verifier)).verified, true, 'replaced');
  });

  test('is nobody else’s', async () => {
    ok(await put('private', { did: world.issuer.did }));
    const holder = await makeParty(world, 'another verifier');
    const other = await getService(service.url, '/v1/trust/lists/private', holder);
    assert.equal(`${other.status} ${other.body.code}`, '404 trustListUnknown');
    assert.deepEqual(ok(await getService(service.url, lists, holder)), { lists: [] });
    assert.equal(await fault(degree, { trustList: 'private' }, holder), '404 trustListUnknown');
    assert.equal((await getService(service.url, lists)).status, 401);
    const unscoped = await makeParty(world, 'no verifier', ['issue']);
    assert.equal((await getService(service.url, lists, unscoped)).body.code, 'notAllowed');
  });

  test('is gone with its last issuer, and then trusts nobody', async () => {
    ok(await put('short', { did: world.issuer.did }));
    assert.equal((await remove('short', world.issuer.did)).status, 200);
    assert.equal((await remove('short', world.issuer.did)).status, 404);
    assert.equal(await fault(degree, { trustList: 'short' }, world.verifier), '404 trustListUnknown');
  });

  test('has bounds, and entries that are what they seem', async () => {
    const bad: readonly JsonObject[] = [
      {},
      { did: 'University' },
      { did: world.issuer.did, name: 'Unіversity' },
      { did: world.issuer.did, name: 'a\u202eb' },
      { did: world.issuer.did, templates: [] },
      { did: world.issuer.did, template: degreeId },
    ];
    for (const entry of bad)
      assert.equal((await put('bad', entry)).body.code, 'requestMalformed', JSON.stringify(entry));
    assert.equal((await put('no spaces', { did: world.issuer.did })).body.code, 'requestMalformed');
    const did = (index: number) => `did:zid:${String(index).padStart(64, '0')}`;
    for (let index = 0; index < trustLimits.issuersMax; index++) ok(await put('full', { did: did(index) }));
    const one = await put('full', { did: did(trustLimits.issuersMax) });
    assert.equal(`${one.status} ${one.body.code}`, '409 trustListFull');
    assert.equal((await put('full', { did: did(0), name: 'First' })).status, 200, 'one that is on it');
  });

  test('a presentation that is kept is judged by it as well', async () => {
    const saved = await keep(both);
    const ask = (query: string, as?: { readonly apiKey: string }) =>
      getService(service.url, `/cred/v1/vp/verify?id=${saved}${query === '' ? '' : `&${query}`}`, as);
    const open = ok(await ask(''));
    assert.equal((open.credentials as JsonObject[]).length, 2);
    const refused = ok(await ask(`trustedIssuers=${world.issuer.did}`));
    assert.match(String(refused.errors), /disclosure: the issuer .* \(credential 2 of 2\)/);
    assert.equal(ok(await ask(`trustedIssuers=${world.issuer.did},${stranger.did}`)).verified, true);
    assert.equal(ok(await ask('trustList=universities', world.verifier)).verified, false);
    assert.equal(ok(await ask(`templates=${degreeId}`)).verified, false);
    assert.equal((await ask('trustList=universities')).body.code, 'notAuthenticated');
    assert.equal((await ask('trustedIssuers=nobody')).body.code, 'requestMalformed');
    assert.equal((await ask('trusted_issuer=nobody')).body.code, 'requestMalformed');
  });

  /** As a wallet keeps what it derived. */
  async function keep(vp: JsonObject): Promise<string> {
    const { database, vault, clock } = service.served.parts;
    const id = `v2-${randomUUID()}`;
    const now = clock.nowMs();
    const presentation = await vault.encryptDocument(vp, contexts.savedPresentation(id));
    await addSavedPresentation(database.kysely, {
      id,
      presentation,
      createdAt: now,
      expiresAt: now + 60_000,
    });
    return id;
  }
});

test('a verifier without a service says the same', async () => {
  const facts = await fetchOfflineFacts(service.stranger, {
    issuer: stranger.did,
    vcIds: [((strangers.verifiableCredential as JsonObject[])[0] as JsonObject).id as string],
  });
  const trusting = (trustedIssuers: readonly (string | { did: string; name: string })[]) =>
    verifyPresentationOffline(strangers, {
      facts,
      takenFrom: 'self',
      trustedIssuers: [...trustedIssuers],
      now: Date.now(),
    });
  await assert.rejects(trusting([{ did: stranger.did, name: 'Somebody' }, stranger.did]), /came before/);
  const refused = await trusting([world.issuer.did]);
  assert.deepEqual(refused.errors, [`disclosure: the issuer ${stranger.did} is not one of those trusted`]);
  const good = await trusting([{ did: stranger.did, name: 'Somebody we know' }]);
  assert.deepEqual(good.errors, []);
  const online = (await verify(strangers, {
    issuers: [{ did: stranger.did, name: 'Somebody we know' }],
  })) as {
    credentials?: { status: { since: string } }[];
  };
  const withoutFraction = structuredClone(good.credentials) as typeof online.credentials;
  for (const { status } of withoutFraction ?? []) status.since = status.since.replace(/\.\d+Z$/, 'Z');
  assert.deepEqual(withoutFraction, online.credentials);
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

  test('are refused in either order, and free again with the template', async () => {
    const { steps, issuer } = world;
    const first = ok(await draft('Sailing Iicence'));
    const second = ok(await draft('Sailing licence', world.issuer));
    await steps.registerTemplate(stranger, { templateName: 'Something in between' });
    const late = await steps.post(paths.templateSubmit, signedBlobBody(stranger, first));
    assert.equal(late.body.code, 'blobReplaced', 'the ledger did not take it');
    ok(await steps.post(paths.templateSubmit, signedBlobBody(issuer, second)));
    assert.equal(`${(await draft('Sailing Iicence')).body.code}`, 'nameTaken');
  });

  test('at the same time: one of them is registered', async () => {
    const { steps, issuer } = world;
    const wanted = [
      { who: issuer, name: 'Harbour pass' },
      { who: stranger, name: 'Harbour-pass' },
    ];
    const blobs = await Promise.all(wanted.map(async ({ who, name }) => ok(await draft(name, who))));
    const answers = await Promise.all(
      wanted.map(({ who }, index) =>
        steps.post(paths.templateSubmit, signedBlobBody(who, blobs[index] as JsonObject)),
      ),
    );
    const told = answers.map(({ status, body }) => body.code ?? status).sort();
    assert.deepEqual(told, [200, 'nameTaken']);
  });

  test('of issuers: the one who came first has it, and verdicts show no other', async () => {
    const { client, steps, issuer } = world;
    const [own, others] = await Promise.all([issuer, stranger].map(({ seed }) => signerFromSeed(seed)));
    await publishName(client, { signer: own, name: 'University of Example' });
    const named = { id: issuer.did, name: 'University of Example', nameSource: 'issuer' };
    const issuerIn = async (vp: JsonObject) => ((await verify(vp)).credentials as JsonObject[])[0]?.issuer;
    assert.deepEqual(await issuerIn(degree), named);
    await steps.registerTemplate(issuer, { templateName: 'Transcript of records' });
    await publishName(client, { signer: others, name: 'UNIVERSITY OF EXAMPLE' });
    assert.deepEqual(await issuerIn(strangers), { id: stranger.did }, 'a name that is another one’s');
    assert.equal((await draft('Ordinary name')).body.code, 'nameTaken');
    assert.equal((await draft('University-of-Example', world.issuer)).status, 200, 'its own name');
    const newer = templateBody(stranger, { templateName: 'Something in between', version: '2.0.0' });
    assert.equal((await steps.post(paths.templateBlob, newer, stranger)).status, 200, 'what it has already');
    await publishName(client, { signer: own, name: 'Academy of Example' });
    assert.equal((await draft('Ordinary name')).status, 200, 'nobody goes by that name any more');
    await publishName(client, { signer: own, name: 'University of Example' });
    await publishName(client, { signer: others, name: 'College of Strangers' });
    const honest = { id: stranger.did, name: 'College of Strangers', nameSource: 'issuer' };
    assert.deepEqual(await issuerIn(strangers), honest);
    const issuers = [stranger.did, { did: issuer.did, name: 'College-of-Strangers' }];
    const [told] = (await verify(strangers, { issuers })).credentials as [JsonObject];
    assert.deepEqual(told.issuer, { id: stranger.did }, 'a name of the list for somebody else');
  });
});
