/** How questions of issuers and holders about their own records look on the wire. */
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { paging } from '../credentials/schemas.ts';
import { listParameters } from '../http/list-parameters.ts';
import { maybe, strict, text } from '../http/schema-parts.ts';
import { listedDid, listedTemplateId } from '../trust/requests.ts';

/**
 * What an issued credential is, as its issuer reads it. What is revoked stays so, and what has expired is of no use
 * whether or not it is suspended.
 */
export const issuedStates = ['Active', 'Suspended', 'Revoked', 'Expired', 'Missing'] as const;
export type IssuedState = (typeof issuedStates)[number];

/** The ledger alone knows which are missing, so nobody can ask for them. */
export const listedIssuedStates = ['Active', 'Suspended', 'Revoked', 'Expired'] as const;

export const issuedFilter = z.object({
  status: z
    .enum(listedIssuedStates, { error: 'must be Active, Suspended, Revoked or Expired' })
    .optional()
    .describe('Only credentials that stand here'),
  templateId: listedTemplateId.optional().describe('Only credentials of this template'),
  holder: listedDid.optional().describe('Only credentials of the holder with this DID'),
  ...listParameters,
  ...paging,
});

export const settingsPage = z.object(paging);

const pageSize = `must be a whole number from 1 to ${limits.pageItemsMax}`;

export const ownApplicationsOrder = strict({
  cursor: maybe(text(limits.cursorCharsMax)).describe('Where the page before ended, as its answer said'),
  limit: maybe(z.int({ error: pageSize }).min(1, pageSize).max(limits.pageItemsMax, pageSize)).describe(
    `How many to show, at most ${limits.pageItemsMax}`,
  ),
});
