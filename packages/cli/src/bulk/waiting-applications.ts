/**
 * The applications that wait for an issuer, by holder, or by the reference of the offer that they came from: what a table
 * finds its rows by that names no applications. A holder has at most one that waits for a template, and a reference
 * should have one; where it has two, nobody but the issuer knows whose it is.
 */

import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { readPages } from '@symbolon/sdk/service/pages';
import { bulkLimits } from '../limits/command-limits.ts';
import { usageFailure } from '../terminal/failure.ts';
import type { Patient } from './retry.ts';
import { composed } from './row-check.ts';

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

/** What stands for a reference: an offer that nobody has accepted yet, or those that were. */
export interface StandingOffers {
  readonly accepted: readonly { readonly offerId: string; readonly vcId: string }[];
}
export type OffersByReference = ReadonlyMap<string, StandingOffers>;

/** Offers that are open or were accepted, and of the latter the applications that they became. */
export async function listStandingOffers(
  client: Pick<CredentialClient, 'listOffers'>,
  templateId: string,
  patiently: Patient,
): Promise<OffersByReference> {
  const standing = new Map<string, StandingOffers>();
  const limit = String(credentialRequestLimits.pageItemsMax);
  // In this order: one that is accepted meanwhile is found as such.
  for (const state of ['open', 'accepted'] as const) {
    const pages = readPages({
      ask: (cursor) =>
        patiently(() =>
          client.listOffers({ templateId, state, limit, ...(cursor !== undefined && { cursor }) }),
        ),
      next: ({ nextCursor }) => nextCursor,
    });
    for await (const { offers } of pages) {
      for (const { reference, offerId, vcId } of offers) {
        if (reference === undefined) continue;
        const name = composed(reference);
        const accepted = standing.get(name)?.accepted ?? [];
        standing.set(name, { accepted: vcId === undefined ? accepted : [...accepted, { offerId, vcId }] });
      }
      refuseTooManyOffers(standing);
    }
  }
  return standing;
}

function refuseTooManyOffers({ size }: OffersByReference): void {
  if (size > bulkLimits.standingOffersMax)
    throw usageFailure(
      `More than ${bulkLimits.standingOffersMax} offers of this template are open or wait to be issued.\nName each row's application in a column applicationId.`,
    );
}
