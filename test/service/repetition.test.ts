/**
 * Who gets an answer again: whoever sends the whole request again, as the same caller under the same idempotency key,
 * and nobody who brings only what is public. A key that is shown is the acting party's. What was read is in the audit
 * log.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { shiftedClock } from '../support/service-error-world.ts';
import { getService, outcomeOf, type Posting, postService } from '../support/service-http.ts';
import {
  applicationText,
  applyBody,
  createBody,
  downloadBody,
  fewValues,
  ok,
  paths,
  presentSubmitBody,
  revokeBody,
  signedBlobBody,
  signText,
  submitBody,
  templateBody,
} from '../support/service-steps.ts';
import { makeParty, registerCard, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const clock = shiftedClock();
let service: RunningService;
let world: World;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs: shareProofs(owner), clock });
  world = worldOf(service);
  templateId = await registerCard(world, 'Repeated card');
});

const post = (path: string, body: JsonObject, as: Posting = {}) => postService(service.url, path, body, as);

/** As after a day, or after a crash before the answer was kept. */
const forgetAnswers = () => service.served.parts.database.kysely.deleteFrom('idempotency').execute();

const audited = async (action: string, subject: string): Promise<number> => {
  const { entries } = await service.admin.listAuditEntries({ action, subject });
  return entries.length;
};

async function submitted(name: string, as: Posting = {}) {
  const { steps, issuer } = world;
  const vcId = await steps.apply(person(name), templateId);
  const created = await steps.create(issuer, vcId, templateId);
  const body = submitBody(issuer, vcId, created);
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await post(paths.submit, body, { ...as, headers });
  ok(answer);
  await forgetAnswers();
  return { vcId, body, headers, answer };
}

describe('submitting again', () => {
  test('with what is public gets nothing', async () => {
    const { body, headers, vcId } = await submitted('public signature');
    const known = { ...body, bbsBlsSignData: `u${randomBytes(80).toString('base64url')}` };
    const tries: readonly (readonly [JsonObject, Record<string, string>])[] = [
      [known, { 'idempotency-key': 'any' }],
      [known, headers],
      [{ ...body, keyExpiry: '60' }, headers],
    ];
    for (const [sent, key] of tries) {
      const answer = await post(paths.submit, sent, { headers: key });
      assert.equal(outcomeOf(answer), '409 stateForbids');
      assert.doesNotMatch(answer.text, /Aroha|credentialSubject/);
    }
    assert.equal(await audited('credential.download', vcId), 0);
  });

  test('whole, under another key or as somebody else, gets nothing', async () => {
    const { body, headers } = await submitted('whole request');
    const { issuer } = world;
    const others = [
      post(paths.submit, body),
      post(paths.submit, body, { headers: { 'idempotency-key': 'another' } }),
      post(paths.submit, body, { headers, apiKey: issuer.apiKey }),
    ];
    for (const answer of await Promise.all(others)) assert.equal(outcomeOf(answer), '409 stateForbids');
  });

  test('whole, by the same caller under the same key, gets the same, and is in the audit log', async () => {
    const { vcId, body, headers, answer } = await submitted('lost answer');
    const again = await post(paths.submit, body, { headers });
    assert.equal(again.text, answer.text);
    assert.equal(await audited('credential.download', vcId), 1);
    const kept = await post(paths.submit, body, { headers });
    assert.equal(kept.headers['idempotency-replayed'], 'true');
    assert.equal(await audited('answer.repeat', vcId), 1);
  });

  test('after the download is over gets nothing, swept or not', async () => {
    const { steps, issuer } = world;
    const vcId = await steps.apply(person('late repeat'), templateId);
    const created = await steps.create(issuer, vcId, templateId);
    const body = { ...submitBody(issuer, vcId, created), keyExpiry: '60' };
    const headers = { 'idempotency-key': randomUUID() };
    ok(await post(paths.submit, body, { headers }));
    await forgetAnswers();
    clock.advanceMs(61_000);
    const answer = await post(paths.submit, body, { headers });
    assert.equal(outcomeOf(answer), '409 stateForbids');
  });
});

