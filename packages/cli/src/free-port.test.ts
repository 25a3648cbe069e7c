import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { freeOr0 } from './free-port.ts';

describe('a port that nobody asked for', () => {
  test('is the usual one when it is free, else any', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    assert.equal(await freeOr0(port), 0);
    server.close();
    await once(server, 'close');
    assert.equal(await freeOr0(port), port);
    assert.equal(await freeOr0(port), port, 'asking does not take it');
  });
});
