/**
 * Accounts in custody with keys in the vault: the whole journey, activations that break off at every step, and what a
 * service does not do.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { custodySettings, registerCustodyJourney } from '../support/custody-journey.ts';
import { custodyPaths, custodyRefusal, custodySteps } from '../support/custody-steps.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs, startService } from '../support/running-service.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);

registerCustodyJourney('the vault', {
  owner,
  start: (of) => startService(of, { proofs, config: { custody: custodySettings } }),
});

describe('an activation that breaks off', () => {
  for (const point of ['custodyKept', 'intentStored', 'intentExecuted', 'custodyPaid'])
    test(`at ${point} is completed by the next start, and paid once`, async (context) => {
      let isArmed = false;
      const crashPoint = (reached: string): void => {
        if (isArmed && reached === point) throw new Error(`cut off at ${point}`);
      };
      const config = { custody: { ...custodySettings, activation: { enabled: true, amount: 777 } } };
      const first = await startService(context, { proofs, config, crashPoint });
      const { kysely } = first.served.parts.database;
      isArmed = true;
      const answer = custodySteps(first.url, first.ledger).post(custodyPaths.create, {
        password: 'some password',
      });
      assert.equal((await answer).status, 200);
      const { address } = await kysely
        .selectFrom('custodyAccounts')
        .select('address')
        .executeTakeFirstOrThrow();
      const second = await first.restart({ crashPoint: () => undefined });
      const after = second.served.parts.database.kysely;
      const row = await until('the account to be activated', async () => {
        const found = await after.selectFrom('custodyAccounts').selectAll().executeTakeFirstOrThrow();
        return found.activation === 'done' && found;
      });
      assert.equal(row.address, address);
      const steps = custodySteps(second.url, second.ledger);
      assert.equal(await steps.balanceOf(address), 777n);
      await second.served.runChore('custody');
      assert.equal(await steps.balanceOf(address), 777n);
    });
});

describe('a service', () => {
  test('that holds no keys for others says so in the envelope', async (context) => {
    const { url, ledger } = await startService(context, { proofs });
    const answer = await custodySteps(url, ledger).post(custodyPaths.create, { password: 'some password' });
    assert.equal(custodyRefusal(answer), '400000 routeUnknown');
  });

  test('limits new accounts and what it pays for', async (context) => {
    const custody = {
      enabled: true,
      rates: { newAccountsPerMinute: 2 },
      activation: { enabled: true, perDay: 1 },
    };
    const { url, ledger } = await startService(context, { proofs, config: { custody } });
    const steps = custodySteps(url, ledger);
    assert.equal((await steps.create('first password')).created.activated, true);
    const { created } = await steps.create('second password');
    assert.deepEqual([created.activated, created.activationTxHash], [false, null]);
    const third = await steps.post(custodyPaths.create, { password: 'third password' });
    assert.equal(custodyRefusal(third), '400000 tooManyRequests');
  });
});