test('creating again is answered from before only if all of it is the same', async () => {
  const { steps, issuer } = world;
  const vcId = await steps.apply(person('drafted'), templateId);
  const as = { apiKey: issuer.apiKey, headers: { 'idempotency-key': randomUUID() } };
  const body = createBody(vcId, templateId);
  const first = await post(paths.create, body, as);
  ok(first);
  await forgetAnswers();
  const again = await post(paths.create, body, as);
  assert.equal(again.text, first.text);
  assert.equal(await audited('application.read', vcId), 1, 'what is read again is told');
  await forgetAnswers();
  const other = ok(await post(paths.create, { ...body, expiredDate: '2098-01-01' }, as));
  const { validUntil } = (other.unsigned as { credential: JsonObject }).credential;
  assert.equal(validUntil, '2098-01-01T00:00:00Z');
});

describe('an application', () => {
  const reject = async (vcId: string) =>
    ok(await post('/cred/v1/vc/reject', { vcId, reason: 'no' }, { apiKey: world.issuer.apiKey }));

  test('cannot be sent again once it was rejected, by whoever has seen it', async () => {
    const body = applyBody(person('rejected'), templateId);
    const { vcId } = ok(await post(paths.apply, body));
    assert.equal(outcomeOf(await post(paths.apply, body)), '409 applicationExists');
    await reject(vcId as string);
    const again = await post(paths.apply, body);
    assert.equal(outcomeOf(again), '409 signatureUsed');
    assert.match(again.text, /signedText/);
    const canonical = { ...body, metadata: [...(body.metadata as JsonObject[])].reverse() };
    assert.equal(outcomeOf(await post(paths.apply, canonical)), '401 signerMismatch');
  });

  test('whose answer was lost tells its id to the same whole request of the same caller, and to nobody else', async () => {
    const holder = await makeParty(world, 'forgetful');
    const body = applyBody(holder, templateId);
    const { vcId } = ok(await post(paths.apply, body));
    const again = await post(paths.apply, body);
    assert.deepEqual([outcomeOf(again), again.body.vcId], ['409 applicationExists', vcId]);
    const byHolder = await post(paths.apply, body, { apiKey: holder.apiKey });
    assert.deepEqual([outcomeOf(byHolder), byHolder.body.vcId], ['409 applicationExists', vcId]);
    const { holderPublicKey: publicKey, ...rest } = body;
    const others = [
      await post(paths.apply, { ...rest, publicKey }),
      await post(paths.apply, body, { headers: { 'idempotency-key': randomUUID() } }),
    ];
    for (const other of others)
      assert.deepEqual([outcomeOf(other), other.body.vcId], ['409 applicationExists', undefined]);
    await world.steps.create(world.issuer, vcId as string, templateId);
    const underWay = await post(paths.apply, body);
    assert.deepEqual([outcomeOf(underWay), underWay.body.vcId], ['409 signatureUsed', vcId]);
  });

  test('may come again after the credential was issued, until one is rejected', async () => {
    const holder = person('issued before');
    const body = applyBody(holder, templateId);
    const { vcId } = ok(await post(paths.apply, body));
    const created = await world.steps.create(world.issuer, vcId as string, templateId);
    await world.steps.submit(world.issuer, vcId as string, created);
    const { vcId: second } = ok(await post(paths.apply, body));
    assert.notEqual(second, vcId);
    assert.equal(outcomeOf(await post(paths.apply, body)), '409 applicationExists');
    await world.steps.create(world.issuer, second as string, templateId);
    assert.equal(outcomeOf(await post(paths.apply, body)), '409 signatureUsed', 'while one is under way');
    await reject(second as string);
    assert.equal(outcomeOf(await post(paths.apply, body)), '409 signatureUsed');
  });

  test('is made again with a text of its own moment', async () => {
    const holder = person('comes again');
    const bodyAt = (ms: number) => {
      const { signData, ...body } = applyBody(holder, templateId);
      const signedText = applicationText(body, { audience: service.url, nowMs: clock.nowMs() + ms });
      return { ...body, signData: signText(holder, signedText), signedText };
    };
    const body = bodyAt(0);
    const { vcId } = ok(await post(paths.apply, body));
    await reject(vcId as string);
    assert.equal(outcomeOf(await post(paths.apply, body)), '409 signatureUsed');
    ok(await post(paths.apply, bodyAt(1_000)));
    assert.equal(outcomeOf(await post(paths.apply, bodyAt(-301_000))), '401 presenceRefused');
    const other = { ...bodyAt(2_000), metadata: [{ key: 'fullName', value: 'Somebody Else' }] };
    assert.equal(outcomeOf(await post(paths.apply, other)), '401 presenceRefused');
  });

  test("or with the holder's API key", async () => {
    const { holder, steps, issuer } = world;
    const { templateId: own } = await steps.registerTemplate(issuer, { templateName: 'Keyed again' });
    const body = applyBody(holder, own as string);
    const { vcId } = ok(await post(paths.apply, body));
    await reject(vcId as string);
    assert.equal(outcomeOf(await post(paths.apply, body)), '409 signatureUsed');
    ok(await post(paths.apply, body, { apiKey: holder.apiKey }));
  });

  test('that an issuer looks at is in the audit log', async () => {
    const vcId = await world.steps.apply(person('looked at'), templateId);
    ok(await getService(service.url, `/cred/v1/vc/applications/${vcId}`, world.issuer));
    assert.equal(await audited('application.read', vcId), 1);
    const listed = await audited('application.list', world.issuer.did);
    ok(await getService(service.url, '/cred/v1/vc/applications', world.issuer));
    assert.equal(await audited('application.list', world.issuer.did), listed + 1);
  });
});

