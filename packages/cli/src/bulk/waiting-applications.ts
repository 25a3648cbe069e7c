/**
 * The applications that wait for an issuer, by holder: what a table finds its rows by that names holders and not
 * applications. A holder has at most one that waits for a template.
 */
import { bulkLimits, credentialRequestLimits } from '@symbolon/core/limits';
import type { CredentialClient } from '@symbolon/sdk/credential-client';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { Patient } from './patience.ts';

export type WaitingApplications = ReadonlyMap<string, string>;

export async function listWaiting(
  client: Pick<CredentialClient, 'listApplications'>,
  templateId: string,
  patiently: Patient,
): Promise<WaitingApplications> {
  const waiting = new Map<string, string>();
  const limit = String(credentialRequestLimits.pageItemsMax);
  let cursor: string | undefined;
  do {
    const question = {
      templateId,
      status: 'Pending' as const,
      limit,
      ...(cursor !== undefined && { cursor }),
    };
    const page = await patiently(() => client.listApplications(question));
    for (const { holder, vcId } of page.applications) waiting.set(holder, vcId);
    if (waiting.size > bulkLimits.waitingApplicationsMax)
      throw new CommandFailure(
        `More than ${bulkLimits.waitingApplicationsMax} applications wait for this template.\nName each row's application in a column applicationId instead of its holder.`,
        exitCodes.usage,
      );
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return waiting;
}
