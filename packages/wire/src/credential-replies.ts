/**
 * What the credential service replies, as schemas that type handlers and clients: for routes of the interface document
 * exactly its fields (`spec/credential-service.md`, "Endpoints"), for the product's own routes what people need. The
 * few replies whose spelling differs from the inside are made here.
 */
import { attributeTypeCodes, type Template, type TemplateAttribute } from '@symbolon/core/credential/model';
import { z } from 'zod';
import type { JsonObject } from './json.ts';

/**
 * A W3C document, described elsewhere and passed on whole. Handlers give any object; clients read one of JSON values.
 */
const document = z.custom<object>(
  (value) => typeof value === 'object' && value !== null,
) as unknown as z.ZodType<JsonObject, object>;

const instant = z.string().describe('RFC 3339, UTC');
const page = { nextCursor: z.string().optional().describe('Absent on the last page') };

export const blobReply = z.object({
  blobId: z.string(),
  blob: z.string().describe('Hex; the decoded bytes are what is signed'),
});
export const registrationReply = z.object({ templateId: z.string(), txHash: z.string() });

export const attributeReply = z.object({
  attribute: z.string(),
  format: z.string(),
  key: z.string(),
  mandatory: z.boolean(),
  type: z.number().describe('1 text, 2 image, 3 integer, 4 decimal, 5 date, 6 date and time, 7 boolean'),
});
export const templateReply = z.object({
  templateId: z.string(),
  templateName: z.string(),
  issuerDid: z.string(),
  credentialFormat: z.array(attributeReply),
  version: z.string(),
  remark: z.string().optional(),
  txHash: z.string(),
});
export type TemplateReply = z.output<typeof templateReply>;
export const templateListReply = z.object({ templates: z.array(templateReply), ...page });
export const templateHistoryReply = z.object({
  templateId: z.string(),
  versions: z.array(z.object({ version: z.string(), txHash: z.string(), registeredAt: instant })),
});
export const jsonSchemaReply = document;

export const applicationStatus = z.enum(['Pending', 'Approved', 'Issued', 'Rejected', 'Revoked']);
export type ApplicationStatus = z.output<typeof applicationStatus>;
export const applicationReply = z.object({ vcId: z.string(), status: applicationStatus });
export const creationReply = z.object({
  ed25519Blob: z.string().describe('Hex; the decoded bytes are what the issuer signs'),
  bbsBlsBase64: z.string().describe('The BBS+ signature, base64'),
});
export const submissionReply = z.object({ vcObject: document, downloadExpiryDate: instant });
export const downloadReply = document;

const applicationDetails = {
  vcId: z.string(),
  status: applicationStatus,
  templateId: z.string(),
  templateVersion: z.string(),
  holder: z.string(),
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
  reason: z.string().optional().describe('Why it was rejected'),
});
export const rejectionReply = z.object({ vcId: z.string(), status: applicationStatus });

export const credentialStatus = z.enum(['Active', 'Suspended', 'Revoked']);
export type CredentialStatusWord = z.output<typeof credentialStatus>;
export const statusChangeReply = z.object({
  vcId: z.string(),
  status: credentialStatus,
  vcIds: z.array(z.string()).optional().describe('All of them, where one blob was for several credentials'),
});
export const statusReply = z.object({
  vcId: z.string(),
  issuer: z.string(),
  status: credentialStatus,
  changedAt: instant.nullable(),
  txHash: z.string().nullable().describe('The transaction that set this status'),
});
export const revocationStatusReply = z.object({ isRevoked: z.boolean(), revokedAt: instant.nullable() });

export const bbsKeyReply = z.object({ publicKeyMultibase: z.string(), privateKeyMultibase: z.string() });
export const bbsSignatureReply = z.object({ signature: z.string().describe('Base64 of 80 bytes') });

export const presentationReply = z.object({ vpObject: document });
export const verdictReply = z.object({
  verified: z.boolean(),
  vcDetails: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Revealed attributes; for one with a proved range a note'),
  errors: z.array(z.string()).optional().describe('Name of the check that failed, and why'),
});

/** The members of a public key as RFC 7517 names them. */
const jsonWebKey = z.object({
  kty: z.string(),
  kid: z.string(),
  use: z.string(),
  alg: z.string(),
  n: z.string().optional(),
  e: z.string().optional(),
  crv: z.string().optional(),
  x: z.string().optional(),
});
const sealPublicKeys = z.object({
  kid: z.string(),
  rsaPublicKeyPem: z.string(),
  x25519PublicKey: z.string().describe('Base58'),
  validUntil: instant.nullable(),
});
export const sealKeysReply = z.object({
  kid: z.string().describe('The keys to use'),
  rsaPublicKeyPem: z.string(),
  x25519PublicKey: z.string().describe('Base58'),
  keys: z.array(sealPublicKeys).describe('Every pair that still opens requests, the one to use first'),
  jwks: z.object({ keys: z.array(jsonWebKey) }),
});
export type SealPublicKeys = z.output<typeof sealPublicKeys>;
export type SealKeysReply = z.output<typeof sealKeysReply>;

export const resolutionReply = document;

export const auditReply = z.object({
  entries: z.array(
    z.object({
      sequence: z.number(),
      time: instant,
      actor: z.string().nullable(),
      action: z.string(),
      subject: z.string().nullable(),
      outcome: z.string(),
      details: document.optional(),
      hash: z.string(),
    }),
  ),
  ...page,
});
export const auditHeadReply = z.object({
  sequence: z.number(),
  hash: z.string(),
  anchor: z.object({ sequence: z.number(), hash: z.string(), txHash: z.string(), time: instant }).nullable(),
});

/** RFC 9457, with what the service adds. */
export const problemReply = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  requestId: z.string().default('').describe('Absent where nothing was understood as a request'),
});
export type Problem = z.output<typeof problemReply>;

/** A template as the interface spells it. */
export const renderTemplate = (template: Template, txHash: string): TemplateReply => ({
  templateId: template.id,
  templateName: template.name,
  issuerDid: template.issuer,
  credentialFormat: template.attributes.map(renderAttribute),
  version: template.version,
  ...(template.remark !== undefined && { remark: template.remark }),
  txHash,
});

const renderAttribute = ({ key, label, type, format, mandatory }: TemplateAttribute) => ({
  attribute: label,
  format,
  key,
  mandatory,
  type: attributeTypeCodes[type],
});
