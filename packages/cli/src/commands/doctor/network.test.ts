import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { checkClock, checkPeer, checkSameChain } from './network.ts';

type Answer = readonly [status: number, body: string];

/** Whatever listens on a port: answers by path, 404 for the others. */
async function serve(t: TestContext, answers: Readonly<Record<string, Answer>>): Promise<string> {
  const server = createServer((request, response) => {
    const [status, body] = answers[new URL(request.url ?? '/', 'http://x').pathname] ?? [404, 'nothing here'];
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const header = (hash: string, closeTimeMs: number) =>
  JSON.stringify({
    error_code: 0,
    error_desc: '',
    result: { header: { seq: 1, hash, close_time: closeTimeMs * 1_000 } },
  });
const hello = (ms: number) =>
  JSON.stringify({
    current_time: `${new Date(ms).toISOString().slice(0, -1).replace('T', ' ')}000`,
    hash_type: 0,
    ledger_version: '1003',
    network_id: '0',
    overlay_version: '1000',
    websocket_address: 36_003,
    zetrix_version: '0.1.0',
  });

describe('node and service over the network', () => {
  test('nobody there is wrong, with advice', async () => {
    const { finding, isThere } = await checkPeer('node', 'http://127.0.0.1:1');
    assert.equal(isThere, false);
    assert.equal(finding.verdict, 'wrong');
    assert.match(finding.advice ?? '', /npm start/);
    assert.equal((await checkPeer('service', 'not an address')).finding.verdict, 'wrong');
  });

  test('one that hangs is not told to be started', async (t) => {
    const hanging = createServer(() => {}).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    t.after(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const { finding, isThere } = await checkPeer('node', url, 200);
    assert.deepEqual([isThere, finding.verdict], [false, 'wrong']);
    assert.match(finding.detail, /takes the connection, but does not answer/);
    assert.doesNotMatch(finding.advice ?? '', /Start it/);
    assert.match(finding.advice ?? '', /log/);
  });

  test('somebody else there is wrong, and said to be somebody else', async (t) => {
    const page = await serve(t, { '/readyz': [200, 'ok'], '/': [200, '<html>'], '/hello': [200, '<html>'] });
    for (const peer of ['node', 'service'] as const)
      assert.match((await checkPeer(peer, page)).finding.detail, /is not a (ledger node|credential service)/);
    const directory = '{"openapi":"/openapi.json","hello":"/hello"}';
    const node = await serve(t, { '/readyz': [200, 'ok'], '/': [200, directory] });
    assert.match((await checkPeer('service', node)).finding.detail, /is not a credential service/);
    const nothing = await serve(t, {});
    assert.equal((await checkPeer('node', nothing)).isThere, false);
  });

  test('a peer is ready, or says why not', async (t) => {
    const service = await serve(t, { '/readyz': [200, 'ok'], '/': [200, '{"openapi":"/openapi.json"}'] });
    assert.equal((await checkPeer('service', service)).finding.verdict, 'fine');
    const waiting = await serve(t, { '/readyz': [503, 'the ledger does not answer'] });
    const { finding, isThere } = await checkPeer('service', waiting);
    assert.deepEqual([isThere, finding.verdict], [true, 'wrong']);
    assert.match(finding.detail, /the ledger does not answer/);
  });

  test('what is advised is what helps', async (t) => {
    const advised = async (text: string) =>
      (await checkPeer('service', await serve(t, { '/readyz': [503, text] }))).finding.advice ?? '';
    assert.match(await advised('the ledger does not answer'), /goes on by itself/);
    assert.match(
      await advised('the log was deleted: restart the service, which goes on with it'),
      /^Restart it/,
    );
    assert.match(
      await advised('damaged: restore a backup into a new folder'),
      /^Stop it, and restore a backup/,
    );
    assert.match(
      await advised('The ledger was rolled back: it is at block 5'),
      /right ledger.*service reconcile/,
    );
    const busy = await serve(t, {
      '/readyz': [503, '{"error_code":114,"error_desc":"as many connections"}'],
    });
    const { finding } = await checkPeer('node', busy);
    assert.match(finding.detail, /has as many connections as it takes/);
    assert.match(finding.advice ?? '', /Try again/);
  });

  test('a clock is compared with the newest block and with the clock of the node', async (t) => {
    const now = Date.UTC(2030, 0, 1);
    const at = (blockMs: number, nodeMs: number) =>
      serve(t, { '/getLedger': [200, header('aa', blockMs)], '/hello': [200, hello(nodeMs)] });
    assert.equal((await checkClock(await at(now - 3_600_000, now + 500), () => now)).verdict, 'fine');
    assert.equal((await checkClock(await at(now + 60_000, now), () => now)).verdict, 'wrong');
    assert.match((await checkClock(await at(0, now - 90_000), () => now)).detail, /90 s away/);
    await assert.rejects(checkClock(await serve(t, {})));
  });

  test('two chains are told apart by their first block', async (t) => {
    const [one, same, other] = await Promise.all(
      ['aa', 'aa', 'bb'].map((hash) => serve(t, { '/getLedger': [200, header(hash, 0)] })),
    );
    const service = (ledger: string) => serve(t, { '/': [200, JSON.stringify({ ledger })] });
    const silent = await serve(t, {});
    const check = async (serviceUrl: string, settingsUrl?: string) =>
      (await checkSameChain({ ledgerUrl: one, serviceUrl, settingsUrl })).verdict;
    assert.equal(await check(await service(same)), 'fine');
    assert.equal(await check(await service(other)), 'wrong');
    assert.equal(await check(silent, same), 'fine');
    assert.equal(await check(silent, other), 'wrong');
    assert.equal(await check(silent, 'http://127.0.0.1:1'), 'wrong');
    assert.equal(await check(silent), 'fine');
    const estranged = await serve(t, {
      '/': [200, JSON.stringify({ ledger: same })],
      '/readyz': [503, 'The ledger node answers for another chain than the one that this service has seen'],
    });
    assert.equal(await check(estranged), 'wrong');
  });
});
