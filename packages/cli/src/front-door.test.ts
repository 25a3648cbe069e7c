import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openFrontDoor } from './front-door.ts';
import type { StartedNode } from './start-node.ts';

async function open(context: TestContext) {
  let problem: string | undefined;
  const node: StartedNode = {
    httpUrl: 'http://ledger',
    socketUrl: 'ws://ledger',
    genesisAddress: 'genesis',
    notReady: () => problem,
    stop: async () => {},
    ended: Promise.resolve(),
  };
  const door = await openFrontDoor({ port: 0, node });
  context.after(() => door.close());
  return {
    door,
    breakNode: () => {
      problem = 'the chain has stopped';
    },
  };
}

describe('the front door', () => {
  test('says where everything is', async (context) => {
    const { door } = await open(context);
    const response = await fetch(`${door.url}/?x=1`);
    assert.deepEqual(await response.json(), {
      name: 'Symbolon',
      ledger: 'http://ledger',
      webSocket: 'ws://ledger',
      openapi: 'http://ledger/openapi.json',
      metrics: 'http://ledger/metrics',
    });
  });

  test('says whether everything is up', async (context) => {
    const { door, breakNode } = await open(context);
    assert.equal((await fetch(`${door.url}/readyz`)).status, 200);
    breakNode();
    const response = await fetch(`${door.url}/readyz`);
    assert.equal(response.status, 503);
    assert.deepEqual(await response.json(), { status: 'not ready', problem: 'the chain has stopped' });
    assert.equal((await fetch(`${door.url}/livez`)).status, 200);
  });

  test('knows nothing else', async (context) => {
    const { door } = await open(context);
    for (const path of ['/nothing', '/constructor', '/__proto__', '/toString', '/readyz/']) {
      assert.equal((await fetch(door.url + path)).status, 404, path);
    }
  });

  test('closes although somebody keeps a connection', async (context) => {
    const { door } = await open(context);
    await (await fetch(door.url)).text();
    await door.close();
    await assert.rejects(fetch(door.url));
  });
});
