/**
 * A service that is told to stop: it says so first, answers everything for as long as its settings say, on connections
 * that end cleanly, and only then closes. Whoever balances loses no request.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceConfigSchema } from '@symbolon/credential-service/parts/service-config';
import { type Answer, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startNode } from '../support/running-node.ts';
import { shareProofs, startService } from '../support/running-service.ts';
import { postService } from '../support/service-http.ts';
import { applyBody, paths } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);

/** A request on a connection that is kept. */
function askKept(url: string, agent: http.Agent): Promise<Pick<Answer, 'status' | 'headers'>> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    request.on('error', reject);
  });
}

describe('a service that is told to stop', () => {
  test('says so, answers on, lets connections end, and closes', async (context) => {
    const node = await startNode(context);
    const service = await startService(context, { node, proofs, config: { drainSeconds: 3 } });
    const { url } = service;
    const templateId = await registerCard(worldOf(service), 'Draining card');
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    context.after(() => agent.destroy());
    const before = await askKept(`${url}/readyz`, agent);
    assert.deepEqual([before.status, before.headers.connection], [200, 'keep-alive']);

    let isClosed = false;
    const closing = service.close().then(() => {
      isClosed = true;
    });
    const { status, text } = await send(`${url}/readyz`);
    assert.equal(status, 503);
    assert.match(text, /shutting down/);
    assert.match((await send(`${url}/metrics`)).text, /^symbolon_service_ready 0$/m);
    const last = await askKept(`${url}/livez`, agent);
    assert.deepEqual([last.status, last.headers.connection], [200, 'close'], 'the connection ends with it');
    const applied = await postService(url, paths.apply, applyBody(person('late'), templateId));
    assert.equal(applied.status, 200, applied.text);
    assert.equal(isClosed, false);
    await closing;
    await assert.rejects(send(`${url}/livez`), { code: 'ECONNREFUSED' });
  });

  test('takes no request into a connection that it closes', async (context) => {
    const node = await startNode(context);
    const { url, close } = await startService(context, { node, proofs, config: { drainSeconds: 2 } });
    const agents = Array.from({ length: 8 }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }));
    context.after(() => {
      for (const agent of agents) agent.destroy();
    });
    const broken: string[] = [];
    let answered = 0;
    /** As a balancer does: asks for readiness now and then, and sends requests for as long as that is there. */
    const ask = async (agent: http.Agent): Promise<void> => {
      for (let turn = 0; ; turn++) {
        if (turn % 5 === 0 && (await send(`${url}/readyz`)).status !== 200) return;
        await askKept(`${url}/livez`, agent).then(
          () => (answered += 1),
          (error: Error) => broken.push(error.message),
        );
        await sleep(Math.random() * 20);
      }
    };
    const asking = agents.map(ask);
    await until('requests come', () => answered > 50);
    const closing = close();
    await Promise.all(asking);
    await closing;
    assert.deepEqual(broken, []);
  });

  test('does not wait where it never worked, nor where its settings do not say so', async (context) => {
    const node = await startNode(context);
    const { close } = await startService(context, { node, proofs });
    const begun = performance.now();
    await close();
    assert.ok(performance.now() - begun < 5_000);
  });

  test('an answer that is under way when it closes is finished', async (context) => {
    const node = await startNode(context);
    const service = await startService(context, { node, proofs, config: { drainSeconds: 1 } });
    const slow = http.request(`${service.url}${paths.apply}`, { method: 'POST', agent: false });
    slow.flushHeaders();
    await once(slow, 'socket');
    const answered = once(slow, 'response') as Promise<[http.IncomingMessage]>;
    await sleep(200);
    const closing = service.close();
    await sleep(1_500);
    slow.end('{}');
    const [response] = await answered;
    assert.equal(response.statusCode, 400);
    response.resume();
    await closing;
  });
});

describe('the setting', () => {
  for (const drainSeconds of [-1, 0.5, 601, '5', null, Number.NaN])
    test(`cannot be ${drainSeconds}`, () => {
      assert.equal(serviceConfigSchema.safeParse({ drainSeconds }).success, false);
    });
  for (const drainSeconds of [0, 15, 600])
    test(`can be ${drainSeconds}`, () => {
      assert.equal(serviceConfigSchema.parse({ drainSeconds }).drainSeconds, drainSeconds);
    });
});
