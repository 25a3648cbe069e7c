/**
 * A service that was restored from an older backup, on a ledger that went on: the ledger lacks nothing, its word is the
 * newer one, and it counts before the service has learned it and afterwards.
 */
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { ownerOfSuite } from '../support/owner.ts';
import { type ReconcileWorld, reconcileWorld, type Shown } from '../support/reconcile-world.ts';
import { ok } from '../support/service-steps.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();

describe('a service that is older than its ledger', () => {
  let world: ReconcileWorld;
  let revoked: Shown;
  let reinstated: Shown;
  let suspended: Shown;

  before(async () => {
    world = await reconcileWorld(owner);
    const templateId = await world.register('Card');
    revoked = await world.issue('revoked', templateId);
    reinstated = await world.issue('reinstated', templateId);
    suspended = await world.issue('suspended', templateId);
    ok(await world.change('suspend', reinstated));
    const place = makeTempFolder();
    owner.after(() => removeFolder(place));
    const backup = path.join(place, 'backup');
    await world.restart(() => cpSync(world.folder, backup, { recursive: true }));
    ok(await world.change('revoke', revoked));
    ok(await world.change('reinstate', reinstated));
    ok(await world.change('suspend', suspended));
    await world.register('Later card');
    await world.restart(() => {
      rmSync(world.folder, { recursive: true });
      cpSync(backup, world.folder, { recursive: true });
    });
  });

  const assertLedgersWord = async (): Promise<void> => {
    for (const [shown, status] of [
      [revoked, 'Revoked'],
      [reinstated, 'Active'],
      [suspended, 'Suspended'],
    ] as const) {
      assert.equal(await world.statusOf(shown), status);
      assert.equal(await world.isVerified(shown), status === 'Active');
    }
  };

  test('is told that nothing is lacking, and what it does not know yet', async () => {
    await assertLedgersWord();
    const told = await world.run();
    assert.equal(told.code, 0, told.err);
    assert.match(told.out, /Nothing is lacking/);
    assert.match(told.out, /its word counts:\n {2}3 statuses\n/);
    assert.match(told.out, new RegExp(`active {2}${reinstated.vcId}`));
    assert.match(told.out, new RegExp(`revoked {2}${revoked.vcId}`));
    const { lacking, newer, left } = JSON.parse((await world.run('--json')).out);
    assert.deepEqual([lacking.statuses, newer.statuses, left], [0, 3, []]);
  });

  test('goes by the ledger when an issuer acts, and learns it', async () => {
    assert.equal(ok(await world.change('suspend', reinstated)).status, 'Suspended');
    assert.equal(ok(await world.change('reinstate', reinstated)).status, 'Active');
    const done = await world.run('--yes', '--json');
    assert.equal(done.code, 0, done.out + done.err);
    await assertLedgersWord();
    const again = await world.run();
    assert.match(again.out, /Nothing is lacking\.\n$/);
    assert.equal(again.code, 0);
    assert.equal(ok(await world.change('reinstate', suspended)).status, 'Active');
    assert.equal(await world.isVerified(suspended), true);
  });
});
