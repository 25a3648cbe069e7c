/**
 * Looks after what issuers owe to the ledger, as long as they do: what the ledger has meanwhile is owed no longer, and
 * how much is left is told by health, numbers and log. Whoever verifies by the ledger alone accepts what is revoked
 * here.
 */

import type { Log } from '@symbolon/host/telemetry/log';
import { type HealthVerdict, healthy } from '@symbolon/host/telemetry/readiness';
import { Turns } from '@symbolon/host/work/turns';
import { addressOfIssuer } from '../access/signatures.ts';
import { allPages } from '../database/paging.ts';
import type { Queries } from '../database/schema.ts';
import { type CredentialSummary, findCredentials } from '../issuance/credential-rows.ts';
import type { CredentialLedger } from '../ledger/credential-ledger.ts';
import { ownChainLimits } from '../limits/service-limits.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { versionKeyOf } from '../templates/template-rows.ts';
import { stillOwed } from './compare-status.ts';
import {
  countOwed,
  listOwedChanges,
  listOwedTemplates,
  type OwedCounts,
  type OwedTemplate,
  payOwedTemplate,
  takeStatus,
} from './owed-rows.ts';

type OwedParts = Pick<ServiceParts, 'database' | 'ledger' | 'keys'>;

export interface OwedWatch {
  /** Undefined as long as nobody has looked. */
  count(): number | undefined;
  verdict(): HealthVerdict;
  look(parts: OwedParts): Promise<void>;
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
      for await (const page of allPages<string>((last) => listOwedChanges(queries, last))) {
        const credentials = await findCredentials(queries, page);
        await Promise.all(credentials.map((one) => turns.run(() => settleStatus(parts, one))));
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
  { database, ledger, keys }: OwedParts,
  credential: CredentialSummary,
): Promise<void> {
  const { vcId, issuer } = credential;
  const entry = await ledger.readEntry(addressOfIssuer(issuer, keys), vcId);
  if (entry && stillOwed(credential, entry) === undefined)
    await takeStatus(database.kysely, { vcId, status: entry.status });
}

export interface ComparedTemplates {
  readonly owedTemplates: readonly OwedTemplate[];
  /** Owed until now. */
  readonly paidTemplates: readonly OwedTemplate[];
}

/** What the ledger has is paid, and what it has a later version of: then no earlier one comes to it any more. */
export async function compareOwedTemplates(
  { queries, ledger }: { readonly queries: Queries; readonly ledger: Pick<CredentialLedger, 'readTemplate'> },
  turns: Turns,
): Promise<ComparedTemplates> {
  const owedTemplates: OwedTemplate[] = [];
  const paidTemplates: OwedTemplate[] = [];
  for await (const page of allPages<OwedTemplate>((_, offset) => listOwedTemplates(queries, offset))) {
    const newest = await Promise.all(
      page.map(({ templateId }) => turns.run(() => ledger.readTemplate(templateId))),
    );
    for (const [index, owed] of page.entries()) {
      const version = newest[index]?.template.version;
      const isPaid = version !== undefined && versionKeyOf(version) >= versionKeyOf(owed.version);
      (isPaid ? paidTemplates : owedTemplates).push(owed);
    }
  }
  return { owedTemplates, paidTemplates };
}
