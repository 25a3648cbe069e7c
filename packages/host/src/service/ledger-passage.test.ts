import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import type { LedgerPassage } from './ledger-passage.ts';
import { startService } from './service-server-fixture.ts';

/** A service in front of a node that answers as told. */
async function startPassage(test: TestContext, pass: LedgerPassage['pass']) {
  const service = await startService(test, { passage: { routes: ledgerRoutes, pass } });
  const ask = () => {
    const request = http.get({ port: service.port, path: '/ledger/getLedger', agent: false });
    request.on('error', () => undefined);
    return request;
  };
  const observed = async () => {
    for (let turn = 0; turn < 200 && service.observations.length === 0; turn++) await delay(10);
    return service.observations.map(({ route, status, code }) => ({ route, status, code }));
  };
  return { ...service, ask, observed };
}

describe('the ledger under the origin of the service', () => {
  it('has not failed where its caller went away', async (test) => {
    const asked = Promise.withResolvers<void>();
    const { lines, ask, observed } = await startPassage(
      test,
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          asked.resolve();
        }),
    );
    const request = ask();
    await asked.promise;
    request.destroy();
    assert.deepEqual(await observed(), [{ route: 'ledgerPassage', status: 499, code: 'callerGone' }]);
    assert.deepEqual(lines, []);
  });

  it('is silent where the node does not answer somebody who waits', async (test) => {
    const { lines, ask, observed } = await startPassage(test, () => Promise.reject(new Error('refused')));
    ask().on('response', (response) => response.resume());
    assert.deepEqual(await observed(), [{ route: 'ledgerPassage', status: 502, code: 'ledgerSilent' }]);
    assert.deepEqual(
      lines.map(({ level, fields }) => [level, fields.code]),
      [['error', 'ledgerSilent']],
    );
  });
});
