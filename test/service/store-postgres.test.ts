/**
 * Everything the service remembers, on a real PostgreSQL and on SQLite in a file: the same suites that run beside the
 * code.
 */
import path from 'node:path';
import { before } from 'node:test';
import { registerAccessConformance } from '@symbolon/credential-service/access/access.conformance';
import { registerAuditConformance } from '@symbolon/credential-service/audit/audit.conformance';
import { registerExchangeConformance } from '@symbolon/credential-service/store/exchange.conformance';
import { registerOwnChainConformance } from '@symbolon/credential-service/store/own-chain.conformance';
import { registerPaymentsConformance } from '@symbolon/credential-service/store/payments.conformance';
import { registerRecordsConformance } from '@symbolon/credential-service/store/records.conformance';
import { registerStoreConformance } from '@symbolon/credential-service/store/store.conformance';
import { type MakeRecords, openRecords } from '@symbolon/credential-service/store/testing/records';
import { registerTrustConformance } from '@symbolon/credential-service/store/trust.conformance';
import { registerVaultConformance } from '@symbolon/credential-service/vault/vault.conformance';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningPostgres, startPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
let server: RunningPostgres;
before(async () => {
  server = await startPostgres(owner);
});
let databases = 0;

const postgresRecords: MakeRecords = async (context) => {
  databases += 1;
  return openRecords(context, await server.createDatabase(`records_${databases}`));
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
  registerExchangeConformance(name, make);
  registerPaymentsConformance(name, make);
  registerTrustConformance(name, make);
  registerVaultConformance(name, make);
  registerAccessConformance(name, make);
  registerAuditConformance(name, make);
}
