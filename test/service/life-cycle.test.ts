/** The life of a credential over plain HTTP, on SQLite and on a real PostgreSQL. */
import { test } from 'node:test';
import { liveCredential } from '../support/credential-life.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startPostgres } from '../support/postgres.ts';
import { shareProofs, startService } from '../support/running-service.ts';
import { worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);

test('the life of a credential on SQLite', async (context) => {
  await liveCredential(worldOf(await startService(context, { proofs })));
});

test('the life of a credential on PostgreSQL', async (context) => {
  const { url: database } = await startPostgres(context);
  await liveCredential(worldOf(await startService(context, { proofs, database })));
});