describe("a stranger's key is refused", () => {
  const stranger = () => ({ apiKey: world.verifier.apiKey });

  test('with an application', async () => {
    const body = applyBody(person('with a key'), templateId, fewValues);
    assert.equal(outcomeOf(await post(paths.apply, body, stranger())), '401 notAllowed');
    ok(await post(paths.apply, body));
  });

  test('with a credential and its download', async () => {
    const { steps, issuer, holder } = world;
    const { templateId: own } = await steps.registerTemplate(issuer, { templateName: 'Key card' });
    const vcId = await steps.apply(holder, own as string);
    const created = await steps.create(issuer, vcId, own as string);
    const body = submitBody(issuer, vcId, created);
    assert.equal(outcomeOf(await post(paths.submit, body, stranger())), '401 notAllowed');
    ok(await post(paths.submit, body, { apiKey: issuer.apiKey }));
    const download = downloadBody(holder, vcId);
    assert.equal(outcomeOf(await post(paths.download, download, stranger())), '401 notAllowed');
    assert.equal(
      outcomeOf(await post(paths.download, download, { apiKey: issuer.apiKey })),
      '401 notAllowed',
    );
    ok(await post(paths.download, download, { apiKey: holder.apiKey }));
    ok(await post(paths.download, downloadBody(issuer, vcId, true), { apiKey: issuer.apiKey }));
  });

  test('with a presentation', async () => {
    const { steps, issuer, holder } = world;
    const { templateId: own } = await steps.registerTemplate(issuer, { templateName: 'Shown card' });
    const { vc } = await steps.issue({ issuer, holder }, own as string);
    const blob = ok(await post(paths.present, { vc, revealAttributes: ['fullName'] }));
    const body = presentSubmitBody(holder, blob);
    assert.equal(outcomeOf(await post(paths.presentSubmit, body, stranger())), '401 notAllowed');
    ok(await post(paths.presentSubmit, body, { apiKey: holder.apiKey }));
    assert.equal(await audited('presentation.complete', holder.did), 1);
  });

  test('with a template and a revocation', async () => {
    const { steps, issuer } = world;
    const draft = templateBody(issuer, { templateName: 'Signed card' });
    const blob = ok(await post(paths.templateBlob, draft, { apiKey: issuer.apiKey }));
    const body = signedBlobBody(issuer, blob);
    assert.equal(outcomeOf(await post(paths.templateSubmit, body, stranger())), '401 notAllowed');
    ok(await post(paths.templateSubmit, body));
    const { vcId } = await steps.issue({ issuer, holder: person('to be revoked') }, templateId);
    const revocation = ok(await post(paths.revokeBlob, revokeBody(issuer, vcId)));
    const revoke = signedBlobBody(issuer, revocation);
    assert.equal(outcomeOf(await post(paths.revokeSubmit, revoke, stranger())), '401 notAllowed');
    ok(await post(paths.revokeSubmit, revoke, { apiKey: issuer.apiKey }));
  });
});
