/** A service that cannot work yet: what it says, to whom, and how it gets ready by itself. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { directClient } from '@symbolon/cli/servers/start-node';
import { type ServedService, serveService } from '@symbolon/credential-service/operation/serve-service';
import { serviceConfigSchema } from '@symbolon/credential-service/parts/service-config';
import { grantFunds } from '@symbolon/demo/funds';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { at, json, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { richest } from '../support/people.ts';
import { startNode } from '../support/running-node.ts';
import { shareProofs } from '../support/running-service.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

/** A client whose every call fails as long as the switch says so. */
function interruptible(client: LedgerClient, isAway: () => boolean): LedgerClient {
  const calls = Object.entries(client).map(([name, call]) => [
    name,
    async (argument: never) => {
      if (isAway()) throw new SdkError('timedOut', 'the node does not answer', { hint: 'none' });
      return (call as (argument: never) => Promise<unknown>)(argument);
    },
  ]);
  return Object.fromEntries(calls) as LedgerClient;
}

describe('a service that is not ready', () => {
  const proofs = shareProofs(ownerOfSuite());

  const serve = async (context: TestContext, client: LedgerClient, folder = tempFolder(context)) => {
    const served = await serveService(folder, {
      config: serviceConfigSchema.parse({ port: 0 }),
      log: createLog({ level: 'silent' }),
      metrics: createMetrics({ withProcess: false }),
      client,
      proofs,
      warmUp: false,
    });
    context.after(() => served.close());
    return served;
  };
  const isReady = (served: ServedService) =>
    until('the service is ready', async () => (await served.notReady()) === undefined);

  test('says whom to pay, refuses work, and goes on by itself once it can pay', async (context) => {
    const node = await startNode(context);
    const client = directClient(node.served.node, (name) => assert.fail(name));
    const served = await serve(context, client);
    const { status, text } = await send(`${served.url}/readyz`);
    assert.equal(status, 503);
    assert.match(
      text,
      new RegExp(`Fund address ${served.registrarAddress}: pay at least [1-9][\\d.,]* Gas `),
    );
    const refused = await send(`${served.url}/cred/v1/keys`);
    assert.equal(refused.status, 503);
    assert.equal(at(json(refused), 'code'), 'overloaded');
    assert.equal(refused.headers['retry-after'], '2');
    assert.equal((await send(`${served.url}/livez`)).status, 200);
    assert.match((await send(`${served.url}/metrics`)).text, /symbolon_service_ready 0\n/);

    const funder = await signerFromSeed(richest.seed);
    await grantFunds(client, funder, [{ address: served.registrarAddress, amount: 1_000_000_000n }]);
    await isReady(served);
    assert.equal((await send(`${served.url}/readyz`)).status, 200);
    assert.equal((await send(`${served.url}/cred/v1/keys`)).status, 200);
  });

  test('starts without its ledger, and notices when that comes and goes', async (context) => {
    const node = await startNode(context);
    let isAway = true;
    const direct = directClient(node.served.node, (name) => assert.fail(name));
    const served = await serve(
      context,
      interruptible(direct, () => isAway),
    );
    assert.match((await send(`${served.url}/readyz`)).text, /ledger node gives no answer/);
    const funder = await signerFromSeed(richest.seed);
    await grantFunds(direct, funder, [{ address: served.registrarAddress, amount: 1_000_000_000n }]);
    isAway = false;
    await isReady(served);
    isAway = true;
    await until('it notices', async () => (await served.notReady()) === 'the ledger does not answer');
    const metrics = async () => (await send(`${served.url}/metrics`)).text;
    assert.match(await metrics(), /symbolon_service_ready 0\n/, 'the metric says the same');
    isAway = false;
    await isReady(served);
    assert.match(await metrics(), /symbolon_service_ready 1\n/);
  });

  test('does not take another chain for its own', async (context) => {
    const [one, other] = [await startNode(context), await startNode(context, { chain: { chainId: 7n } })];
    const folder = tempFolder(context);
    const client = directClient(one.served.node, (name) => assert.fail(name));
    const first = await serve(context, client, folder);
    const funder = await signerFromSeed(richest.seed);
    await grantFunds(client, funder, [{ address: first.registrarAddress, amount: 1_000_000_000n }]);
    await isReady(first);
    await first.close();
    const second = await serve(
      context,
      directClient(other.served.node, (name) => assert.fail(name)),
      folder,
    );
    assert.equal(second.registrarAddress, first.registrarAddress);
    assert.match(
      (await second.notReady()) ?? '',
      /answers for another chain than the one that this service has seen up to block \d+/,
    );
  });

  test('ends although it never got ready', async (context) => {
    const node = await startNode(context);
    const client = directClient(node.served.node, (name) => assert.fail(name));
    const served = await serve(
      context,
      interruptible(client, () => true),
    );
    await served.close();
    await assert.rejects(send(`${served.url}/readyz`));
  });
});
