/**
 * How requests to the credential service look on the wire, with every spelling that clients of the family use. Only
 * shapes and bounds, each with a plain complaint; what a shape means is read in `requests.ts` and its neighbours. A
 * body is an order: a member that is not known is refused, but for those of `toleratedMembers`.
 */
import type { AttributeFormat } from '@symbolon/core/attributes/attribute-formats';
import type { AttributeType, AttributeTypeCode } from '@symbolon/core/documents/model';
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { listParameters } from '../http/list-parameters.ts';
import {
  didText,
  identifier,
  list,
  maybe,
  missingOr,
  name,
  note,
  strict,
  text,
  textParameter,
  tolerated,
  truth,
} from '../http/schema-parts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { listedDid, listedTemplateId } from '../trust/requests.ts';
import { signedText } from './presence-requests.ts';

export { derivation, presentationCompletion } from './derivation-schemas.ts';
export {
  type DisclosureWire,
  didPath,
  resolutionOptions,
  statusQuery,
  verification,
} from './presentation-schemas.ts';

/** What an attribute's value may be before its type is known. */
export const plainValue = z.union(
  [
    z.string().max(limits.valueCharsMax, `must have at most ${limits.valueCharsMax} characters`),
    z.number(),
    z.boolean(),
  ],
  { error: 'must be text, a number that is exact, or true or false, and not too long' },
);

// Templates

/** Callers in TypeScript write formats and types as they are; older spellings of them are read, too. */
const attributeFormat = name as unknown as z.ZodType<AttributeFormat, AttributeFormat>;
/** The code of the interface, its name, or the words of old clients that say who fills the value in. */
const attributeType = z.union([z.number(), name], {
  error: 'must be the number of a type',
}) as unknown as z.ZodType<AttributeType | AttributeTypeCode, AttributeType | AttributeTypeCode>;
const attribute = strict({
  attribute: name,
  format: attributeFormat,
  key: name,
  mandatory: z.union([truth, z.literal(0), z.literal(1)], { error: missingOr('must be true or false') }),
  type: maybe(attributeType),
});

const issuerSpellings = {
  issuerDid: maybe(didText),
  issuerDID: maybe(didText),
  issuerZid: maybe(didText),
  issuerZID: maybe(didText),
};

const templateMembers = {
  templateName: name,
  ...issuerSpellings,
  credentialFormat: list(attribute, limits.attributesMax),
  version: name,
  remark: maybe(note),
  acceptUnbound: maybe(truth).describe(
    'Whether credentials count whose entry on the ledger has no commitment to their contents',
  ),
  ...tolerated('template'),
};
export const templateDraft = strict(templateMembers);
export const templateWithKey = strict({ ...templateMembers, issuerPrivateKey: name });

/** One signer flat, or several in a list. */
export const signedBlob = strict({
  blobId: name,
  signBlob: maybe(name),
  publicKey: maybe(name),
  signerList: maybe(list(strict({ signBlob: name, publicKey: name }), limits.signersMax)),
});

// Issuance

/** An array of keys with values, or an object; it is kept as sent, because the holder signs it so. */
export const metadata = z.custom<JsonValue[] | JsonObject>(
  (value) => typeof value === 'object' && value !== null,
  {
    error: missingOr('must be an array of {key, value}, or an object'),
  },
);

const applicationElement = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), {
  error: 'must be an object with templateId and metadata',
});
const dataArray = <Element extends z.ZodType>(element: Element) =>
  z
    .array(element, { error: 'must be an array' })
    .length(1, 'must have exactly one element: an application is for one template');

export const application = strict({
  templateId: maybe(name),
  metadata: maybe(metadata),
  data: maybe(dataArray(applicationElement)),
  signData: name,
  holderPublicKey: maybe(name),
  publicKey: maybe(name),
  signedText,
  ...tolerated('application'),
});

/** Dates come as text, or as seconds or milliseconds since 1970. */
const dateLike = z.union([name, z.number()], { error: 'must be a date' });
const content = z.union([z.string().max(limits.documentBytesMax), metadata], {
  error: 'must be text, an array of {key, value}, or an object',
});

/** `data` of the family's clients: its metadata are attributes. `tds`, which wallets apply with, says nothing. */
const orderedElement = {
  templateId: maybe(name),
  metadata: maybe(metadata).describe('Attributes that the issuer fills in or corrects, as in issuanceData'),
  tds: z.unknown().optional().describe('Not used. Wallets of the family send it along'),
};
export const orderedElementNames: readonly string[] = Object.keys(orderedElement);

