/**
 * What the service replies to verifiers: verdicts, statuses, DID documents. The other replies stand beside this file.
 */
import { type AttributeType, attributeTypeCodes } from '@symbolon/core/documents/model';
import * as z from 'zod';
import { instant } from '../http/schema-parts.ts';
import type { JsonObject } from '../json/json.ts';
import { checkReply, claimedReply, presentedReply } from './presented-replies.ts';

/**
 * A W3C document, described elsewhere and passed on whole. Handlers give any object; clients read one of JSON values.
 */
export const documentReply = z.custom<object>(
  (value) => typeof value === 'object' && value !== null,
) as unknown as z.ZodType<JsonObject, object>;

export const credentialStatus = z.enum(['Active', 'Suspended', 'Revoked']);
export type CredentialStatusWord = z.output<typeof credentialStatus>;
const attributeTypes = Object.keys(attributeTypeCodes) as [AttributeType, ...AttributeType[]];

const recordReply = z.object({
  registry: z.string().describe('Address of the registry that keeps the entry'),
  issuedAt: instant.describe('When the ledger recorded the credential'),
  ledgerSeq: z
    .string()
    .nullable()
    .describe('The block of the last change; null where the ledger has lost it'),
  validFrom: instant,
  validUntil: instant,
  commitment: z.string().nullable().describe('Hex; the commitment to the contents, if the entry binds them'),
  template: z
    .object({
      id: z.string(),
      version: z.string(),
      name: z.string(),
      issuer: z.string(),
      attributes: z.array(z.object({ key: z.string(), type: z.enum(attributeTypes), format: z.string() })),
      acceptsUnbound: z.boolean(),
    })
    .nullable()
    .describe('The registered version that the entry names'),
});
export type RecordReply = z.output<typeof recordReply>;

export const credentialStatusReply = z.object({
  vcId: z.string(),
  issuer: z.string(),
  status: credentialStatus,
  changedAt: instant
    .nullable()
    .describe('Null where the ledger has lost the change, and nobody knows when it was'),
  txHash: z
    .string()
    .nullable()
    .describe('The transaction that set this status; null where it is not known, or lost'),
  record: recordReply.describe('What the ledger holds beside the status'),
});

export const verdictReply = z.object({
  verified: z.boolean(),
  vcDetails: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe(
      'Revealed attributes; for one with a proved range a note. Of several credentials each key is <position>.<key>',
    ),
  credentials: z
    .array(presentedReply)
    .optional()
    .describe('Of each credential who issued it, and what it shows and proves'),
  errors: z.array(z.string()).optional().describe('Name of the check that failed, and why'),
  claimed: z
    .array(claimedReply)
    .optional()
    .describe('Of a refused presentation what its credentials say of themselves: nothing of it is confirmed'),
  checks: z.array(checkReply).optional().describe('The six checks in their order, passed or not'),
  tookMs: z.int().optional().describe('How long the verdict took, in milliseconds'),
});

export const resolutionReply = documentReply;
