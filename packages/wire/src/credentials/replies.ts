/**
 * What the credential service replies, as schemas that type handlers and clients: for routes of the interface document
 * exactly its fields, for the product's own routes what people need. The few replies whose spelling differs from the
 * inside are made here.
 */
import type { AttributeFormat } from '@symbolon/core/attributes/attribute-formats';
import {
  type AttributeTypeCode,
  attributeTypeCodes,
  type Template,
  type TemplateAttribute,
} from '@symbolon/core/documents/model';
import * as z from 'zod';
import { instant } from '../http/schema-parts.ts';
import { applicationStatuses } from './schemas.ts';
import { credentialStatus, documentReply } from './verifier-replies.ts';

export const page = { nextCursor: z.string().optional().describe('Absent on the last page') };

export const blobReply = z.object({
  blobId: z.string(),
  blob: z.string().describe('Hex; the decoded bytes are what is signed'),
});
export const statusBlobReply = blobReply.extend({
  remarkSalt: z
    .string()
    .optional()
    .describe('Where there is a remark: remarkHashes has SHA-256 of this text, a line feed and the remark'),
});
export const registrationReply = z.object({ templateId: z.string(), txHash: z.string() });

export const attributeReply = z.object({
  attribute: z.string(),
  format: z.string() as unknown as z.ZodType<AttributeFormat>,
  key: z.string(),
  mandatory: z.boolean(),
  type: (z.number() as unknown as z.ZodType<AttributeTypeCode>).describe(
    '1 text, 2 image, 3 integer, 4 decimal, 5 date, 6 date and time, 7 boolean',
  ),
});
/** What a credential costs. */
export const priceReply = z.object({
  amount: z.string(),
  asset: z.string(),
  symbol: z.string(),
  decimals: z.int(),
});
type PriceReply = z.output<typeof priceReply>;

export const paidReply = z
  .object({
    amount: z.string(),
    asset: z.string(),
    symbol: z.string().optional(),
    decimals: z.int().optional().describe('Absent where it is not known how the asset is written'),
    txHash: z.string().nullable().describe('The transaction that paid it; null where nothing was to be paid'),
  })
  .meta({ id: 'PaidPrice', description: 'What was paid for a credential.' });

export const templateReply = z.object({
  templateId: z.string(),
  templateName: z.string(),
  issuerDid: z.string(),
  credentialFormat: z.array(attributeReply),
  version: z.string(),
  remark: z.string().optional(),
  txHash: z.string(),
  price: priceReply.optional(),
});
export type TemplateReply = z.output<typeof templateReply>;
export const templateListReply = z.object({ templates: z.array(templateReply), ...page });
export const templateHistoryReply = z.object({
  templateId: z.string(),
  versions: z.array(z.object({ version: z.string(), txHash: z.string(), registeredAt: instant })),
});
export const jsonSchemaReply = documentReply;

export const applicationStatus = z.enum(applicationStatuses);
export type ApplicationStatus = z.output<typeof applicationStatus>;
export const applicationReply = z.object({ vcId: z.string(), status: applicationStatus });
export const creationReply = z.object({
  ed25519Blob: z.string().describe('Hex; the decoded bytes are what the issuer signs'),
  bbsBlsBase64: z.string().describe('BBS+ signature over the draft, base64: to be sent with vc/submit'),
  unsigned: z
    .object({
      credential: documentReply.describe('The credential without its proofs'),
      proofOptions: documentReply.describe("The issuer's proof without its signature"),
      salt: z.string().describe('The last message of the BBS+ signature'),
    })
    .describe('What both signatures are over: whoever signs can compare it and compute the rest'),
});
export const submissionReply = z.object({ vcObject: documentReply, downloadExpiryDate: instant });
export const downloadReply = documentReply;

