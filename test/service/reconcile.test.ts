/**
 * `symbolon service reconcile` beside a running service: what a ledger has lost comes back as it was signed, what cannot
 * is named with what its owner has to do, and no revocation is forgotten on the way.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { initServiceFolder } from '@symbolon/credential-service/service-folder';
import { publishKey } from '@symbolon/sdk/did-keys';
import { signerFromSeed } from '@symbolon/sdk/signer';
import type { JsonObject } from '@symbolon/wire/json';
import { type ChangingLedger, changingLedger } from '../support/changing-ledger.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService, type ServiceAnswer } from '../support/service-http.ts';
import { ok, paths, revokeBody, signedBlobBody } from '../support/service-steps.ts';
import { fund, type World, worldOf } from '../support/service-world.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 2);
const many = 20;

interface Shown {
  readonly vcId: string;
  readonly vp: JsonObject;
}

describe('service reconcile', () => {
  let ledger: ChangingLedger;
  let service: RunningService;
  let world: World;
  let folder: string;
  let templateId: string;
  let revoked: Shown;
  let kept: Shown;

  before(async () => {
    ledger = await changingLedger(owner);
    folder = makeTempFolder();
    owner.after(() => removeFolder(folder));
    await initServiceFolder(folder);
    service = await startService(owner, { node: ledger.node(), client: ledger.client, proofs, folder });
    world = worldOf(service);
    templateId = await register('Early card');
    [revoked, kept] = [await issue('revoked', templateId), await issue('kept', templateId)];
  });

  const register = async (templateName: string): Promise<string> =>
    (await world.steps.registerTemplate(world.issuer, { templateName })).templateId as string;

  async function issue(name: string, template: string): Promise<Shown> {
    const holder = person(`holder ${name}`);
    const { vcId, vc } = await world.steps.issue({ issuer: world.issuer, holder }, template);
    return { vcId, vp: await world.steps.present(holder, { vc, challenge: 'c', domain: 'd' }) };
  }
  const verify = ({ vp }: Shown): Promise<ServiceAnswer> =>
    postService(world.url, paths.verify, { vp, challenge: 'c', domain: 'd' });
  const isVerified = async (shown: Shown) => ok(await verify(shown)).verified;
  const toldOf = async ({ vcId }: Shown) =>
    ok(await getService(world.url, `/cred/v1/vc/status?vcId=${vcId}`));
  const statusOf = async (shown: Shown) => (await toldOf(shown)).status;

  const run = (...words: string[]) =>
    symbolon(owner, ['service', 'reconcile', '--data', folder, '--node', ledger.node().url, ...words]);
  const isReady = () =>
    until('the service goes on', async () => (await service.served.notReady()) === undefined);
  const head = async () => (await ledger.client.getLedger({})).result?.header.seq;

  test('brings twenty records back, their template, and what was done to them', async () => {
    const early = await ledger.copy();
    const late = await register('Late card');
    const shown: Shown[] = [];
    for (let index = 0; index < many; index++)
      shown.push(await issue(`${index}`, index % 2 === 0 ? templateId : late));
    await world.steps.revoke(world.issuer, revoked.vcId);
    await world.steps.revoke(world.issuer, shown[0].vcId);
    await ledger.putBack(early);
    assert.equal((await verify(revoked)).body.code, 'ledgerChanged');

    const before = await head();
    const told = await run();
    assert.equal(told.code, 0, told.err);
    assert.match(told.out, /was rolled back/);
    assert.match(told.out, / 20 credentials\n/);
    assert.match(told.out, / 1 templates\n {4}Late card 1\.0\.0\n/);
    assert.match(told.out, / 2 statuses\n {4}revoked {2}did:zid:/);
    assert.match(told.out, /Nothing was changed\. Say --yes/);
    const { lacking, records } = JSON.parse((await run('--json')).out);
    assert.deepEqual([lacking.credentials, lacking.templates, lacking.statuses], [many, 1, 2]);
    assert.deepEqual(records.credentials.toSorted(), shown.map(({ vcId }) => vcId).toSorted());
    assert.deepEqual(records.templates, [{ id: late, name: 'Late card', version: '1.0.0' }]);
    const lostStatus = { status: 'revoked', onLedger: 'active' };
    assert.deepEqual(
      records.statuses.find(({ vcId }: Shown) => vcId === revoked.vcId),
      { vcId: revoked.vcId, issuer: world.issuer.did, ...lostStatus },
    );
    assert.deepEqual(records.transactions.map(({ kind }: { kind: string }) => kind).toSorted(), [
      'revoke',
      'revoke',
      'template',
    ]);
    assert.equal(await head(), before);
    assert.equal((await verify(revoked)).body.code, 'ledgerChanged');

    const done = await run('--yes', '--json');
    assert.equal(done.code, 0, done.err + done.out);
    const { recorded, left } = JSON.parse(done.out);
    assert.deepEqual(recorded, { credentials: many, templates: 1, statusChanges: 2, payments: 0 });
    assert.deepEqual(left, []);
    await isReady();
    for (const one of shown.slice(1)) assert.equal(await isVerified(one), true);
    for (const one of [revoked, shown[0]]) {
      assert.equal(await isVerified(one), false);
      assert.equal(await statusOf(one), 'Revoked');
    }
    const again = await run('--yes');
    assert.equal(again.code, 0, again.err);
    assert.match(again.out, /Nothing is lacking/);
  });

  test('names what its owner has to do again, and forgets no revocation meanwhile', async () => {
    const lost = await issue('lost', templateId);
    const early = await ledger.copy();
    const revokedFrom = Date.now();
    await world.steps.revoke(world.issuer, lost.vcId);
    const revokedUntil = Date.now();
    await register('Lost card');
    const orphan = await issue('orphan', await register('Orphan card'));
    await ledger.putBack(early);
    // The issuer goes on by itself: the number of the revocation is taken.
    const anybody = person('anybody').address;
    for (const amount of [1, 2, 3])
      await ledger
        .node()
        .execute({ source: world.issuer, operations: [operations.payCoin(anybody, amount)] });

    const done = await run('--yes');
    assert.equal(done.code, 1, done.out);
    assert.match(done.err, new RegExp(`revoke of ${lost.vcId}, of ${world.issuer.did}: .* revoke it again`));
    assert.match(done.err, /template "Lost card" 1\.0\.0, of .* register it again/);
    assert.match(
      done.err,
      new RegExp(`credential ${orphan.vcId}, of .* its template .* is not on the ledger`),
    );
    await isReady();
    assert.equal(await isVerified(lost), false);
    // The ledger has no block of the revocation, and its time is the service's.
    const status = await toldOf(lost);
    assert.equal(status.status, 'Revoked');
    const changedAt = Date.parse(status.changedAt as string);
    assert.ok(revokedFrom <= changedAt && changedAt <= revokedUntil, `${status.changedAt}`);
    assert.deepEqual([status.txHash, (status.record as JsonObject).ledgerSeq], [null, null]);
    const [said] = ok(await verify(lost)).errors as string[];
    assert.match(said, /credential revoked \(since 2/);
    const answer = await verify(orphan);
    assert.equal(answer.status, 503);
    assert.match(answer.body.detail as string, /lost the record of this credential/);

    const { issuer } = world;
    const blob = ok(await postService(world.url, paths.revokeBlob, revokeBody(issuer, lost.vcId)));
    ok(await postService(world.url, paths.revokeSubmit, signedBlobBody(issuer, blob)));
    assert.equal(await statusOf(lost), 'Revoked');
    const { owedChange } = await service.served.parts.database.kysely
      .selectFrom('credentials')
      .select('owedChange')
      .where('vcId', '=', lost.vcId)
      .executeTakeFirstOrThrow();
    assert.equal(owedChange, null);
    await register('Orphan card');
    const rest = await run('--yes', '--json');
    assert.equal(JSON.parse(rest.out).recorded.credentials, 1, rest.out + rest.err);
    await isReady();
    assert.equal(await isVerified(orphan), true);
  });

  test('fills a chain that began anew, as its people come back', async () => {
    await ledger.replace();
    const poor = await run('--yes');
    assert.equal(poor.code, 1);
    assert.match(poor.err, new RegExp(`pay into ${service.served.registrarAddress} first`));
    await fund(
      ledger.client,
      [{ ...world.issuer, address: service.served.registrarAddress }],
      10_000_000_000n,
    );
    const alone = await run('--yes');
    assert.equal(alone.code, 1, alone.out);
    assert.match(
      alone.err,
      new RegExp(`the account ${world.issuer.address} is not on the ledger: pay into it`),
    );
    assert.match(alone.out, /Recorded again: 0 credentials/);

    await fund(ledger.client, [world.issuer]);
    const { seed, bbsPublicKey: publicKeyMultibase } = world.issuer;
    const signer = await signerFromSeed(seed);
    await publishKey(ledger.client, { signer, type: 'Bls12381G2Key2020', publicKeyMultibase });
    const back = await run('--yes', '--json');
    const { recorded } = JSON.parse(back.out.split('\n')[0]);
    assert.ok(recorded.credentials >= many, back.out + back.err);
    await isReady();
    assert.equal(await isVerified(kept), true);
    assert.equal(await isVerified(revoked), false);
    assert.equal(await statusOf(revoked), 'Revoked');
  });

  test('refuses another chain, and goes on with it only when that is said', async () => {
    await ledger.replace({ chain: { slogan: 'another' } });
    const refused = await run('--yes');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /answers for another chain/);
    assert.match(refused.err, /--accept-other-chain/);
    const told = await run('--accept-other-chain');
    assert.equal(told.code, 0, told.err);
    assert.match(told.out, /Nothing was changed/);
    const accepted = await run('--accept-other-chain', '--yes');
    assert.equal(accepted.code, 0, accepted.err);
    await until('it asks for a restart', async () =>
      /restart it/.test((await service.served.notReady()) ?? ''),
    );
    assert.equal((await verify(kept)).body.code, 'ledgerChanged');
    service = await service.restart();
    world = worldOf(service);
    await register('Early card');
    const fresh = await issue('fresh', templateId);
    assert.equal(await isVerified(fresh), true);
    assert.match((await verify(kept)).body.detail as string, /lost the record of this credential/);
    const needless = await run('--accept-other-chain');
    assert.equal(needless.code, 2);
  });
});
