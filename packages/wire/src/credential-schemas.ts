/**
 * How requests to the credential service look on the wire (`spec/credential-service.md`, "Endpoints"), with every
 * spelling that clients of the family use. Only shapes and bounds, each with a plain complaint; what a shape means is
 * read in `credential-requests.ts` and its neighbours. Members that no schema names are ignored.
 */
import { credentialLimits, credentialRequestLimits as limits } from '@symbolon/core/limits';
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

const missingOr = (complaint: string) => (issue: { readonly input?: unknown }) =>
  issue.input === undefined ? 'is missing' : complaint;

export const text = (charsMax: number) =>
  z
    .string({ error: missingOr('must be text') })
    .min(1, 'must not be empty')
    .max(charsMax, `must have at most ${charsMax} characters`);

/** Absent and null mean the same: typed clients send null for what they do not set. */
const maybe = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

const name = text(limits.nameCharsMax);
const note = z
  .string({ error: 'must be text' })
  .max(limits.noteCharsMax, `must have at most ${limits.noteCharsMax} characters`);

export const didText = name.regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/, 'must be a DID');
/** Templates and credentials: a DID made of a hash. */
const identifier = name.regex(/^did:[a-z0-9]+:[0-9A-Fa-f]{64}$/, 'must be did:, a method and 64 hex digits');

const truth = z.boolean({ error: missingOr('must be true or false') });

/** A document whose own rules check it later. It is passed on as it is. */
const document = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), {
  error: missingOr('must be an object'),
});

const list = <Item extends z.ZodType>(item: Item, itemsMax: number) =>
  z
    .array(item, { error: missingOr('must be an array') })
    .min(1, 'must not be empty')
    .max(itemsMax, `must have at most ${itemsMax} elements`);

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

/** `type`: the code of the interface, or the words of old clients that say who fills the value in. */
const attribute = z.object({
  attribute: name,
  format: name,
  key: name,
  mandatory: z.union([truth, z.literal(0), z.literal(1)], { error: missingOr('must be true or false') }),
  type: maybe(z.union([z.number(), name], { error: 'must be the number of a type' })),
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
};
export const templateDraft = z.object(templateMembers);
export const templateWithKey = z.object({ ...templateMembers, issuerPrivateKey: name });

/** One signer flat, or several in a list. */
export const signedBlob = z.object({
  blobId: name,
  signBlob: maybe(name),
  publicKey: maybe(name),
  signerList: maybe(list(z.object({ signBlob: name, publicKey: name }), limits.signersMax)),
});

// Issuance

/** An array of keys with values, or an object; it is kept as sent, because the holder signs it so. */
const metadata = z.custom<JsonValue[] | JsonObject>((value) => typeof value === 'object' && value !== null, {
  error: missingOr('must be an array of {key, value}, or an object'),
});

const dataElement = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), {
  error: 'must be an object with templateId and metadata',
});
const dataArray = z
  .array(dataElement, { error: 'must be an array' })
  .length(1, 'must have exactly one element: an application is for one template');

export const application = z.object({
  templateId: maybe(name),
  metadata: maybe(metadata),
  data: maybe(dataArray),
  signData: name,
  holderPublicKey: maybe(name),
  publicKey: maybe(name),
});

/** Dates come as text, or as seconds or milliseconds since 1970. */
const dateLike = z.union([name, z.number()], { error: 'must be a date' });
const content = z.union([z.string().max(limits.documentBytesMax), metadata], {
  error: 'must be text, an array of {key, value}, or an object',
});

export const creation = z.object({
  vcId: name,
  templateId: maybe(name),
  issuanceData: maybe(content),
  metadata: maybe(content),
  data: maybe(dataArray),
  validFrom: maybe(dateLike),
  issuanceDate: maybe(dateLike),
  expiredDate: maybe(dateLike),
  validUntil: maybe(dateLike),
  expirationDate: maybe(dateLike),
});

export const submission = z.object({
  vcId: name,
  ed25519PubKey: name,
  ed25519SignData: name,
  bbsBlsPubKey: text(limits.noteCharsMax),
  bbsBlsSignData: text(limits.noteCharsMax),
  keyExpiry: maybe(dateLike),
});

export const download = z.object({ vcId: identifier, signVcId: name, isIssuer: truth.default(false) });

export const rejection = z.object({ vcId: name, reason: text(limits.noteCharsMax) });

// Status

const statusMembers = { remark: maybe(note), issuerAddress: name };
export const statusChange = z.object({ vcId: identifier, ...statusMembers });
export const bulkRevocation = z.object({
  vcIds: list(identifier, limits.bulkIdentifiersMax),
  ...statusMembers,
});
export const statusQuestion = z.object({ vcId: identifier, issuer: maybe(name) });

// BBS+ utilities

const authorization = maybe(text(limits.noteCharsMax));
export const bbsKeyOrder = z.object({ authorization, seed: text(limits.seedCharsMax) });
export const bbsSigningOrder = z.object({
  authorization,
  publicKeyMultibase: text(limits.noteCharsMax),
  privateKeyMultibase: maybe(text(limits.noteCharsMax)),
  data: list(
    z
      .string({ error: 'must be text' })
      .max(limits.valueCharsMax, `must have at most ${limits.valueCharsMax} characters`),
    limits.attributesMax,
  ),
  /** What the elements are: texts to be signed as they stand, or bytes in base64. */
  encoding: z.enum(['utf8', 'base64'], { error: 'must be utf8 or base64' }).default('utf8'),
});

