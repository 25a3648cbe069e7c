/**
 * A service whose ledger loses blocks, is exchanged for another, or begins anew, while it runs and while it is down: it
 * is noticed, named, and nothing is recorded on that ledger or concluded from what it says.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { serveService } from '@symbolon/credential-service/operation/serve-service';
import { serviceConfigSchema } from '@symbolon/credential-service/parts/service-config';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { readEntry } from '@symbolon/sdk/ledger/registries';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type ChangingLedger, changingLedger } from '../support/changing-ledger.ts';
import { send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService, type ServiceAnswer } from '../support/service-http.ts';
import { ok, paths, revokeBody, signedBlobBody, submitBody, templateBody } from '../support/service-steps.ts';
import { type World, worldOf } from '../support/service-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);

function assertRefused({ status, body }: ServiceAnswer, words: RegExp): void {
  assert.equal(status, 503, JSON.stringify(body));
  assert.equal(body.code, 'ledgerChanged', JSON.stringify(body));
  assert.match(body.detail as string, words);
  assert.match(body.detail as string, /: symbolon service reconcile --data <folder>$/);
}

describe('a ledger that is no longer the one it was', () => {
  let ledger: ChangingLedger;
  let service: RunningService;
  let world: World;
  let templateId: string;
  let shown: JsonObject;
  let drafted: { vcId: string; created: JsonObject };
  let revokedId: string;
  let activeId: string;
  let early: string;
  let late: string;

  before(async () => {
    ledger = await changingLedger(owner);
    service = await startService(owner, { node: ledger.node(), client: ledger.client, proofs });
    world = worldOf(service);
    const { steps, issuer, holder } = world;
    templateId = (await steps.registerTemplate(issuer, { templateName: 'Lost card' })).templateId as string;
    const { vcId, vc } = await steps.issue({ issuer, holder }, templateId);
    revokedId = vcId;
    activeId = (await steps.issue({ issuer, holder: person('active holder') }, templateId)).vcId;
    shown = await steps.present(holder, { vc, challenge: 'c', domain: 'd' });
    assert.equal(ok(await verify()).verified, true);
    early = await ledger.copy();
    await steps.revoke(issuer, vcId);
    const draftedId = await steps.apply(person('late holder'), templateId);
    drafted = { vcId: draftedId, created: await steps.create(issuer, draftedId, templateId) };
    late = await ledger.copy();
  });

  const verify = (): Promise<ServiceAnswer> =>
    postService(world.url, paths.verify, { vp: shown, challenge: 'c', domain: 'd' });
  const readiness = () => send(`${service.url}/readyz`);

  /** Every way to record something, and to be told something by the ledger. */
  async function assertAllRefused(words: RegExp): Promise<void> {
    const { url, issuer } = world;
    assertRefused(await verify(), words);
    const submitted = submitBody(issuer, drafted.vcId, drafted.created);
    assertRefused(await postService(url, paths.submit, submitted), words);
    const order = { templateName: 'Another card' };
    assertRefused(await postService(url, paths.templateBlob, templateBody(issuer, order), issuer), words);
    assertRefused(await postService(url, paths.revokeBlob, revokeBody(issuer, activeId)), words);
    assertRefused(await getService(url, `/cred/v1/vc/status?vcId=${revokedId}`), words);
    assertRefused(await getService(url, `/1.0/identifiers/${issuer.did}`), words);
    // What was found before is told for a moment longer.
    await noticed(words);
    assert.equal((await readiness()).status, 503);
    assert.match((await send(`${service.url}/metrics`)).text, /symbolon_service_ready 0\n/);
    // What needs no ledger goes on.
    assert.equal((await getService(url, '/cred/tds/templates')).status, 200);
  }

  const noticed = async (words: RegExp): Promise<void> => {
    const startedAt = performance.now();
    await until('it is noticed', async () => words.test((await readiness()).text));
    const seconds = (performance.now() - startedAt) / 1_000;
    assert.ok(seconds < 5, `noticed after ${seconds} s`);
  };

  test('verifies nothing on it from the first moment, and records nothing', async () => {
    await ledger.putBack(early);
    const answers = await Promise.all([verify(), verify()]);
    for (const answer of answers)
      assertRefused(answer, /was rolled back: it is at block \d+, and was at block \d+/);
    const before = await ledger.client.getLedger({});
    await assertAllRefused(/was rolled back/);
    const after = await ledger.client.getLedger({});
    assert.equal(after.result?.header.seq, before.result?.header.seq);
    const { registries } = service.served.parts.ledger;
    const entry = await readEntry(ledger.client, registries.credentials, {
      issuer: world.issuer.address,
      credential: drafted.vcId,
    });
    assert.equal(entry, undefined);
  });

  test('is noticed by itself within five seconds', async () => {
    await ledger.putBack(late);
    await until('it is well again', async () => (await service.served.notReady()) === undefined);
    assert.equal(ok(await verify()).verified, false);
    await ledger.putBack(early);
    await noticed(/was rolled back/);
  });

  test('is noticed although it has grown past where it was', async () => {
    const node = ledger.node();
    const known = BigInt(
      (
        await service.served.parts.database.kysely
          .selectFrom('ownChain')
          .select('seq')
          .executeTakeFirstOrThrow()
      ).seq,
    );
    for (let seq = 0n; seq <= known; ) {
      await node.execute({ operations: [operations.payCoin(person('anybody').address, 1)] });
      seq = BigInt((await ledger.client.getLedger({})).result?.header.seq ?? 0);
    }
    await noticed(/went on otherwise: block \d+ is not the one/);
    await assertAllRefused(/went on otherwise/);
  });

  test('is noticed when it is another chain', async () => {
    await ledger.replace({ chain: { slogan: 'another' } });
    await noticed(/answers for another chain/);
    await assertAllRefused(/answers for another chain/);
  });

  test('is noticed when its chain is gone, and at the start as well', async () => {
    await ledger.replace();
    await noticed(/has lost its chain/);
    await assertAllRefused(/has lost its chain/);
    await service.close();
    const started = await serveService(service.folder, {
      config: serviceConfigSchema.parse({ port: 0 }),
      log: createLog({ level: 'silent' }),
      metrics: createMetrics({ withProcess: false }),
      client: ledger.client,
      proofs,
      warmUp: false,
    });
    try {
      assert.match((await started.notReady()) ?? '', /has lost its chain/);
      const refused = await getService(started.url, `/cred/v1/vc/status?vcId=${revokedId}`);
      assert.deepEqual([refused.status, refused.body.code], [503, 'ledgerChanged']);
      assert.match(String(refused.body.detail), /has lost its chain/);
      await ledger.putBack(late);
      await until('it is ready', async () => (await started.notReady()) === undefined);
    } finally {
      await started.close();
    }
  });

  test('goes on where it was when the right one is back', async () => {
    service = await startService(owner, {
      node: ledger.node(),
      client: ledger.client,
      proofs,
      folder: service.folder,
    });
    world = worldOf(service);
    const { issuer, steps } = world;
    await ledger.putBack(early);
    const blobAnswer = await postService(world.url, paths.revokeBlob, revokeBody(issuer, activeId));
    assertRefused(blobAnswer, /was rolled back/);
    await ledger.putBack(late);
    await until('it is well again', async () => (await service.served.notReady()) === undefined);
    ok(await postService(world.url, paths.submit, submitBody(issuer, drafted.vcId, drafted.created)));
    const body = { ...revokeBody(issuer, drafted.vcId) };
    const blob = ok(await postService(world.url, paths.revokeBlob, body));
    assert.equal(ok(await steps.post(paths.revokeSubmit, signedBlobBody(issuer, blob))).status, 'Revoked');
  });
});
