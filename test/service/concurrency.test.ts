/**
 * Many at once, on SQLite and on a real PostgreSQL: different credentials of one issuer do not hinder one another, of
 * many who want the same thing one gets it, and a request that is repeated with its idempotency key is done once.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { AuditAction } from '@symbolon/wire/credentials/audit-actions';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startPostgres } from '../support/postgres.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { postService, type ServiceAnswer } from '../support/service-http.ts';
import {
  applyBody,
  createBody,
  ok,
  paths,
  revokeBody,
  signedBlobBody,
  submitBody,
} from '../support/service-steps.ts';
import { registerCard, type World, worldOf } from '../support/service-world.ts';

const many = 50;
const rivals = 20;
const owner = ownerOfSuite();
const proofs = shareProofs(owner, 2);

const times = <Answer>(count: number, make: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** How many answers had which status and code. */
function tally(answers: readonly ServiceAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status === 200 ? '200' : `${status} ${body.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Those who asked while it was done have its answer; who came after it was given is told that it was done. */
function assertDoneOnce(answers: readonly ServiceAnswer[], late: string): void {
  const done = answers.filter(({ status }) => status === 200);
  assert.ok(done.length >= 1);
  assert.equal(new Set(done.map(({ text }) => text)).size, 1, 'all successes are the same answer');
  const lateOnes = answers.length - done.length;
  assert.deepEqual(tally(answers), { 200: done.length, ...(lateOnes > 0 && { [late]: lateOnes }) });
}

async function openSqlite(): Promise<RunningService> {
  return startService(owner, { node: await startNode(owner), proofs });
}

async function openPostgres(): Promise<RunningService> {
  const { url: database } = await startPostgres(owner);
  return startService(owner, { node: await startNode(owner), proofs, database });
}

for (const [name, open] of [
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const)
  describe(`on ${name}`, () => {
    let service: RunningService;
    let world: World;
    let templateId: string;

    before(async () => {
      service = await open();
      world = worldOf(service);
      templateId = await registerCard(world, 'Crowd card');
    });

    const post = (path: string, body: JsonValue, apiKey?: string): Promise<ServiceAnswer> =>
      postService(world.url, path, body, { ...(apiKey !== undefined && { apiKey }) });

    const audited = async (action: AuditAction, subject: string): Promise<number> =>
      (await service.admin.listAuditEntries({ action, subject })).entries.length;

    /** An application that waits for its submission. */
    async function approved(applicant: string): Promise<{ vcId: string; created: JsonObject }> {
      const { steps, issuer } = world;
      const vcId = await steps.apply(person(applicant), templateId);
      return { vcId, created: await steps.create(issuer, vcId, templateId) };
    }

    test(`${many} applications, creations and submissions at once all succeed`, async () => {
      const { issuer } = world;
      const applied = await times(many, (index) =>
        post(paths.apply, applyBody(person(`applicant ${index}`), templateId)),
      );
      const vcIds = applied.map((answer) => ok(answer).vcId as string);
      assert.equal(new Set(vcIds).size, many);
      const created = await Promise.all(
        vcIds.map((vcId) => post(paths.create, createBody(vcId, templateId), issuer.apiKey)),
      );
      assert.deepEqual(tally(created), { 200: many });
      const submitted = await times(many, (index) =>
        post(paths.submit, submitBody(issuer, vcIds[index] as string, created[index]?.body as JsonObject)),
      );
      assert.deepEqual(tally(submitted), { 200: many });
      const { ledger } = service.served.parts;
      const entries = await Promise.all(vcIds.map((vcId) => ledger.readEntry(issuer.address, vcId)));
      assert.ok(entries.every((entry) => entry?.status === 'active'));
    });

    test(`of ${rivals} creations of one application one draft is left`, async () => {
      const vcId = await world.steps.apply(person('created often'), templateId);
      const answers = await times(rivals, () =>
        post(paths.create, createBody(vcId, templateId), world.issuer.apiKey),
      );
      const drafts = answers.filter(({ status }) => status === 200);
      assert.ok(drafts.length > 0);
      assert.equal(tally(answers)['409 stateForbids'] ?? 0, rivals - drafts.length);
      const submitted = await times(drafts.length, (index) =>
        post(paths.submit, submitBody(world.issuer, vcId, drafts[index].body)),
      );
      assert.equal(tally(submitted)[200], 1);
    });

    test(`of ${rivals} submissions of one credential one is done, and the others get its answer`, async () => {
      const { vcId, created } = await approved('submitted often');
      const body = submitBody(world.issuer, vcId, created);
      const answers = await times(rivals, () => post(paths.submit, body));
      assertDoneOnce(answers, '409 stateForbids');
      assert.deepEqual(tally([await post(paths.submit, body)]), { '409 stateForbids': 1 });
      assert.equal(await audited('credential.issue', vcId), 1);
    });

    test(`of ${rivals} applications of one holder one succeeds`, async () => {
      const answers = await times(rivals, () =>
        post(paths.apply, applyBody(person('applies often'), templateId)),
      );
      assert.deepEqual(tally(answers), { 200: 1, '409 applicationExists': rivals - 1 });
    });

    test(`of ${rivals} revocations of one credential one succeeds`, async () => {
      const { steps, issuer, holder } = world;
      const { vcId } = await steps.issue({ issuer, holder }, templateId);
      const blobs = await times(rivals, async () =>
        ok(await post(paths.revokeBlob, revokeBody(issuer, vcId))),
      );
      const answers = await Promise.all(
        blobs.map((blob) => post(paths.revokeSubmit, signedBlobBody(issuer, blob))),
      );
      assert.deepEqual(tally(answers), { 200: 1, '409 statusForbids': rivals - 1 });
    });

    test(`of ${rivals} submissions of one revocation one is done, the blob is used`, async () => {
      const { steps, issuer, holder } = world;
      const { vcId } = await steps.issue({ issuer, holder }, templateId);
      const body = signedBlobBody(issuer, ok(await post(paths.revokeBlob, revokeBody(issuer, vcId))));
      const answers = await times(rivals, () => post(paths.revokeSubmit, body));
      assertDoneOnce(answers, '404 blobUnknown');
      assert.deepEqual(tally([await post(paths.revokeSubmit, body)]), { '404 blobUnknown': 1 });
      assert.equal(await audited('credential.revoke', vcId), 1);
    });

    test('an idempotency key: done once, answered again, refused for anything else', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const body = applyBody(person('careful applicant'), templateId);
      const first = await postService(world.url, paths.apply, body, { headers: key });
      const again = await postService(world.url, paths.apply, body, { headers: key });
      assert.equal(first.status, 200);
      assert.equal(first.headers['idempotency-replayed'], undefined);
      assert.deepEqual([again.status, again.text], [first.status, first.text]);
      assert.equal(again.headers['idempotency-replayed'], 'true');
      const other = applyBody(person('another applicant'), templateId);
      const misused = await postService(world.url, paths.apply, other, { headers: key });
      assert.deepEqual(tally([misused]), { '422 idempotencyMismatch': 1 });
    });

    test('an idempotency key, used at the same time', async () => {
      const { vcId, created } = await approved('hasty applicant');
      const headers = { 'idempotency-key': randomUUID() };
      const body = submitBody(world.issuer, vcId, created);
      const answers = await times(rivals, () => postService(world.url, paths.submit, body, { headers }));
      const done = answers.filter(({ status }) => status === 200);
      assert.ok(done.length >= 1);
      assert.equal(new Set(done.map(({ text }) => text)).size, 1, 'all successes are the same answer');
      assert.equal(done.filter((answer) => answer.headers['idempotency-replayed'] === undefined).length, 1);
      const others = answers.filter(({ status }) => status !== 200);
      assert.deepEqual(tally(others), others.length === 0 ? {} : { '409 requestInProgress': others.length });
      const later = await postService(world.url, paths.submit, body, { headers });
      assert.equal(later.text, done[0]?.text);
    });

    test('a refused request leaves its idempotency key free', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const body = applyBody(person('unlucky applicant'), templateId);
      const broken = { ...body, signData: 'ab' };
      const refused = await postService(world.url, paths.apply, broken, { headers });
      assert.equal(refused.status, 400);
      assert.equal((await postService(world.url, paths.apply, body, { headers })).status, 200);
    });
  });

describe('two replicas on one database', () => {
  let worlds: readonly [World, World];
  let templateId: string;

  before(async () => {
    const { url: database } = await startPostgres(owner);
    const node = await startNode(owner);
    const order = {
      node,
      proofs,
      database,
      config: { masterKey: { value: randomBytes(32).toString('hex') } },
    };
    const first = worldOf(await startService(owner, order));
    worlds = [first, worldOf(await startService(owner, order))];
    const registered = await first.steps.registerTemplate(first.issuer, { templateName: 'Shared card' });
    templateId = registered.templateId as string;
  });

  /** Of two that are equal, the one for this turn. */
  const turn = (index: number): World => worlds[index % 2] as World;

  test('issue side by side, whichever of them takes which step', async () => {
    const issued = await times(rivals, async (index) => {
      const holder = person(`shared ${index}`);
      const vcId = await turn(index).steps.apply(holder, templateId);
      const created = await turn(index + 1).steps.create(turn(index + 1).issuer, vcId, templateId);
      return turn(index).steps.submit(turn(index).issuer, vcId, created);
    });
    assert.equal(new Set(issued.map(({ vcObject }) => (vcObject as JsonObject).id)).size, rivals);
  });

  test('do one of many submissions of a credential', async () => {
    const [{ steps, issuer }] = worlds;
    const vcId = await steps.apply(person('shared often'), templateId);
    const body = submitBody(issuer, vcId, await steps.create(issuer, vcId, templateId));
    const answers = await times(rivals, (index) => postService(turn(index).url, paths.submit, body));
    assertDoneOnce(answers, '409 stateForbids');
  });
});
