/**
 * Looks after what issuers owe to the ledger, as long as they do: what the ledger has meanwhile is owed no longer, and how
 * much is left is told by health, numbers and log. Whoever verifies by the ledger alone accepts what is revoked here.
 */
import { assert } from '@symbolon/core/basics/assert';
import { addressOfDid } from '@symbolon/core/did/did';
import { ownChainLimits } from '@symbolon/core/limits/limits';
import type { Log } from '@symbolon/host/telemetry/log';
import { type HealthVerdict, healthy } from '@symbolon/host/telemetry/readiness';
import { Turns } from '@symbolon/host/work/turns';
import { type CredentialSummary, findCredentials } from '../issuance/credential-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { compareOwedTemplates } from '../reconcile/lacking.ts';
import { stillOwed } from './compare-status.ts';
import { countOwed, listOwedChanges, type OwedCounts, payOwedTemplate, takeStatus } from './owed-rows.ts';

export interface OwedWatch {
  /** Undefined as long as nobody has looked. */
  count(): number | undefined;
  verdict(): HealthVerdict;
  look(parts: ServiceParts): Promise<void>;
}

export function createOwedWatch(log: Log): OwedWatch {
  let owed: OwedCounts | undefined;
  const isOwed = ({ statuses, templates }: OwedCounts): boolean => statuses + templates > 0;
  return {
    count: () => owed && owed.statuses + owed.templates,
    verdict: () => (owed && isOwed(owed) ? { state: 'warning', detail: owedWords(owed) } : healthy),
    async look(parts) {
      const turns = new Turns(ownChainLimits.questionsAtOnce);
      const queries = parts.database.kysely;
      for (let page = await listOwedChanges(queries); page.length > 0; ) {
        const credentials = await findCredentials(queries, page);
        await Promise.all(credentials.map((one) => turns.run(() => settleStatus(parts, one))));
        page = await listOwedChanges(queries, page.at(-1));
      }
      const { paidTemplates } = await compareOwedTemplates({ queries, ledger: parts.ledger }, turns);
      for (const paid of paidTemplates) await payOwedTemplate(queries, paid);
      const before = owed;
      owed = await countOwed(queries);
      const isNews = owed.statuses !== before?.statuses || owed.templates !== before.templates;
      if (!isNews) return;
      if (isOwed(owed)) log.warn({ ...owed }, owedWords(owed));
      else if (before) log.info('the ledger has everything again that was owed to it');
    },
  };
}

const owedWords = ({ statuses, templates }: OwedCounts): string =>
  `the ledger lacks ${statuses} statuses and ${templates} templates that their issuers have to make again; named by: symbolon service reconcile --data <folder>`;

/** What was lost with its entry waits for that. */
async function settleStatus(
  { database, ledger, keys }: Pick<ServiceParts, 'database' | 'ledger' | 'keys'>,
  credential: CredentialSummary,
): Promise<void> {
  const { vcId, issuer } = credential;
  const address = addressOfDid(issuer, keys);
  assert(address, 'an issuer here has an address');
  const entry = await ledger.readEntry(address, vcId);
  if (entry && stillOwed(credential, entry) === undefined)
    await takeStatus(database.kysely, { vcId, status: entry.status });
}
