/**
 * The table "HTTP status codes per endpoint" of the interface document, row by row, through plain and sealed routes:
 * every row is reached, nothing of the inside shows, and what is refused changes nothing. Failures are real ones: a
 * ledger that is cut off, a database that has lost a table.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { FaultName } from '@symbolon/core/faults/faults';
import { credentialRoutes } from '@symbolon/wire/credentials/routes';
import { commonFaults } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';
import { type Endpoint, endpoints, type Phase, type RefusedCase } from '../support/service-error-case.ts';
import { refusedCases } from '../support/service-error-cases.ts';
import { type ErrorWorld, makeErrorWorld } from '../support/service-error-world.ts';
import { postService, type ServiceAnswer } from '../support/service-http.ts';
import { ok, paths, revokeBody, sealedPath, signedBlobBody } from '../support/service-steps.ts';
import { until } from '../support/until.ts';

/** The rows of the table. */
const table: Readonly<Record<Endpoint, readonly number[]>> = {
  'template blob create': [400, 401, 409, 500],
  'template submit': [400, 401, 404, 500],
  'vc apply': [400, 401, 404, 409, 500],
  'vc create': [400, 403, 404, 409, 500],
  'vc submit': [400, 401, 404, 409, 500],
  'vc download': [400, 401, 404, 410, 500],
  'revoke create-blob': [400, 403, 404, 409, 500],
  'revoke submit': [400, 401, 404, 409, 500],
  'bbs create': [400, 401, 500],
  'bbs sign': [400, 401, 500],
  'vp create': [400, 401, 404, 500],
  'vp submit': [400, 401, 404, 500],
  'vp verify': [400, 500],
};

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let world: ErrorWorld;

before(async () => {
  world = await makeErrorWorld(owner, proofs);
});

