/**
 * The applications that wait for an issuer, by holder: what a table finds its rows by that names holders and not
 * applications. A holder has at most one that waits for a template.
 */

import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { readPages } from '@symbolon/sdk/service/pages';
import { bulkLimits } from '../limits/command-limits.ts';
import { usageFailure } from '../terminal/failure.ts';
import type { Patient } from './retry.ts';

export type WaitingApplications = ReadonlyMap<string, string>;

export async function listWaiting(
  client: Pick<CredentialClient, 'listApplications'>,
  templateId: string,
  patiently: Patient,
): Promise<WaitingApplications> {
  const waiting = new Map<string, string>();
  const limit = String(credentialRequestLimits.pageItemsMax);
  const question = { templateId, status: 'Pending' as const, limit };
  const pages = readPages({
    ask: (cursor) =>
      patiently(() => client.listApplications({ ...question, ...(cursor !== undefined && { cursor }) })),
    next: ({ nextCursor }) => nextCursor,
  });
  for await (const { applications } of pages) {
    for (const { holder, vcId } of applications) waiting.set(holder, vcId);
    if (waiting.size > bulkLimits.waitingApplicationsMax)
      throw usageFailure(
        `More than ${bulkLimits.waitingApplicationsMax} applications wait for this template.\nName each row's application in a column applicationId instead of its holder.`,
      );
  }
  return waiting;
}
