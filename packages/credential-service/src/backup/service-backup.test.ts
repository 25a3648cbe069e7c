/** The service's part of a backup on SQLite; with PostgreSQL it is tested in `test/cli/backup.test.ts`. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { DatabaseTooNew } from '@symbolon/host/database/common/database-error';
import { createLog } from '@symbolon/host/telemetry/log';
import type { ServiceSchema } from '../database/schema.ts';
import { openRecords } from '../wiring/open-records.ts';
import { initServiceFolder, loadServiceConfig, ServiceFolderError } from '../wiring/service-folder.ts';
import { backUpService, readServiceSecrets } from './service-backup.ts';
import { examineServiceCopy, ServiceCopyError, tablesInOrder } from './service-copy.ts';

const log = createLog({ level: 'silent' });
const quiet = () => undefined;

/** A service's folder with some rows, open as long as the test runs. */
async function runningRecords(context: TestContext, settings: object = {}) {
  const place = mkdtempSync(path.join(tmpdir(), 'symbolon-service-'));
  context.after(() => rmSync(place, { recursive: true, force: true }));
  const folder = path.join(place, 'service');
  await initServiceFolder(folder, settings);
  const config = await loadServiceConfig(folder, {});
  const records = await openRecords(folder, { config, log });
  context.after(() => records.close());
  for (let index = 0; index < 3; index++)
    await records.audit.record({ action: 'service.start', outcome: 'done' });
  await records.audit.flush();
  await records.audit.record({ action: 'service.start', outcome: 'done' });
  return { place, folder, config, records, out: path.join(place, 'copy') };
}

test('a copy tells its rows, the end of its audit log and the master key it needs, without any key', async (context) => {
  const { folder, config, records, out } = await runningRecords(context, { port: 1 });
  const facts = await backUpService(folder, out, { config, onProgress: quiet });
  assert.deepEqual(readdirSync(out).sort(), ['service.db', 'service.json']);
  assert.equal(facts.database, 'sqlite');
  assert.deepEqual(facts.masterKeys, [records.vault.masterKeyId]);
  assert.deepEqual(
    [facts.rows.auditEntries, facts.rows.auditInbox, facts.audit.sequence],
    [3, 1, 3],
    'what waits for the chain is in the copy, too',
  );
  assert.deepEqual(facts.audit.sequence + 1, (await records.audit.head()).sequence);
  assert.deepEqual(await examineServiceCopy(out), facts);
  const { masterKey, settings } = await readServiceSecrets(folder, config);
  assert.match(masterKey ?? '', /^[0-9a-f]{64}\n$/);
  assert.deepEqual(settings, {});
});

test('every table of the database is copied, those first that others refer to', async (context) => {
  const { records } = await runningRecords(context);
  const present = (await records.database.kysely.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('symbolon_migration'));
  assert.deepEqual(present.toSorted(), tablesInOrder.toSorted());
  const at = (name: keyof ServiceSchema) => tablesInOrder.indexOf(name);
  assert.ok(at('templates') < at('templateVersions') && at('credentials') < at('statusChanges'));
});

test('a copy that was changed, cut or made by a newer program is refused', async (context) => {
  const { place, folder, config, out } = await runningRecords(context);
  await assert.rejects(examineServiceCopy(place), ServiceCopyError);
  const spoil = async (statement: string, problem: RegExp | typeof DatabaseTooNew) => {
    await backUpService(folder, out, { config, onProgress: quiet });
    const copy = new DatabaseSync(path.join(out, 'service.db'));
    copy.exec(statement);
    copy.close();
    await assert.rejects(examineServiceCopy(out), problem);
    rmSync(out, { recursive: true });
  };
  await spoil(`update "auditEntries" set "action" = 'x' where "sequence" = 2`, /broken at entry 2.*changed/);
  await spoil(`delete from "auditEntries" where "sequence" = 2`, /broken at entry 2.*missing/);
  await spoil(
    `insert into "auditAnchors" values (9, 'aa', 'bb', 1)`,
    /entries that were anchored are missing/,
  );
  await spoil(`insert into symbolon_migration values ('9999-later', '2030')`, DatabaseTooNew);
  await spoil('drop table symbolon_migration', /no tables of a credential service/);
});

test('what cannot be backed up is said: a database in memory, a key that is elsewhere', async (context) => {
  const { folder, config, out } = await runningRecords(context);
  await assert.rejects(
    backUpService(folder, out, { config: { ...config, database: 'sqlite::memory:' }, onProgress: quiet }),
    ServiceFolderError,
  );
  const inEnvironment = { ...config, masterKey: { ...config.masterKey, value: 'ab'.repeat(32) } };
  const secrets = await readServiceSecrets(folder, inEnvironment);
  assert.deepEqual(
    [secrets.masterKey, secrets.masterKeyElsewhere],
    [undefined, 'in the environment of the service'],
  );
});
