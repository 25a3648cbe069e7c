/**
 * `symbolon service reconcile` beside a running service: what a ledger has lost comes back as it was signed, what cannot
 * is named with what its owner has to do, and no revocation is forgotten on the way.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { publishKey } from '@symbolon/sdk/transactions/did-keys';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { type ReconcileWorld, reconcileWorld, type Shown } from '../support/reconcile-world.ts';
import { ok } from '../support/service-steps.ts';
import { fund } from '../support/service-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const many = 20;

describe('service reconcile', () => {
  let world: ReconcileWorld;
  let ledger: ReconcileWorld['ledger'];
  let templateId: string;
  let revoked: Shown;
  let kept: Shown;

  before(async () => {
    world = await reconcileWorld(owner);
    ({ ledger } = world);
    templateId = await world.register('Early card');
    revoked = await world.issue('revoked', templateId);
    kept = await world.issue('kept', templateId);
  });

  const head = async () => (await ledger.client.getLedger({})).result?.header.seq;
  const issuer = () => world.world().issuer;

  test('brings twenty records back, their template, and what was done to them', async () => {
    const early = await ledger.copy();
    const late = await world.register('Late card');
    const shown: Shown[] = [];
    for (let index = 0; index < many; index++)
      shown.push(await world.issue(`${index}`, index % 2 === 0 ? templateId : late));
    ok(await world.change('revoke', revoked));
    ok(await world.change('revoke', shown[0]));
    await ledger.putBack(early);
    assert.equal((await world.verify(revoked)).body.code, 'ledgerChanged');

    const before = await head();
    const told = await world.run();
    assert.equal(told.code, 0, told.err);
    assert.match(told.out, /was rolled back/);
    assert.match(told.out, / 20 credentials\n/);
    assert.match(told.out, / 1 templates\n {4}Late card 1\.0\.0\n/);
    assert.match(told.out, / 2 statuses\n {4}revoked {2}did:zid:/);
    assert.match(told.out, /Nothing was changed\. Say --yes/);
    const { lacking, records } = JSON.parse((await world.run('--json')).out);
    assert.deepEqual([lacking.credentials, lacking.templates, lacking.statuses], [many, 1, 2]);
    assert.deepEqual(records.credentials.toSorted(), shown.map(({ vcId }) => vcId).toSorted());
    assert.deepEqual(records.templates, [{ id: late, name: 'Late card', version: '1.0.0' }]);
    const lostStatus = { status: 'revoked', onLedger: 'active' };
    assert.deepEqual(
      records.statuses.find(({ vcId }: Shown) => vcId === revoked.vcId),
      { vcId: revoked.vcId, issuer: issuer().did, ...lostStatus },
    );
    assert.deepEqual(records.transactions.map(({ kind }: { kind: string }) => kind).toSorted(), [
      'revoke',
      'revoke',
      'template',
    ]);
    assert.equal(await head(), before);
    assert.equal((await world.verify(revoked)).body.code, 'ledgerChanged');

    const done = await world.run('--yes', '--json');
    assert.equal(done.code, 0, done.err + done.out);
    const { recorded, left } = JSON.parse(done.out);
    assert.deepEqual(recorded, { credentials: many, templates: 1, statusChanges: 2, payments: 0 });
    assert.deepEqual(left, []);
    await world.isReady();
    for (const one of shown.slice(1)) assert.equal(await world.isVerified(one), true);
    for (const one of [revoked, shown[0]]) {
      assert.equal(await world.isVerified(one), false);
      assert.equal(await world.statusOf(one), 'Revoked');
    }
    const again = await world.run('--yes');
    assert.equal(again.code, 0, again.err);
    assert.match(again.out, /Nothing is lacking/);
  });

  test('names what its owner has to do again, and forgets no revocation meanwhile', async () => {
    const lost = await world.issue('lost', templateId);
    const early = await ledger.copy();
    const revokedFrom = Date.now();
    ok(await world.change('revoke', lost));
    const revokedUntil = Date.now();
    await world.register('Lost card');
    const orphan = await world.issue('orphan', await world.register('Orphan card'));
    await ledger.putBack(early);
    // The issuer goes on by itself: the number of the revocation is taken.
    await world.useNumbers(3);

    const done = await world.run('--yes');
    assert.equal(done.code, 1, done.out);
    assert.match(done.err, new RegExp(`revoke of ${lost.vcId}, of ${issuer().did}: .* revoke it again`));
    assert.match(done.err, /template "Lost card" 1\.0\.0, of .* register it again/);
    assert.match(
      done.err,
      new RegExp(`credential ${orphan.vcId}, of .* its template .* is not on the ledger`),
    );
    await world.isReady();
    assert.equal(await world.isVerified(lost), false);
    // The ledger has no block of the revocation, and its time is the service's.
    const status = await world.toldOf(lost);
    assert.equal(status.status, 'Revoked');
    const changedAt = Date.parse(status.changedAt as string);
    assert.ok(revokedFrom <= changedAt && changedAt <= revokedUntil, `${status.changedAt}`);
    assert.deepEqual([status.txHash, (status.record as JsonObject).ledgerSeq], [null, null]);
    const [said] = ok(await world.verify(lost)).errors as string[];
    assert.match(said, /credential revoked \(since 2/);
    const answer = await world.verify(orphan);
    assert.equal(answer.status, 503);
    assert.match(answer.body.detail as string, /lost the record of this credential/);

    ok(await world.change('revoke', lost));
    assert.equal(await world.statusOf(lost), 'Revoked');
    const { owedChange } = await world
      .service()
      .served.parts.database.kysely.selectFrom('credentials')
      .select('owedChange')
      .where('vcId', '=', lost.vcId)
      .executeTakeFirstOrThrow();
    assert.equal(owedChange, null);
    await world.register('Orphan card');
    const rest = await world.run('--yes', '--json');
    // A template is still owed.
    assert.equal(rest.code, 1);
    assert.equal(JSON.parse(rest.out.split('\n')[0]).recorded.credentials, 1, rest.out + rest.err);
    await world.isReady();
    assert.equal(await world.isVerified(orphan), true);
  });

  test('fills a chain that began anew, as its people come back', async () => {
    await ledger.replace();
    const poor = await world.run('--yes');
    assert.equal(poor.code, 1);
    assert.match(poor.err, new RegExp(`pay into ${world.service().served.registrarAddress} first`));
    await fund(
      ledger.client,
      [{ ...issuer(), address: world.service().served.registrarAddress }],
      10_000_000_000n,
    );
    const alone = await world.run('--yes');
    assert.equal(alone.code, 1, alone.out);
    assert.match(alone.err, new RegExp(`the account ${issuer().address} is not on the ledger: pay into it`));
    assert.match(alone.out, /Recorded again: 0 credentials/);

    await fund(ledger.client, [issuer()]);
    const { seed, bbsPublicKey: publicKeyMultibase } = issuer();
    const signer = await signerFromSeed(seed);
    await publishKey(ledger.client, { signer, type: 'Bls12381G2Key2020', publicKeyMultibase });
    const back = await world.run('--yes', '--json');
    const { recorded } = JSON.parse(back.out.split('\n')[0]);
    assert.ok(recorded.credentials >= many, back.out + back.err);
    await world.isReady();
    assert.equal(await world.isVerified(kept), true);
    assert.equal(await world.isVerified(revoked), false);
    assert.equal(await world.statusOf(revoked), 'Revoked');
  });

  test('refuses another chain, and goes on with it only when that is said', async () => {
    await ledger.replace({ chain: { slogan: 'another' } });
    const refused = await world.run('--yes');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /answers for another chain/);
    assert.match(refused.err, /--accept-other-chain/);
    const told = await world.run('--accept-other-chain');
    assert.equal(told.code, 0, told.err);
    assert.match(told.out, /Nothing was changed/);
    const accepted = await world.run('--accept-other-chain', '--yes');
    assert.equal(accepted.code, 0, accepted.err);
    await until('it asks for a restart', async () =>
      /restart it/.test((await world.service().served.notReady()) ?? ''),
    );
    assert.equal((await world.verify(kept)).body.code, 'ledgerChanged');
    await world.restart();
    await world.register('Early card');
    const fresh = await world.issue('fresh', templateId);
    assert.equal(await world.isVerified(fresh), true);
    assert.match((await world.verify(kept)).body.detail as string, /lost the record of this credential/);
    const needless = await world.run('--accept-other-chain');
    assert.equal(needless.code, 2);
  });
});
