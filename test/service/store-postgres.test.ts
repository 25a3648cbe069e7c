/**
 * Everything the service remembers, on a real PostgreSQL and on SQLite in a file: the same suites that run beside the
 * code. And what a server alone can tell: which process is gone.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, test } from 'node:test';
import { submitLimits } from '@symbolon/core/limits/waiting';
import { registerAccessConformance } from '@symbolon/credential-service/access/access.conformance';
import { registerBrowserSessionConformance } from '@symbolon/credential-service/access/browser-sessions.conformance';
import { registerRateConformance } from '@symbolon/credential-service/access/rates.conformance';
import { registerAuditConformance } from '@symbolon/credential-service/audit/audit.conformance';
import { registerRecordsConformance } from '@symbolon/credential-service/database/records.conformance';
import type { ServiceSchema } from '@symbolon/credential-service/database/schema';
import { registerStoreConformance } from '@symbolon/credential-service/database/store.conformance';
import { type MakeRecords, openRecords } from '@symbolon/credential-service/database/testing/records';
import { renewWorker } from '@symbolon/credential-service/database/workers';
import { registerListConformance } from '@symbolon/credential-service/desks/lists.conformance';
import { registerDirectoryConformance } from '@symbolon/credential-service/directory/directory.conformance';
import { registerOwnChainConformance } from '@symbolon/credential-service/ledger/own-chain-rows.conformance';
import { registerOfferConformance } from '@symbolon/credential-service/offers/offers.conformance';
import { registerOpenidConformance } from '@symbolon/credential-service/openid-issuance/openid-rows.conformance';
import { registerPaymentsConformance } from '@symbolon/credential-service/payments/payment-rows.conformance';
import { registerSessionConformance } from '@symbolon/credential-service/sessions/sessions.conformance';
import { registerIssuerKeyConformance } from '@symbolon/credential-service/standards/issuer-keys.conformance';
import { registerSlotConformance } from '@symbolon/credential-service/status-lists/slots.conformance';
import { registerTrustConformance } from '@symbolon/credential-service/trust/trust.conformance';
import { registerVaultConformance } from '@symbolon/credential-service/vault/vault.conformance';
import { openDatabase } from '@symbolon/host/database/open-database';
import { sql } from 'kysely';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningPostgres, startPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
let server: RunningPostgres;
before(async () => {
  server = await startPostgres(owner);
});
let databases = 0;

const postgresRecords: MakeRecords = async (context) => {
  databases += 1;
  const name = `records_${databases}`;
  const records = await openRecords(context, await server.createDatabase(name));
  // A hundred of them are a gigabyte, which takes longer to remove at the end than a test may be silent.
  context.after(() => server.dropDatabase(name));
  return records;
};

const fileRecords: MakeRecords = (context) =>
  openRecords(context, `sqlite:${path.join(tempFolder(context), 'service.db')}`);

for (const [name, make] of [
  ['postgres', postgresRecords],
  ['sqlite file', fileRecords],
] as const) {
  registerStoreConformance(name, make);
  registerRecordsConformance(name, make);
  registerOwnChainConformance(name, make);
  registerSessionConformance(name, make);
  registerPaymentsConformance(name, make);
  registerOfferConformance(name, make);
  registerOpenidConformance(name, make);
  registerTrustConformance(name, make);
  registerListConformance(name, make);
  registerVaultConformance(name, make);
  registerIssuerKeyConformance(name, make);
  registerAccessConformance(name, make);
  registerBrowserSessionConformance(name, make);
  registerRateConformance(name, make);
  registerAuditConformance(name, make);
  registerDirectoryConformance(name, make);
  registerSlotConformance(name, make);
}

test('a process whose connection ends is known to be dead before its lease ends', async (context) => {
  const url = await server.createDatabase('workers');
  const living = await openRecords(context, url);
  const dying = await openDatabase<ServiceSchema>(url);
  await renewWorker(dying, 'dying');
  const workers = async () => {
    await renewWorker(living, 'living');
    const rows = await living.kysely.selectFrom('workers').select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  };
  assert.deepEqual(await workers(), ['dying', 'living']);
  const began = performance.now();
  await dying.close();
  await until('the dead one is forgotten', async () => (await workers()).length === 1);
  assert.ok(performance.now() - began < submitLimits.workerLeaseMs / 2);
});

test('a connection that is cut is replaced, and its process lives on', async (context) => {
  const url = await server.createDatabase('cut_workers');
  const database = await openRecords(context, url);
  await renewWorker(database, 'living');
  const cut = sql`select pg_terminate_backend(cast("session" as integer)) from "workers"`;
  await cut.execute(database.kysely);
  await until('it says so again', () =>
    renewWorker(database, 'living').then(
      () => true,
      () => false,
    ),
  );
  const { session } = await database.kysely.selectFrom('workers').select('session').executeTakeFirstOrThrow();
  assert.ok(session !== null && session > 0);
});
