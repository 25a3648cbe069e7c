/**
 * Issuance over HTTP beside the straight way: the whole table of states as the issuer's inbox shows it, values that the
 * issuer fills in, drafts and downloads that lapse, older forms of requests; and that what people tell the service is
 * nowhere on its disk in clear.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { shiftedClock } from '../support/service-error-world.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import {
  applyBody,
  createBody,
  downloadBody,
  fewValues,
  ok,
  paths,
  signText,
  submitBody,
} from '../support/service-steps.ts';
import { registerCard, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const clock = shiftedClock();
let service: RunningService;
let world: World;
let templateId: string;

before(async () => {
  service = await startService(owner, { proofs, clock });
  world = worldOf(service);
  templateId = await registerCard(world, 'State card');
});

const post = (path: string, body: JsonObject, apiKey = world.issuer.apiKey) =>
  postService(service.url, path, body, { apiKey });
const inbox = async (query = ''): Promise<JsonObject> =>
  ok(await getService(service.url, `/cred/v1/vc/applications${query}`, world.issuer));
const look = async (vcId: string): Promise<JsonObject> =>
  ok(await getService(service.url, `/cred/v1/vc/applications/${vcId}`, world.issuer));

describe('what an issuer need not believe', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();

  test('the draft comes with all that its signing input is made of', async () => {
    const { steps, issuer } = world;
    const vcId = await steps.apply(person('drafted'), templateId);
    const created = await steps.create(issuer, vcId, templateId);
    const { credential, proofOptions, salt } = created.unsigned as Record<string, JsonObject>;
    assert.equal(credential.id, vcId);
    const header = Buffer.from('{"alg":"EdDSA","b64":false,"crit":["b64"]}').toString('base64url');
    const digests = [sha256(canonicalJson(proofOptions)), sha256(canonicalJson({ credential, salt }))];
    const beginning = Buffer.concat([Buffer.from(`${header}.`), ...digests])
      .toString('hex')
      .toUpperCase();
    assert.ok((created.ed25519Blob as string).startsWith(beginning));
    assert.equal((created.ed25519Blob as string).length, beginning.length + 2 * 48);
  });

  test("an application comes with its holder's signature, in either form, until it is decided on", async () => {
    const [timed, plain] = [person('timed'), person('plain')];
    const vcId = await world.steps.apply(timed, templateId);
    const { signed } = (await look(vcId)) as { signed: Record<string, string> };
    assert.equal(signed.signData, signText(timed, signed.signedText));
    assert.ok(signed.signedText.includes(`subject: sha256:${sha256(signed.content).toString('hex')}`));
    assert.equal((JSON.parse(signed.content) as JsonObject).templateId, templateId);
    const { metadata, ...body } = applyBody(plain, templateId);
    // In the order of the interface, not the canonical one.
    const content = JSON.stringify({ templateId, metadata });
    const sent = { ...body, metadata, signData: signText(plain, content) };
    const bare = ok(await postService(service.url, paths.apply, sent as JsonObject)).vcId as string;
    assert.deepEqual((await look(bare)).signed, { content, signData: sent.signData });
    await post('/cred/v1/vc/reject', { vcId: bare, reason: 'no' });
    assert.equal((await look(bare)).signed, undefined);
  });
});

describe('the states of an application', () => {
  test('Pending, Approved, Issued, Revoked', async () => {
    const { steps, issuer, holder } = world;
    const vcId = await steps.apply(holder, templateId);
    const pending = await look(vcId);
    assert.equal(pending.status, 'Pending');
    assert.equal(pending.holder, holder.did);
    assert.deepEqual(pending.metadata, [
      { key: 'fullName', value: 'Aroha Ngata' },
      { key: 'birthDate', value: '1990-05-17' },
    ]);
    const created = await steps.create(issuer, vcId, templateId);
    assert.equal((await look(vcId)).status, 'Approved');
    await steps.submit(issuer, vcId, created);
    const issued = await look(vcId);
    assert.equal(issued.status, 'Issued');
    assert.equal(issued.metadata, undefined, 'what the holder applied with is forgotten');
    await steps.revoke(issuer, vcId);
    assert.equal((await look(vcId)).status, 'Revoked');
    await steps.apply(holder, templateId);
  });

  test('Rejected, pending or approved, with a reason that the issuer reads', async () => {
    const { steps, issuer } = world;
    for (const isApproved of [false, true]) {
      const vcId = await steps.apply(person(`rejected ${isApproved}`), templateId);
      const created = isApproved ? await steps.create(issuer, vcId, templateId) : {};
      const rejected = ok(await post('/cred/v1/vc/reject', { vcId, reason: 'The picture is too dark' }));
      assert.deepEqual(rejected, { vcId, status: 'Rejected' });
      const { status, reason, metadata } = await look(vcId);
      assert.deepEqual([status, reason, metadata], ['Rejected', 'The picture is too dark', undefined]);
      assert.equal(
        outcomeOf(await post('/cred/v1/vc/reject', { vcId, reason: 'again' })),
        '409 stateForbids',
      );
      assert.equal(outcomeOf(await post(paths.create, createBody(vcId, templateId))), '409 stateForbids');
      if (isApproved)
        assert.equal(
          outcomeOf(await post(paths.submit, submitBody(issuer, vcId, created))),
          '409 stateForbids',
        );
      await steps.apply(person(`rejected ${isApproved}`), templateId);
    }
  });

  test('fill an inbox that is read by status and page by page', async () => {
    const { steps } = world;
    const applicants = ['one', 'two', 'three'].map((name) => person(`inbox ${name}`));
    const vcIds: string[] = [];
    for (const applicant of applicants) vcIds.push(await steps.apply(applicant, templateId));
    const seen: unknown[] = [];
    let next: unknown = '';
    for (let pages = 0; next !== undefined && pages < 50; pages++) {
      const cursor = next === '' ? '' : `&cursor=${encodeURIComponent(String(next))}`;
      const page = await inbox(`?status=Pending&limit=2${cursor}`);
      const applications = page.applications as JsonObject[];
      assert.ok(applications.length <= 2 && applications.every(({ status }) => status === 'Pending'));
      seen.push(...applications.map(({ vcId }) => vcId));
      next = page.nextCursor;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(seen.slice(-3), vcIds, 'oldest first');
    for (const odd of ['status=', 'status', 'templateId=', 'templateId=zz', 'limit='])
      assert.equal(
        outcomeOf(await getService(service.url, `/cred/v1/vc/applications?${odd}`, world.issuer)),
        '400 requestMalformed',
        odd,
      );
    const shouted = templateId.replace(/[0-9a-f]{64}$/, (digits) => digits.toUpperCase());
    const ofTemplate = await inbox(`?status=Pending&templateId=${shouted}`);
    assert.deepEqual((ofTemplate.applications as JsonObject[]).map(({ vcId }) => vcId).slice(-3), vcIds);
    for (const status of ['Issued', 'Revoked', 'Rejected']) {
      const answer = await getService(service.url, `/cred/v1/vc/applications?status=${status}`, world.issuer);
      assert.ok(
        (ok(answer).applications as JsonObject[]).every((it) => it.status === status),
        status,
      );
    }
  });
});

describe('what a credential says', () => {
  test('the issuer fills in and corrects', async () => {
    const { steps, issuer } = world;
    const vcId = await steps.apply(person('to be corrected'), templateId);
    const issuanceData = JSON.stringify({ fullName: 'Āroha Ngāta' });
    const created = ok(await post(paths.create, { ...createBody(vcId, templateId), issuanceData }));
    const { vcObject } = await steps.submit(issuer, vcId, created);
    const { fullName, birthDate } = (vcObject as JsonObject).credentialSubject as JsonObject;
    assert.deepEqual([fullName, birthDate], ['Āroha Ngāta', '1990-05-17']);
  });

  test('older clients say with one element of data', async () => {
    const { issuer } = world;
    const holder = person('an older client');
    const metadata = { ...fewValues };
    const signData = signText(holder, canonicalJson({ templateId, metadata }));
    const body = { data: [{ templateId, metadata }], signData, publicKey: holder.publicKey };
    const { vcId } = ok(await postService(service.url, paths.apply, body));
    const order = { vcId: vcId as string, expirationDate: '2098-01-01T00:00:00Z' };
    const created = ok(await post(paths.create, order));
    const { vcObject } = ok(await post(paths.submit, submitBody(issuer, vcId as string, created)));
    assert.equal((vcObject as JsonObject).validUntil, '2098-01-01T00:00:00Z');
  });

  test('a holder with an API key needs no public key', async () => {
    const { holder, steps } = world;
    const { templateId: other } = await steps.registerTemplate(world.issuer, { templateName: 'Keyed apply' });
    const { holderPublicKey, ...body } = applyBody(holder, other as string);
    assert.equal(ok(await post(paths.apply, body, holder.apiKey)).status, 'Pending');
    const foreign = await post(paths.apply, body, world.verifier.apiKey);
    assert.equal(outcomeOf(foreign), '401 signerMismatch');
  });
});

describe('what lapses', () => {
  test('a draft that nobody signs in time is made anew', async () => {
    const { steps, issuer } = world;
    const vcId = await steps.apply(person('slow issuer'), templateId);
    const created = await steps.create(issuer, vcId, templateId);
    clock.advanceMs(24 * 3_600_000 + 1_000);
    assert.equal(
      outcomeOf(await post(paths.submit, submitBody(issuer, vcId, created))),
      '404 applicationUnknown',
    );
    const again = await steps.create(issuer, vcId, templateId);
    assert.equal(
      outcomeOf(
        await post(
          paths.submit,
          submitBody(issuer, vcId, { ...created, bbsBlsBase64: again.bbsBlsBase64 as string }),
        ),
      ),
      '401 signerMismatch',
      'a signature over the draft before is none over this one',
    );
    await steps.submit(issuer, vcId, again);
  });

  test('a download, at the time the answer named, also from the database', async () => {
    const { steps, issuer } = world;
    const holder = person('slow holder');
    const vcId = await steps.apply(holder, templateId);
    const created = await steps.create(issuer, vcId, templateId);
    const order = { ...submitBody(issuer, vcId, created), keyExpiry: '120' };
    const { downloadExpiryDate } = ok(await post(paths.submit, order));
    assert.ok(Math.abs(Date.parse(downloadExpiryDate as string) - clock.nowMs() - 120_000) < 5_000);
    const download = () => postService(service.url, paths.download, downloadBody(holder, vcId));
    assert.equal((await download()).status, 200);
    clock.advanceMs(121_000);
    assert.equal(outcomeOf(await download()), '410 downloadLapsed');
    await service.served.runChore('sweep');
    assert.equal(outcomeOf(await download()), '410 downloadLapsed');
    const { kysely } = service.served.parts.database;
    const row = await kysely
      .selectFrom('credentials')
      .select('credential')
      .where('vcId', '=', vcId)
      .executeTakeFirst();
    assert.equal(row?.credential, null);
  });
});

test('nothing personal or secret is on the disk in clear, of service or ledger', async () => {
  const { issuer } = world;
  const secrets = ['Aroha', 'Ngata', '1990-05-17', 'too dark', issuer.apiKey.slice(14), issuer.privateKey];
  const filesOf = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'demo.json')
      .map((entry) => join(entry.parentPath, entry.name));
  const files = [...filesOf(service.folder), ...filesOf(service.node.folder)];
  assert.ok(files.length > 3);
  for (const file of files) {
    const bytes = readFileSync(file);
    for (const secret of secrets)
      assert.equal(bytes.indexOf(secret), -1, `${file} holds ${secret.slice(0, 4)}`);
  }
});