// Presentations

const attributeName = text(limits.nameCharsMax);
const bound = z.union([z.string().max(limits.nameCharsMax), z.number()], {
  error: 'must be text or a number',
});
const bounds = z
  .array(bound.nullable(), { error: 'must be an array' })
  .max(limits.attributesMax, `must have at most ${limits.attributesMax} elements`);

const range = z.object({
  attribute: maybe(attributeName),
  key: maybe(attributeName),
  min: maybe(bound),
  max: maybe(bound),
  minValue: maybe(bound),
  maxValue: maybe(bound),
});
const rangeColumns = z.object({
  attributes: list(attributeName, limits.attributesMax),
  minValues: maybe(bounds),
  maxValues: maybe(bounds),
});
const years = z
  .int({ error: 'must be a whole number of years' })
  .min(0, 'must not be negative')
  .max(200, 'must be at most 200');
const age = z.object({ attribute: attributeName, minAge: maybe(years), maxAge: maybe(years) });
const oneOrMore = <Item extends z.ZodType>(item: Item, complaint: string) =>
  z.union([item, z.array(item).max(limits.attributesMax)], { error: complaint });

const names = z
  .array(attributeName, { error: 'must be an array of attribute keys' })
  .max(limits.attributesMax + 1, `must have at most ${limits.attributesMax + 1} elements`);

const disclosureMembers = {
  revealAttributes: maybe(names),
  revealAttribute: maybe(names),
  rangeProof: maybe(
    z.union([rangeColumns, range, z.array(range).max(limits.attributesMax)], {
      error: 'must be {attribute, min, max}, an array of such, or {attributes, minValues, maxValues}',
    }),
  ),
  age: maybe(oneOrMore(age, 'must be {attribute, minAge, maxAge} or an array of such')),
};
export const disclosure = z.object(disclosureMembers);
export type DisclosureWire = z.output<typeof disclosure>;

const bindingMembers = {
  challenge: maybe(text(credentialLimits.challengeCharsMax)),
  domain: maybe(text(credentialLimits.domainCharsMax)),
};

export const derivation = z.object({
  vc: maybe(document),
  vcs: maybe(list(z.object({ vc: document, ...disclosureMembers }), limits.credentialsMax)),
  ...disclosureMembers,
  ...bindingMembers,
  rangeMethod: maybe(
    z.enum(['bulletproofs', 'set-membership'], { error: 'must be bulletproofs or set-membership' }),
  ),
});

export const presentationSubmission = z.object({ blobId: name, ed25519SignData: name, ed25519PubKey: name });

export const verification = z.object({
  vp: maybe(document),
  vpObject: maybe(document),
  ...bindingMembers,
  /** What was asked for: of every credential alike, or of each in its place. */
  request: maybe(
    z.union([disclosure, z.array(disclosure).min(1).max(limits.credentialsMax)], {
      error: 'must be an object with revealAttributes and rangeProof, or an array of such',
    }),
  ),
});

// Paths and queries

const textParameter = (charsMax: number) => text(charsMax).optional();

export const templatePath = z.object({ templateId: name });
export const applicationPath = z.object({ vcId: name });
export const didPath = z.object({ did: text(limits.nameCharsMax * 4) });

const paging = {
  cursor: textParameter(limits.cursorCharsMax).describe('Where the page before ended, as its answer said'),
  limit: z
    .string()
    .regex(/^[1-9][0-9]{0,2}$/, `must be a number from 1 to ${limits.pageItemsMax}`)
    .refine((digits) => Number(digits) <= limits.pageItemsMax, `must be at most ${limits.pageItemsMax}`)
    .optional()
    .describe(`How many to show, at most ${limits.pageItemsMax}`),
};
export const templateSearch = z.object({
  q: textParameter(limits.nameCharsMax).describe('Part of a name'),
  issuer: didText.optional().describe('DID of the issuer'),
  ...paging,
});
export const templateChoice = z.object({
  version: textParameter(limits.nameCharsMax).describe('A version; the newest if absent'),
});
export const applicationFilter = z.object({
  status: z
    .enum(['Pending', 'Approved', 'Issued', 'Rejected', 'Revoked'], {
      error: 'must be Pending, Approved, Issued, Rejected or Revoked',
    })
    .optional(),
  templateId: textParameter(limits.nameCharsMax),
  ...paging,
});
export const statusQuery = z.object({
  vcId: identifier,
  issuer: textParameter(limits.nameCharsMax).describe('Address or DID of the issuer'),
});
export const resolutionOptions = z.object({
  versionTime: textParameter(limits.nameCharsMax).describe('The document as it was at this time'),
  versionId: textParameter(limits.nameCharsMax).describe('The document of this version'),
  service: textParameter(limits.nameCharsMax).describe('A service to dereference'),
  relativeRef: textParameter(limits.noteCharsMax).describe('What to append to the address of the service'),
});
export const auditFilter = z.object({
  action: textParameter(limits.nameCharsMax),
  subject: textParameter(limits.nameCharsMax),
  ...paging,
});
