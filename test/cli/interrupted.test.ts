/**
 * Ctrl-C while a command works or waits: it ends at once with exit code 130, says in two lines what is done and what takes
 * it up again, and leaves nothing half-written. What runs until Ctrl-C ends in order, with 0.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { type Owner, ownerOfSuite } from '../support/owner.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { type RunningSymbolon, startSymbolon } from '../support/symbolon-process.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const hash = '0'.repeat(64);

/** A way to a server on which one kind of request is never answered. */
async function startHolder(owner: Owner, target: () => string) {
  let hasHeld = false;
  let held: RegExp | undefined;
  const server = createServer((request, response) => {
    if (held?.test(request.url ?? '')) {
      hasHeld = true;
      return;
    }
    const { method, headers } = request;
    const far = send(new URL(request.url ?? '/', target()), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    far.on('error', () => request.socket.destroy());
    request.pipe(far);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hold = (some: RegExp | undefined): void => {
    held = some;
  };
  return { url, hold, hasHeld: () => hasHeld };
}

describe('Ctrl-C', () => {
  const owner = ownerOfSuite();
  const folder = makeTempFolder();
  owner.after(() => removeFolder(folder));
  let service: RunningService;
  let way: Awaited<ReturnType<typeof startHolder>>;
  const profile = path.join(folder, 'on-the-way.json');
  before(async () => {
    way = await startHolder(owner, () => service.url);
    service = await startService(owner, { config: { publicUrl: way.url } });
    const own = JSON.parse(readFileSync(path.join(service.folder, 'demo.json'), 'utf8'));
    writeFileSync(profile, JSON.stringify({ ...own, service: way.url }), { mode: 0o600 });
  });
  const start = (...words: string[]): RunningSymbolon =>
    startSymbolon(owner, words, { SYMBOLON_PROFILE: profile }, { cwd: folder });

  async function interrupted(running: RunningSymbolon) {
    const since = performance.now();
    const ended = await running.stop('SIGINT');
    // A second, with room for a machine that does much else.
    assert.ok(performance.now() - since < 3_000, 'at once');
    return ended;
  }

  test('while a payment is handed in: the transaction is named', async () => {
    const toNode = await startHolder(owner, () => service.node.url);
    toNode.hold(/submitTransaction/);
    const paying = start('tx', 'pay', 'holder', '1gas', '--as', 'issuer', '--ledger', toNode.url);
    await until('the payment to be handed in', toNode.hasHeld);
    const { code, err, out } = await interrupted(paying);
    assert.equal(code, 130, err);
    assert.match(err, /was signed; it may have been handed in[^\n]*\n.*symbolon tx wait [0-9a-f]{64}\n/);
    assert.equal(out, '');
  });

  test('while a transaction is waited for; programs get a code', async () => {
    const toNode = await startHolder(owner, () => service.node.url);
    toNode.hold(/getTransactionHistory/);
    const words = ['--timeout', '100', '--json', '--ledger', toNode.url];
    const waiting = start('tx', 'wait', hash, ...words);
    await until('the node to be asked', toNode.hasHeld);
    const { code, err, out } = await interrupted(waiting);
    assert.equal(code, 130, err);
    assert.equal(JSON.parse(out).error.code, 'interrupted');
    assert.match(err, new RegExp(`symbolon tx wait ${hash}`));
  });

  test('while a credential is issued: the same command goes on', async () => {
    const card = ['--name', 'Interrupted card', '--attribute', 'name:string:required'];
    assert.equal((await start('template', 'create', ...card).ended).code, 0);
    const applied = await start('vc', 'apply', 'Interrupted card', '--set', 'name=Ada', '--json').ended;
    const { vcId } = JSON.parse(applied.out);
    way.hold(/vc\/submit/);
    const issuing = start('vc', 'issue', vcId);
    await until('the credential to be handed in', way.hasHeld);
    const { code, err } = await interrupted(issuing);
    assert.equal(code, 130, err);
    assert.match(err, new RegExp(`symbolon vc issue ${vcId}\\n`));
    way.hold(undefined);
    const again = await start('vc', 'issue', vcId).ended;
    assert.equal(again.code, 0, again.err);
  });

  test('while a wallet is waited for: the request stays open', async () => {
    const asking = start('request', '--ask', 'name', '--wait');
    await until('it to wait', () => asking.err().includes('Waiting for a wallet'));
    const { code, err } = await interrupted(asking);
    assert.equal(code, 130, err);
    assert.match(err, /stays open until \d{4}-/);
  });

  test('while a backup is made: nothing of it is left', async () => {
    assert.equal((await start('service', 'init', '--data', 'own').ended).code, 0);
    const out = path.join(folder, 'copy');
    const making = start('backup', '--data', 'own', '--out', out);
    const begun = watch(folder);
    await Promise.race([once(begun, 'change'), making.ended]);
    begun.close();
    const { code, err } = await interrupted(making);
    // One that was whole a moment before is kept.
    if (code === 0) return;
    assert.equal(code, 130, err);
    assert.match(err, /There is no backup/);
    assert.ok(!existsSync(out) || readdirSync(out).length === 0);
  });

  test('ends in order what runs until then', async () => {
    const tailing = start('tail');
    await until('tail to watch', () => tailing.err().includes('Watching'));
    const { code, err } = await interrupted(tailing);
    assert.equal(code, 0, err);
    assert.match(err, /Ended\./);
  });
});
