/**
 * What the service says of itself when the ground gives way: its database file damaged or deleted underneath, a second
 * process on the same folder, a lost master key, a ledger that stands still. Over HTTP and as an operator sees it.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { exitCodes } from '@symbolon/cli/terminal/failure';
import { serveService } from '@symbolon/credential-service/operation/serve-service';
import { serviceConfigSchema } from '@symbolon/credential-service/parts/service-config';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { at, json, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const ready = async ({ url }: RunningService) => send(`${url}/readyz`);

/** Something that is written: a key of the caller's. */
const write = (service: RunningService) =>
  send(`${service.url}/cred/bbs/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.issuer.apiKey}` },
    body: '{}',
  });

const listed = async (service: RunningService): Promise<number> =>
  (await service.served.apiKeys.list({})).items.length;

/** Every file of a folder with what is in it. */
const contents = (folder: string): string =>
  readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(path.join(folder, name)))
          .digest('hex')}`,
    )
    .join('\n');

describe('the database of a service', () => {
  const owner = ownerOfSuite();
  const proofs = shareProofs(owner);

  test('is checked after the start, and readiness tells how far that is', async (context) => {
    const service = await startService(context, { proofs });
    const text = await until('the verdict', async () => {
      const { text } = await send(`${service.url}/readyz?verbose`);
      return text.includes('checking') ? undefined : text;
    });
    assert.match(text, /^database: ok$/m);
    assert.match(text, /^write: ok$/m);
    assert.match(text, /^disk: ok$/m);
    assert.match(text, /^ledger: ok$/m);
    assert.equal((await ready(service)).text, 'ok');
  });

  test('threads for proofs are said to be cold until one has warmed up', async (context) => {
    const service = await startService(context, { warmUp: true });
    const proofsOf = async () =>
      /^proofs: .*$/m.exec((await send(`${service.url}/readyz?verbose`)).text)?.[0];
    assert.match((await proofsOf()) ?? '', /^proofs: (checking, no worker has warmed up yet|ok)/);
    await until('warm threads', async () => (await proofsOf()) === 'proofs: ok');
  });

  test('is named when its pages do not fit together, and is not written any more', async (context) => {
    const service = await startService(context, { proofs });
    await service.close();
    damage(path.join(service.folder, 'service.db'));
    const again = { ...service, ...(await serveAgain(context, service)) };
    const { status, text } = await until('the verdict', async () => {
      const answer = await ready(again);
      return answer.status === 503 && answer;
    });
    assert.equal(status, 503);
    assert.match(text, /^the database cannot be written: the database file is damaged/);
    const refused = await write(again);
    assert.equal(refused.status, 503);
    assert.equal(at(json(refused), 'code'), 'databaseFailed');
    assert.equal(refused.headers['retry-after'], '1');
    assert.match((await send(`${again.url}/metrics`)).text, /symbolon_service_database_sound 0\n/);
  });

  test('loses nothing when its log is deleted underneath, and says so within seconds', async (context) => {
    const service = await startService(context, { proofs });
    const { apiKeys } = service.served;
    const before = await listed(service);
    await apiKeys.create({ label: 'before', scopes: ['verify'] });
    rmSync(path.join(service.folder, 'service.db-wal'));
    const deletedAt = performance.now();
    await apiKeys.create({ label: 'after', scopes: ['verify'] }).catch(() => undefined);
    const { text } = await until('it notices', async () => {
      const answer = await ready(service);
      return answer.status === 503 && answer;
    });
    assert.ok(performance.now() - deletedAt < 5_000);
    assert.match(text, /the write-ahead log of the database \(service\.db-wal\) was deleted/);
    const refused = await write(service);
    assert.deepEqual([refused.status, at(json(refused), 'code')], [503, 'databaseFailed']);
    assert.match(service.logged(), /is not written any more/);
    const again = await service.restart();
    // The tests' own administrator gets a key at every start.
    assert.ok((await listed(again)) >= before + 2);
    assert.equal((await ready(again)).status, 200);
  });

  test('belongs to one process: a second service on the folder is refused, keys can be looked after', async (context) => {
    const node = await startNode(context);
    const folder = path.join(tempFolder(context), 'service');
    const made = await symbolon(context, ['service', 'init', '--data', folder, '--node', node.url]);
    assert.equal(made.code, 0, made.err);
    const start = () => startSymbolon(context, ['service', 'start', '--data', folder, '--port', '0']);
    const first = start();
    await first.printed(/Credential service +(http:\S+)/);
    const second = await start().ended;
    assert.equal(second.code, exitCodes.failed);
    assert.match(second.err, /is in use by another process/);
    assert.match(second.err, /Stop that one first/);
    const keys = await symbolon(context, ['service', 'key', 'list', '--data', folder]);
    assert.equal(keys.code, 0, keys.err);
    // Killed, it leaves nothing that stands in the way of the next.
    await first.stop('SIGKILL');
    const third = start();
    await third.printed(/Credential service +(http:\S+)/);
    await third.stop('SIGKILL');
    rmSync(path.join(folder, 'service.db-wal'));
    const lost = await start().ended;
    assert.equal(lost.code, exitCodes.damaged, lost.err);
    assert.match(lost.err, /has lost what was written to it: its write-ahead log/);
    const doctor = await symbolon(context, ['doctor', '--data', folder, '--ledger', node.url]);
    assert.match(doctor.out, /✖ database +.*has lost what was written to it/);
  });
});

/** The same service again, of which the test wants nothing before it is up. */
async function serveAgain(context: TestContext, { folder, ledger }: RunningService) {
  const served = await serveService(folder, {
    config: serviceConfigSchema.parse({ port: 0, proofWorkers: 1 }),
    log: createLog({ level: 'silent' }),
    metrics: createMetrics({ withProcess: false }),
    client: ledger,
    warmUp: false,
  });
  context.after(() => served.close());
  return { served, url: served.url };
}

/** Overwrites the page of a table that no start reads, as a failing disk does. */
function damage(file: string): void {
  const connection = new DatabaseSync(file);
  const [table] = connection
    .prepare(`select rootpage from sqlite_schema where name = 'savedPresentations'`)
    .all();
  connection.close();
  const pageBytes = 4_096;
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(pageBytes, 0x5a), 0, pageBytes, (Number(table?.rootpage) - 1) * pageBytes);
  closeSync(handle);
}

describe('a folder whose master key is gone', () => {
  test('is refused by name, and nothing in it is made or changed', async (context) => {
    const folder = path.join(tempFolder(context), 'service');
    assert.equal((await symbolon(context, ['service', 'init', '--data', folder])).code, 0);
    rmSync(path.join(folder, 'master.key'));
    const before = contents(folder);
    for (const words of [
      ['service', 'start', '--port', '0'],
      ['service', 'key', 'list'],
      ['service', 'key', 'create', '--scope', 'verify'],
    ]) {
      const { code, err } = await symbolon(context, [...words, '--data', folder]);
      assert.equal(code, exitCodes.config, err);
      assert.match(err, /There is no master key in .*master\.key/);
      assert.equal(contents(folder), before);
    }
  });
});
