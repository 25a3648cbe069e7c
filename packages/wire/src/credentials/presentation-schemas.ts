/**
 * How a verifier's requests look on the wire, and what else a verifier asks (`docs/credentials.md`, "Conditions"):
 * apart from the other schemas, so that a page that verifies carries no more than these. What a holder asks is made of
 * the same parts in `derivation-schemas.ts`.
 */
import { credentialLimits } from '@symbolon/core/limits/documents';
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import {
  document,
  identifier,
  list,
  maybe,
  name,
  strict,
  text,
  textParameter,
} from '../http/schema-parts.ts';
import { trustMembers } from '../trust/requests.ts';

export const attributeName = text(limits.nameCharsMax);
export const bound = z.union([z.string().max(limits.nameCharsMax), z.number()], {
  error: 'must be text or a number',
});
export const bounds = z
  .array(bound.nullable(), { error: 'must be an array' })
  .max(limits.attributesMax, `must have at most ${limits.attributesMax} elements`);

const range = strict({
  attribute: attributeName.optional(),
  key: attributeName.optional(),
  min: bound.optional(),
  max: bound.optional(),
  minValue: bound.optional(),
  maxValue: bound.optional(),
});
const rangeColumns = strict({
  attributes: list(attributeName, limits.attributesMax),
  minValues: bounds.optional(),
  maxValues: bounds.optional(),
});
export const years = z
  .int({ error: 'must be a whole number of years' })
  .min(0, 'must not be negative')
  .max(200, 'must be at most 200');
const age = strict({
  attribute: attributeName,
  minAge: years.optional(),
  maxAge: years.optional(),
});

export const rangeComplaint =
  'must be {attribute, min, max}, an array of such, or {attributes, minValues, maxValues}';
export const ageComplaint = 'must be {attribute, minAge, maxAge} or an array of such';
export const several = <Item extends z.ZodType>(item: Item) => z.array(item).max(limits.attributesMax);

export const names = z
  .array(attributeName, { error: 'must be an array of attribute keys' })
  .max(limits.attributesMax + 1, `must have at most ${limits.attributesMax + 1} elements`);

/** Of a verifier's conditions: whoever sends an empty list may have lost what was in it. */
const some = <Item extends z.ZodType>(item: Item) => several(item).min(1, 'must not be empty');

/** What a verifier asked for. Null is no condition: whoever sends it may mean that there is one. */
const disclosure = strict({
  revealAttributes: names.optional(),
  revealAttribute: names.optional(),
  rangeProof: z.union([rangeColumns, range, some(range)], { error: rangeComplaint }).optional(),
  age: z.union([age, some(age)], { error: ageComplaint }).optional(),
});
export type DisclosureWire = z.output<typeof disclosure>;

export const challenge = text(credentialLimits.challengeCharsMax);
export const domain = text(credentialLimits.domainCharsMax);

export const verification = strict({
  vp: maybe(document),
  vpObject: maybe(document),
  challenge: challenge.optional(),
  domain: domain.optional(),
  ...trustMembers,
  /** What was asked for: of one credential, whichever it is, or of each in its place. */
  request: z
    .union([disclosure, z.array(disclosure).min(1, 'must not be empty').max(limits.credentialsMax)], {
      error: 'must be an object with revealAttributes and rangeProof, or an array of such',
    })
    .optional(),
  /** Keys that the issuer must have. They replace nothing: keys are resolved on the ledger. */
  bbsPublicKey: name.optional(),
  ed25519PubKey: name.optional(),
});

// Paths and queries

export const didPath = z.object({ did: text(limits.nameCharsMax * 4) });
export const statusQuery = z.object({
  vcId: identifier,
  issuer: textParameter(limits.nameCharsMax).describe('Address or DID of the issuer'),
});
export const resolutionOptions = z.object({
  versionTime: textParameter(limits.nameCharsMax).describe('The document as it was at this time'),
  versionId: textParameter(limits.nameCharsMax).describe('The document of this version'),
  service: textParameter(limits.nameCharsMax).describe(
    'Name of a service of the document, whose address is answered',
  ),
  relativeRef: textParameter(limits.noteCharsMax).describe('What to append to the address of the service'),
});
