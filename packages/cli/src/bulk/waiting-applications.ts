/**
 * The applications that wait for an issuer, by holder, or by the reference of the offer that they came from: what a table
 * finds its rows by that names no applications. A holder has at most one that waits for a template.
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
    refuseTooMany(waiting);
  }
  return waiting;
}

function refuseTooMany({ size }: WaitingApplications): void {
  if (size > bulkLimits.waitingApplicationsMax)
    throw usageFailure(
      `More than ${bulkLimits.waitingApplicationsMax} applications wait for this template.\nName each row's application in a column applicationId.`,
    );
}

/** Those of offers that were accepted, by reference. */
export async function listAcceptedOffers(
  client: Pick<CredentialClient, 'listOffers'>,
  templateId: string,
  patiently: Patient,
): Promise<WaitingApplications> {
  const waiting = new Map<string, string>();
  const limit = String(credentialRequestLimits.pageItemsMax);
  const question = { templateId, state: 'accepted' as const, limit };
  const pages = readPages({
    ask: (cursor) =>
      patiently(() => client.listOffers({ ...question, ...(cursor !== undefined && { cursor }) })),
    next: ({ nextCursor }) => nextCursor,
  });
  for await (const { offers } of pages) {
    for (const { reference, vcId } of offers)
      if (reference !== undefined && vcId !== undefined) waiting.set(reference, vcId);
    refuseTooMany(waiting);
  }
  return waiting;
}
