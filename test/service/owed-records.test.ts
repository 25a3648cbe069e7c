/**
 * What a ledger has lost and cannot be given again is owed by its issuers: it is told by every run, by the service's
 * health and by its numbers until the ledger has it, and whoever owes it has a way to end that.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type ReconcileWorld, reconcileWorld, type Shown } from '../support/reconcile-world.ts';
import { ok } from '../support/service-steps.ts';
import { symbolon } from '../support/symbolon-process.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();

describe('records that are owed to the ledger', () => {
  let world: ReconcileWorld;
  let templateId: string;
  let revoked: Shown;
  let suspended: Shown;
  let reinstated: Shown;
  let kept: Shown;
  let early: string;

  before(async () => {
    world = await reconcileWorld(owner);
    templateId = await world.register('Early card');
    revoked = await world.issue('revoked', templateId);
    suspended = await world.issue('suspended', templateId);
    reinstated = await world.issue('reinstated', templateId);
    kept = await world.issue('kept', templateId);
    ok(await world.change('suspend', reinstated));
    early = await world.ledger.copy();
    ok(await world.change('revoke', revoked));
    ok(await world.change('suspend', suspended));
    ok(await world.change('reinstate', reinstated));
    // What was done and undone leaves nothing that anybody owes.
    ok(await world.change('suspend', kept));
    ok(await world.change('reinstate', kept));
    await world.register('Lost card');
  });

  /** What the records are, in the order in which they are told. */
  const leftOf = (out: string) =>
    (JSON.parse(out.split('\n')[0]).left as { what: string }[]).map(({ what }) => what);
  const allOwed = () =>
    [
      `revoke of ${revoked.vcId}`,
      `suspend of ${suspended.vcId}`,
      `reinstate of ${reinstated.vcId}`,
      'template "Lost card" 1.0.0',
    ].toSorted();
  const assertOwed = async (expected: readonly string[], ...words: string[]): Promise<void> => {
    const told = await world.run(...words, '--json');
    assert.deepEqual(leftOf(told.out).toSorted(), expected, told.out + told.err);
    assert.equal(told.code, expected.length === 0 ? 0 : 1, told.out + told.err);
  };
  const readiness = async () => (await send(`${world.service().url}/readyz?verbose`)).text;
  const metrics = async () => (await send(`${world.service().url}/metrics`)).text;

  test('are told by every run with their owner', async () => {
    await world.ledger.putBack(early);
    await world.useNumbers(8);
    await assertOwed(allOwed(), '--yes');
    await assertOwed(allOwed());
    await assertOwed(allOwed(), '--yes');
    const told = await world.run();
    assert.equal(told.code, 1, told.out);
    assert.doesNotMatch(told.out, /Nothing is lacking/);
    const { did } = world.world().issuer;
    assert.match(told.err, new RegExp(`revoke of ${revoked.vcId}, of ${did}: .* revoke it again`));
    assert.match(told.err, new RegExp(`template "Lost card" 1\\.0\\.0, of ${did}: .* register it again`));
    await world.isReady();
    assert.equal(await world.isVerified(revoked), false);
    assert.equal(await world.isVerified(suspended), false);
    assert.equal(await world.statusOf(reinstated), 'Suspended', 'the ledger says so');
    assert.equal(await world.isVerified(kept), true);
  });

  test('are told by health, numbers, status and the log of a start', async () => {
    await world.restart();
    await until('it is told', async () =>
      /records: warning, .*3 statuses.*1 template/.test(await readiness()),
    );
    assert.match(await metrics(), /symbolon_service_owed_records 4\n/);
    assert.match(world.service().logged(), /"level":"?(warn|40)"?.*the ledger lacks/);
    const { out, code } = await symbolon(owner, ['service', 'status', '--url', world.service().url]);
    assert.equal(code, 0, out);
    assert.match(out, /The service is ready\.\n.*3 statuses.*1 template.*symbolon service reconcile --data/s);
  });

  test('are the same list when the ledger is put back once more', async () => {
    await world.ledger.putBack(early);
    await world.useNumbers(9);
    await assertOwed(allOwed(), '--yes');
    await assertOwed(allOwed());
    await world.isReady();
  });

  test('are settled by reinstating, suspending, revoking and registering again', async () => {
    assert.match(JSON.stringify((await world.change('suspend', revoked)).body), /is revoked/);
    assert.match(JSON.stringify((await world.change('reinstate', revoked)).body), /is revoked/);

    // Of what the ledger has lost of its suspension, nothing is left when it is ended.
    assert.deepEqual(ok(await world.change('reinstate', suspended)).status, 'Active');
    assert.equal(await world.statusOnLedger(suspended), 'active');
    assert.equal(await world.statusOf(suspended), 'Active');
    assert.equal(await world.isVerified(suspended), true);
    // And the other way about.
    assert.deepEqual(ok(await world.change('suspend', reinstated)).status, 'Suspended');
    assert.equal(await world.statusOnLedger(reinstated), 'suspended');
    assert.equal(await world.statusOf(reinstated), 'Suspended');
    await assertOwed([`revoke of ${revoked.vcId}`, 'template "Lost card" 1.0.0']);

    ok(await world.change('revoke', revoked));
    assert.equal(await world.statusOnLedger(revoked), 'revoked');
    await world.register('Lost card');
    await assertOwed([]);
    assert.match((await world.run()).out, /Nothing is lacking/);
    await world.service().served.runChore('owed');
    assert.match(await metrics(), /symbolon_service_owed_records 0\n/);
    await until('it is well', async () => /records: ok/.test(await readiness()));
  });
});
