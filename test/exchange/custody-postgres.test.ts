/** The journey of custody with its records in a real PostgreSQL, where caps are kept by serializable transactions. */
import { custodySettings, registerCustodyJourney } from '../support/custody-journey.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startPostgres } from '../support/postgres.ts';
import { shareProofs, startService } from '../support/running-service.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);

registerCustodyJourney('the vault, records in PostgreSQL', {
  owner,
  async start(of) {
    const { url: database } = await startPostgres(of);
    return startService(of, { proofs, database, config: { custody: custodySettings } });
  },
});
