/** What issuers and holders are answered about their own records. */
import * as z from 'zod';
import { applicationStatus, page, paidReply, priceReply } from '../credentials/replies.ts';
import { instant } from '../http/schema-parts.ts';
import { issuedStates } from './schemas.ts';

/** On whose word statuses are told. */
const asOf = z
  .object({
    source: z
      .enum(['ledger', 'records'])
      .describe(
        "ledger: the ledger was asked; records: it did not answer, so this is the service's last word",
      ),
    ledgerSeq: z
      .string()
      .nullable()
      .describe(
        'The statuses are those of this block or of a later one; null where the ledger did not answer',
      ),
    detail: z.string().optional().describe('Why the ledger did not say'),
  })
  .meta({ id: 'StatusBasis', description: 'On whose word statuses are told, and as of when.' });

const issuedMembers = {
  vcId: z.string(),
  status: z
    .enum(issuedStates)
    .describe('Active, Suspended, Revoked, Expired, or Missing where the ledger has no record of it'),
  templateId: z.string(),
  templateVersion: z.string(),
  templateName: z.string().optional(),
  holder: z.string(),
  label: z
    .string()
    .optional()
    .describe(
      'What the credential calls its holder (the first text that is a name); absent where it says none, and once the credential is not stored',
    ),
  validFrom: instant.nullable().describe('Null where neither the service nor the ledger has said it yet'),
  validUntil: instant.nullable().describe('Null where neither the service nor the ledger has said it yet'),
  issuedAt: instant,
  txHash: z.string().describe('The transaction that recorded the credential'),
  ledgerSeq: z.string().nullable().describe('Its block; null where that was not kept'),
  changedAt: instant
    .nullable()
    .describe('When the ledger last changed its status; null where it did not say'),
  changedInLedgerSeq: z.string().nullable().describe('The block of that; null where the ledger did not say'),
  offerId: z.string().optional(),
  paid: paidReply.optional(),
};

export const issuedListReply = z.object({
  issued: z.array(z.object(issuedMembers)),
  asOf,
  ...page,
});

export const statusHistoryActs = ['issue', 'suspend', 'reinstate', 'revoke'] as const;

export const issuedDetailsReply = z.object({
  ...issuedMembers,
  issuer: z.string(),
  downloadExpiresAt: instant.describe('Until when holder and issuer can download it'),
  history: z
    .array(
      z.object({
        act: z.enum(statusHistoryActs).describe('What was done to the credential'),
        at: instant,
        by: z.string().describe('DID of who signed it'),
        txHash: z.string().nullable().describe('Null where it was done without this service'),
        ledgerSeq: z
          .string()
          .nullable()
          .describe('Its block; null where the ledger does not have it, or does not answer'),
        reason: z.string().optional(),
      }),
    )
    .describe('What was done to it, newest first'),
  asOf,
});

const count = z.int();
export const issuerCountsReply = z.object({
  applications: z
    .object({ Pending: count, Approved: count, Issued: count, Rejected: count })
    .describe('How many applications to the issuer stand where'),
  issued: z
    .object({ Active: count, Suspended: count, Revoked: count, Expired: count })
    .describe("How many issued credentials stand where, by the service's records"),
});

export const priceListReply = z.object({
  prices: z.array(
    z.object({
      templateId: z.string(),
      templateName: z.string().optional(),
      price: priceReply,
      payTo: z.string(),
      updatedAt: instant.describe('When the issuer set it'),
    }),
  ),
  ...page,
});

export const autoIssueListReply = z.object({
  policies: z.array(
    z.object({
      templateId: z.string(),
      templateName: z.string().optional(),
      isEnabled: z.boolean(),
      isInForce: z.boolean().describe('Whether credentials are issued at once now: enabled, and not over'),
      perDayMax: z.int(),
      issuedToday: z.int().describe('How many of the day are used; the day begins at midnight UTC'),
      until: instant,
      validSeconds: z.int(),
      allowReissue: z.boolean(),
      holders: z.array(z.string()).nullable().describe('The DIDs that may get one; null for everybody'),
      updatedAt: instant.describe('When the issuer set it'),
    }),
  ),
  ...page,
});

export const issuerKeysReply = z.object({
  issuer: z.string(),
  issuingKey: z
    .object({ isHeld: z.boolean(), since: instant.nullable() })
    .describe('Whether the issuer has left its Ed25519 key here, to issue at once'),
  bbsKeys: z
    .array(
      z.object({
        publicKeyMultibase: z.string(),
        since: instant.describe('Since when the service keeps the key'),
        isPublished: z
          .boolean()
          .nullable()
          .describe("Whether the issuer's DID document has it; null where the ledger did not answer"),
      }),
    )
    .describe('BBS+ keys whose secret the service keeps for the issuer, newest first'),
  vault: z
    .object({
      place: z.enum(['software', 'hardware']).describe('Where the key is that encrypts all others'),
      isWorking: z.boolean().describe('Whether it was used just now without failing'),
    })
    .describe('How these keys are kept'),
});

export const ownApplicationsReply = z.object({
  applications: z.array(
    z.object({
      vcId: z.string(),
      status: applicationStatus,
      issuer: z.string(),
      templateId: z.string(),
      templateVersion: z.string(),
      templateName: z.string().optional(),
      reason: z.string().optional().describe('Why the issuer rejected the application'),
      offerId: z.string().optional(),
      downloadExpiresAt: instant.optional().describe('Until when the credential can be downloaded'),
      createdAt: instant,
      updatedAt: instant,
    }),
  ),
  ...page,
});
