/** `symbolon node status` on nodes, and `service status` on services, that cannot work, or have no connection left: said as it is, with an exit code that says so. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { exitCodes } from '@symbolon/cli/terminal/failure';
import { symbolon } from '../support/symbolon-process.ts';

type Answers = Readonly<Record<string, readonly [number, string]>>;

const statusOf = async (context: TestContext, answers: Answers, ...more: string[]) =>
  symbolon(context, ['node', 'status', '--ledger', await serve(context, answers), ...more]);

async function serve(context: TestContext, answers: Answers): Promise<string> {
  const server = createServer((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [404, '{}'];
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const modules = JSON.stringify({
  ledger_manager: { ledger_sequence: 7, tx_count: 1, account_count: 2 },
  glue_manager: { transaction_size: 3 },
});

test('a node that is not ready is told to be so', async (context) => {
  const answers = {
    '/getModulesStatus': [200, modules],
    '/readyz': [503, "the ledger's time is 829 s ahead of the clock, and no block is made"],
  } as const;
  const words = await statusOf(context, answers);
  assert.equal(words.code, exitCodes.failed);
  assert.match(words.out, /block +7/);
  assert.match(words.err, /The node is not ready: the ledger's time is 829 s ahead/);
  const json = await statusOf(context, answers, '--json');
  assert.equal(json.code, exitCodes.failed);
  assert.deepEqual(
    [JSON.parse(json.out).ready, JSON.parse(json.out).ledger_manager.ledger_sequence],
    [false, 7],
  );
});

test('a service that is not ready is told to be so, to a program in one document', async (context) => {
  const url = await serve(context, { '/readyz': [503, 'the registrar cannot pay'] });
  const status = (...more: string[]) => symbolon(context, ['service', 'status', '--service', url, ...more]);
  assert.match((await status()).err, /The service is not ready: the registrar cannot pay/);
  const { code, out } = await status('--json');
  assert.equal(code, exitCodes.failed);
  const { ready, problem, error } = JSON.parse(out);
  assert.deepEqual([ready, problem, error.code], [false, 'the registrar cannot pay', 'notReady']);
});

test('a node that is ready is', async (context) => {
  const { code, out } = await statusOf(context, {
    '/getModulesStatus': [200, modules],
    '/readyz': [200, 'ok'],
  });
  assert.deepEqual([code, /block +7/.test(out)], [0, true]);
});

test('a node without a free connection is busy, and still a node', async (context) => {
  const busy = [
    503,
    '{"error_code":114,"error_desc":"as many connections as it takes","result":null}',
  ] as const;
  const { code, err } = await statusOf(context, { '/getModulesStatus': busy, '/readyz': busy });
  assert.equal(code, exitCodes.failed);
  assert.match(err, /is busy: it has as many connections as it takes/);
});

test('a node of a network says how it is within it', async (context) => {
  const within = { 'consensus manager': { type: 'cometbft' }, peer_manager: { connected: 3 } };
  const ledger = { ledger_sequence: 7, chain_max_ledger_seq: 9, tx_count: 1, account_count: 2 };
  const validators = [10, 30].map((power, index) => ({ address: `ZTX${index}`, pledge_coin_amount: power }));
  const answers = (replica: number, ready: readonly [number, string]): Answers => ({
    '/getModulesStatus': [200, JSON.stringify({ ...JSON.parse(modules), ...within, ledger_manager: ledger })],
    '/getConsensusInfo': [200, JSON.stringify({ replica_id: replica })],
    '/getLedgerValidators': [200, JSON.stringify({ error_code: 0, result: { validators } })],
    '/readyz': ready,
  });
  const said = await statusOf(context, answers(1, [200, 'ok']));
  assert.equal(said.code, 0, said.err);
  assert.match(said.out, /^peers +3\npower +30 of 40\nlag +2 blocks$/m);
  const follows = await statusOf(context, answers(-1, [200, 'ok']), '--json');
  assert.deepEqual(JSON.parse(follows.out).network, { peers: 3, power: 0, wholePower: 40, lag: 2 });
  // Without CometBFT it does not know which validator it is.
  const away = await statusOf(context, answers(-1, [503, 'CometBFT does not answer']));
  assert.match(away.out, /^power +- of 40$/m);
});