/** What an issuer orders: a member that is not known may be a value that would be missing from the credential. */
export const creation = strict({
  vcId: name,
  templateId: maybe(name),
  issuanceData: maybe(content).describe(
    'Attributes that the issuer fills in or corrects: JSON, or text of it, as an object or [{key, value}]',
  ),
  metadata: maybe(content).describe(
    'A note of the issuer beside the draft; nothing of it is in the credential',
  ),
  data: maybe(dataArray(strict(orderedElement))),
  validFrom: maybe(dateLike),
  issuanceDate: maybe(dateLike),
  expiredDate: maybe(dateLike),
  validUntil: maybe(dateLike),
  expirationDate: maybe(dateLike),
});

export const submission = strict({
  vcId: name,
  ed25519PubKey: name,
  ed25519SignData: name,
  bbsBlsPubKey: text(limits.noteCharsMax),
  bbsBlsSignData: text(limits.noteCharsMax),
  keyExpiry: maybe(dateLike).describe(
    'When the download ends: a date, an instant, seconds or milliseconds since 1970, or seconds from now',
  ),
});

export const downloadBody = strict({
  vcId: identifier,
  signVcId: name,
  isIssuer: truth.default(false),
  signedText,
  ...tolerated('download'),
});

export const rejection = strict({ vcId: name, reason: text(limits.noteCharsMax) });

// Status

const statusMembers = { remark: maybe(note), issuerAddress: name };
export const statusChange = strict({ vcId: identifier, ...statusMembers });
export const bulkRevocation = strict({
  vcIds: list(identifier, limits.bulkIdentifiersMax),
  ...statusMembers,
});
export const statusQuestion = strict({ vcId: identifier, issuer: maybe(name) });

// BBS+ utilities

const authorization = maybe(text(limits.noteCharsMax));
export const bbsKeyOrder = strict({ authorization, seed: text(limits.seedCharsMax) });
/** Beside its attributes the draft of a credential has a header and a salt. */
const framingMessages = 2;

/** A vcId that is misspelt or null would make another signature than the one that was meant. */
export const bbsSigningOrder = strict({
  authorization,
  publicKeyMultibase: text(limits.noteCharsMax),
  privateKeyMultibase: maybe(text(limits.noteCharsMax)),
  vcId: identifier
    .optional()
    .describe(
      'Of the draft that data is of, as bbsBlsBase64 of vc/create has it: the signature is the one for vc/submit',
    ),
  data: list(
    z
      .string({ error: 'must be text' })
      .max(limits.valueCharsMax, `must have at most ${limits.valueCharsMax} characters`),
    limits.attributesMax + framingMessages,
  ),
  /** What the elements are: texts to be signed as they stand, or bytes in base64. */
  encoding: z.enum(['utf8', 'base64'], { error: 'must be utf8 or base64' }).default('utf8'),
});

// Paths and queries

export const templatePath = z.object({ templateId: name });
export const applicationPath = z.object({ vcId: name });
export const applicationChoice = strict({ vcId: name });

export const paging = {
  cursor: textParameter(limits.cursorCharsMax).describe('Where the page before ended, as its answer said'),
  limit: z
    .string()
    .regex(/^[1-9][0-9]{0,2}$/, `must be a number from 1 to ${limits.pageItemsMax}`)
    .refine((digits) => Number(digits) <= limits.pageItemsMax, `must be at most ${limits.pageItemsMax}`)
    .optional()
    .describe(`How many to show, at most ${limits.pageItemsMax}`),
};
export const templateSearch = z.object({
  q: textParameter(limits.nameCharsMax).describe('Part of the name of a template, in any case'),
  issuer: didText.optional().describe('Only templates of the issuer with this DID'),
  ...paging,
});
export const templateChoice = z.object({
  version: textParameter(limits.nameCharsMax).describe('A version; the newest if absent'),
});
/** What an application, and the credential that it has become, can be. */
export const applicationStatuses = [
  'Pending',
  'Approved',
  'Issued',
  'Rejected',
  'Suspended',
  'Revoked',
] as const;
export const applicationFilter = z.object({
  status: z
    .enum(applicationStatuses, {
      error: 'must be Pending, Approved, Issued, Rejected, Suspended or Revoked',
    })
    .optional(),
  templateId: listedTemplateId.optional(),
  holder: listedDid.optional().describe('Only applications of the holder with this DID'),
  ...listParameters,
  ...paging,
});
export const auditFilter = z.object({
  action: textParameter(limits.nameCharsMax),
  subject: textParameter(limits.nameCharsMax),
  ...paging,
});

const auditSequence = text(15).regex(/^[1-9][0-9]{0,14}$/, 'must be the number of an entry');
export const auditPlace = z.object({ sequence: auditSequence });
export const auditProofPage = z.object({ after: auditSequence.optional() });