const problemMembers = [
  'type',
  'title',
  'status',
  'code',
  'detail',
  'errors',
  'hint',
  'help',
  'requestId',
  'vcId',
];
/** What only the inside knows: stacks, files, statements, tables, addresses. */
const insideWords =
  /\bat \S+ \(|\n|node_modules|\.ts\b|sqlite|select |insert |no such table|ECONN|127\.0\.0\.1/i;

function assertProblem(answer: ServiceAnswer, { status, code }: Pick<RefusedCase, 'status' | 'code'>): void {
  const { body, headers } = answer;
  assert.equal(answer.status, status, JSON.stringify(body));
  assert.equal(body.code, code, JSON.stringify(body));
  assert.equal(body.status, status);
  for (const name of Object.keys(body)) assert.ok(problemMembers.includes(name), `member ${name}`);
  assert.equal(body.type, `urn:symbolon:fault:${code}`);
  assert.equal(body.help, `/docs/errors#${code.toLowerCase()}`);
  for (const name of ['title', 'detail', 'hint']) assert.match(body[name] as string, /^\S.{3,}/);
  assert.equal(body.requestId, headers['x-request-id']);
  if (!answer.isSealed) assert.match(headers['content-type'] as string, /^application\/problem\+json/);
  assert.doesNotMatch(JSON.stringify(body), insideWords);
  if (status === 401 && code === 'notAuthenticated' && !answer.isSealed)
    assert.match(headers['www-authenticate'] as string, /^Bearer/);
}

/** What a route says that it answers. */
function assertDeclared(path: string, code: FaultName): void {
  const route = Object.values(credentialRoutes).find((it) => it.path === path);
  const declared: readonly FaultName[] = [...(route?.faults ?? []), ...commonFaults];
  assert.ok(declared.includes(code), `${path} does not declare ${code}`);
}

/** One case in both forms. */
async function refuse(refused: RefusedCase): Promise<void> {
  const { path, isSealable } = endpoints[refused.endpoint];
  assertDeclared(path, refused.code);
  const plain = refused.make(world);
  assertProblem(await postService(world.url, path, plain.body, { apiKey: plain.apiKey }), refused);
  if (!isSealable) return;
  const { body, apiKey } = refused.make(world);
  const sealed = world.sealTarget;
  const answer = await postService(world.url, sealedPath(path), body, { apiKey, sealed });
  assert.ok(answer.isSealed, 'a refusal is sealed too');
  assertProblem(answer, refused);
}

function cover(phase: Phase, isMeant: (refused: RefusedCase) => boolean = () => true): void {
  for (const refused of refusedCases.filter((it) => it.phase === phase && isMeant(it)))
    test(`${refused.endpoint} ${refused.status}: ${refused.what}`, () => refuse(refused));
}

test('every row of the table has a case, and no case is without a row', () => {
  const rows = Object.entries(table).flatMap(([endpoint, statuses]) =>
    statuses.map((it) => `${endpoint} ${it}`),
  );
  const reached = new Set(refusedCases.map(({ endpoint, status }) => `${endpoint} ${status}`));
  assert.deepEqual([...reached].sort(), rows.sort());
});

describe('with all in order', () => cover('healthy'));

test('nothing of what was refused has changed anything', async () => {
  const { steps, issuer, approved, pending, templateId, templateBlob } = world;
  ok(
    await steps.post(paths.templateSubmit, signedBlobBody(issuer, templateBlob)).then(async (answer) => {
      // The issuer has sent other transactions since this blob was made: that, and nothing else, is in its way.
      if (answer.status !== 404) return answer;
      const fresh = await world.make.template('Swimming badge');
      return steps.post(paths.templateSubmit, signedBlobBody(issuer, fresh));
    }),
  );
  await steps.submit(issuer, approved.vcId, approved.created);
  const created = await steps.create(issuer, pending, templateId);
  await steps.submit(issuer, pending, created);
});

describe('when blobs and downloads have lapsed', () => {
  before(() => world.clock.advanceMs(601_000));
  cover('late');
});

describe('without a ledger', () => {
  before(async () => {
    const { steps, issuer, applicants, templateId } = world;
    const pending = await steps.apply(applicants.pending, templateId);
    const vcId = await steps.apply(applicants.approved, templateId);
    const created = await steps.create(issuer, vcId, templateId);
    const [templateBlob, revocationBlob] = [
      await world.make.template('Rowing badge'),
      await world.make.revocation(),
    ];
    world = { ...world, pending, approved: { vcId, created }, templateBlob, revocationBlob };
    await world.way.cut();
  });
  // What hands in waits a while for the ledger, and keeps its claim on the credential: last, and side by side.
  const isHandingIn = ({ endpoint }: RefusedCase) => /^(template|revoke) submit$/.test(endpoint);
  cover('cut', (refused) => !isHandingIn(refused));
  test('template submit 500, revoke submit 500: no ledger', async () => {
    await Promise.all(refusedCases.filter((it) => it.phase === 'cut' && isHandingIn(it)).map(refuse));
  });

  test('revoke create-blob 409: a revocation under way', async () => {
    const answer = await postService(
      world.url,
      paths.revokeBlob,
      revokeBody(world.issuer, world.issued.vcId),
    );
    assertProblem(answer, { status: 409, code: 'statusForbids' });
  });

  test('is it back, the same requests are answered', async () => {
    await world.way.mend();
    const { steps, issuer, templateBlob, revocationBlob } = world;
    const submit = (path: string, blob: JsonObject) =>
      until(`${path} is known`, async () => {
        const answer = await steps.post(path, signedBlobBody(issuer, blob));
        return answer.body.code !== 'ledgerUnconfirmed' && { path, answer };
      });
    const known = await Promise.all([
      submit(paths.templateSubmit, templateBlob),
      submit(paths.revokeSubmit, revocationBlob),
    ]);
    // Both were prepared for the same number of the issuer's account.
    const replaced = known.filter(({ answer }) => answer.body.code === 'blobReplaced');
    assert.equal(replaced.length, 1);
    for (const { path, answer } of replaced) ok(await steps.post(path, signedBlobBody(issuer, answer.body)));
  });
});

describe('with a damaged database', () => {
  const lose = (table: 'applications' | 'credentials' | 'blobs' | 'vaultKeys') =>
    world.service.served.parts.database.kysely.schema.alterTable(table).renameTo(`lost${table}`).execute();
  before(async () => {
    const presentationBlob = await world.make.presentation();
    world = { ...world, presentationBlob };
    // The keys of the sealed layer are among those of the vault: asked for once more before they are lost.
    await postService(world.url, sealedPath(paths.verify), {}, { sealed: world.sealTarget });
    for (const table of ['applications', 'credentials', 'blobs', 'vaultKeys'] as const) await lose(table);
  });
  cover('broken');

  test('the log says what the answers do not', () => {
    const log = world.service.logged();
    assert.match(log, /no such table/);
    assert.match(log, /ECONNREFUSED/);
    for (const secret of [world.issuer.apiKey, world.issuer.privateKey, 'Aroha', '6f6f6f6f'])
      assert.ok(!log.includes(secret), `the log has no ${secret.slice(0, 4)}`);
  });
});
