/**
 * Two processes of a service on a real PostgreSQL: what a caller may do in a minute, and which proofs it may have made,
 * does not double with them.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rateSharingLimits } from '@symbolon/host/limits/server-limits';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { startPostgres } from '../support/postgres.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService, type ServiceAnswer } from '../support/service-http.ts';
import { paths } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);

const rates = {
  lightPerMinute: 60,
  heavyPerMinute: 1_000_000,
  proofUnitsPerMinute: 20,
  proofUnitsPerMinuteWithKey: 1_000_000,
};

const heard = () => sleep(rateSharingLimits.roundMs * 4);

describe('two processes on one PostgreSQL', () => {
  let services: readonly [RunningService, RunningService];
  let shown: JsonObject;

  before(async () => {
    const { url: database } = await startPostgres(owner);
    const node = await startNode(owner);
    const masterKey = { value: randomBytes(32).toString('hex') };
    const order = { node, proofs, database };
    const wide = await startService(owner, { ...order, config: { masterKey } });
    const world = worldOf(wide);
    const { issuer, holder, steps } = world;
    const { vc } = await steps.issue({ issuer, holder }, await registerCard(world, 'Rated card'));
    shown = {
      vp: await steps.present(holder, { vc, challenge: 'c', domain: 'd' }),
      challenge: 'c',
      domain: 'd',
    };
    await wide.close();
    const first = await startService(owner, { ...order, config: { masterKey, rates } });
    services = [first, await startService(owner, { ...order, config: { masterKey, rates } })];
  });

  /** Asks until refused, and answers how often it was not. */
  async function exhaust(ask: () => Promise<ServiceAnswer>): Promise<number> {
    for (let count = 0; count < 100; count++) {
      const { status, body } = await ask();
      if (status === 429) return count;
      assert.equal(status, 200, JSON.stringify(body));
    }
    return assert.fail('it was never refused');
  }

  test('calls: what was spent at one is spent at the other', async () => {
    const [first, second] = services;
    const ask = ({ url }: RunningService) => getService(url, '/cred/v1/keys');
    const given = await exhaust(() => ask(first));
    assert.ok(given >= 15, `${given}`);
    await heard();
    // A few come back in the meantime, and until the other has heard of it.
    const also = await exhaust(() => ask(second));
    assert.ok(also < 12, `${given} and ${also}`);
  });

  test('proofs: a budget is one, whichever process is asked', async () => {
    const [first, second] = services;
    const verify = ({ url }: RunningService) => postService(url, paths.verify, shown);
    const given = await exhaust(() => verify(first));
    assert.ok(given >= 8, `${given}`);
    await heard();
    const also = await exhaust(() => verify(second));
    assert.ok(also <= given / 2, `${given} and ${also}`);
  });

  test('what one caller is refused is not refused to another', async () => {
    const [, second] = services;
    const { apiKey } = second.holder;
    const { status } = await postService(second.url, paths.verify, shown, { apiKey });
    assert.equal(status, 200);
  });
});
