import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { freePortFrom, ownerOfPort } from './ports.ts';

async function takenPort(context: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  context.after(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a port that nobody asked for', () => {
  test('is the usual one when it is free, else one of the next, and asking does not take it', async (context) => {
    const port = await takenPort(context);
    const next = await freePortFrom(port);
    assert.ok(next > port && next <= port + 20, `${next} is near ${port}`);
    assert.equal(await freePortFrom(next), next);
    assert.equal(await freePortFrom(next), next);
  });

  test('is any where there is no next one', async () => {
    assert.equal(await freePortFrom(65_536), 0);
  });
});

describe('who has a port', () => {
  test('is told where the system tells it', { skip: !existsSync('/proc/net/tcp') }, async (context) => {
    const owner = ownerOfPort(await takenPort(context));
    assert.equal(owner?.pid, process.pid);
    assert.notEqual(owner?.name, '');
  });

  test('is nobody when it is free', async (context) => {
    assert.equal(ownerOfPort(await freePortFrom(await takenPort(context))), undefined);
  });
});