const applicationDetails = {
  vcId: z.string(),
  status: applicationStatus,
  templateId: z.string(),
  templateVersion: z.string(),
  templateName: z.string().optional(),
  holder: z.string(),
  label: z
    .string()
    .optional()
    .describe(
      'What the values call the holder (the first text that is a name); absent where none does, and once that is not stored',
    ),
  paid: paidReply.optional(),
  offerId: z.string().optional().describe('The offer that the holder accepted, where it came from one'),
  createdAt: instant,
  updatedAt: instant,
};
export const applicationListReply = z.object({
  applications: z.array(z.object(applicationDetails)),
  ...page,
});
export const applicationDetailsReply = z.object({
  ...applicationDetails,
  issuer: z.string(),
  metadata: z
    .array(z.object({ key: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) }))
    .optional()
    .describe('What the holder applied with, as long as it is stored'),
  signed: z
    .object({
      content: z.string().describe('JSON of templateId and metadata as the holder signed them'),
      signData: z.string(),
      signedText: z
        .string()
        .optional()
        .describe('The text of presence that was signed instead of the content'),
    })
    .optional()
    .describe("The holder's signature over the application, as long as it is stored"),
  draft: creationReply
    .extend({
      bbsMessages: z.array(z.string()).describe('What the BBS+ signature is over: header, attributes, salt'),
      metadata: z.string().optional().describe('What the issuer noted beside it'),
      expiresAt: instant,
    })
    .optional()
    .describe('What the issuer is about to sign, whole, until it lapses or is issued'),
  reason: z.string().optional().describe('Why the issuer rejected the application'),
});
export const rejectionReply = z.object({ vcId: z.string(), status: applicationStatus });

export const statusChangeReply = z.object({
  vcId: z.string(),
  status: credentialStatus,
  vcIds: z.array(z.string()).optional().describe('All of them, where one blob was for several credentials'),
});
export const revocationStatusReply = z.object({ isRevoked: z.boolean(), revokedAt: instant.nullable() });

export const bbsKeyReply = z.object({ publicKeyMultibase: z.string(), privateKeyMultibase: z.string() });
export const bbsSignatureReply = z.object({
  signature: z.string().describe('BBS+ signature over all messages: 80 bytes, base64'),
});

export const presentationReply = z.object({ vpObject: documentReply });

export const auditReply = z.object({
  entries: z.array(
    z.object({
      sequence: z.number(),
      time: instant,
      actor: z.string().nullable(),
      action: z.string(),
      subject: z.string().nullable(),
      outcome: z.string(),
      details: documentReply.optional(),
      hash: z.string(),
    }),
  ),
  ...page,
});
const auditAnchor = z.object({
  sequence: z.number(),
  hash: z.string(),
  txHash: z.string(),
  time: instant,
});
export const auditHeadReply = z.object({
  sequence: z.number(),
  hash: z.string(),
  anchor: auditAnchor.nullable(),
});

/** An entry as it is hashed: each member as stored, times in milliseconds since 1970. */
const chainedEntry = z.object({
  sequence: z.number(),
  at: z.number(),
  actorKey: z.string().nullable(),
  actorDid: z.string().nullable(),
  action: z.string(),
  subject: z.string().nullable(),
  outcome: z.string(),
  details: z.string(),
  previous: z.string(),
});
export const auditProofReply = z.object({
  chain: z.array(chainedEntry),
  end: z.object({ sequence: z.number(), hash: z.string() }),
  anchor: auditAnchor.nullable(),
  nextAfter: z.string().optional(),
});

/** RFC 9457, with what the service adds. */
export const problemReply = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  hint: z.string().optional().describe('What the caller can do about it'),
  help: z.string().optional().describe('Where the service explains this code'),
  requestId: z.string().default('').describe('Absent where nothing was understood as a request'),
  blobId: z.string().optional().describe('With blobReplaced: what to submit instead'),
  blob: z.string().optional().describe('With blobReplaced: what to sign'),
  vcId: z.string().optional().describe('With applicationExists: the application that waits'),
  offerId: z.string().optional().describe('With offerExists: the open offer'),
  state: z.string().optional().describe('With offerClosed: where the offer stands'),
  triesLeft: z.number().optional().describe('With txCodeWrong: how many more codes may be tried'),
});
export type Problem = z.output<typeof problemReply>;

/** A template as the interface spells it; with a price where the service issues it at once. */
export const renderTemplate = (template: Template, txHash: string, price?: PriceReply): TemplateReply => ({
  templateId: template.id,
  templateName: template.name,
  issuerDid: template.issuer,
  credentialFormat: template.attributes.map(renderAttribute),
  version: template.version,
  ...(template.remark !== undefined && { remark: template.remark }),
  txHash,
  ...(price && { price: renderPrice(price) }),
});

const renderPrice = ({ amount, asset, symbol, decimals }: PriceReply): PriceReply => ({
  amount,
  asset,
  symbol,
  decimals,
});

const renderAttribute = ({ key, label, type, format, mandatory }: TemplateAttribute) => ({
  attribute: label,
  format: format as AttributeFormat,
  key,
  mandatory,
  type: attributeTypeCodes[type],
});
