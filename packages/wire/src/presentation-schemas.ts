/**
 * How requests about presentations look on the wire, with what a verifier asks besides (`spec/credential-service.md`,
 * "Presentations"): apart from the other schemas, so that a page that verifies carries no more than these.
 */
import { credentialLimits, credentialRequestLimits as limits } from '@symbolon/core/limits';
import * as z from 'zod';
import { document, identifier, list, maybe, name, strict, text, textParameter } from './schema-parts.ts';

const attributeName = text(limits.nameCharsMax);
const bound = z.union([z.string().max(limits.nameCharsMax), z.number()], {
  error: 'must be text or a number',
});
const bounds = z
  .array(bound.nullable(), { error: 'must be an array' })
  .max(limits.attributesMax, `must have at most ${limits.attributesMax} elements`);

/** Such as `{attribute, min, max}`, once as a holder may send it and once as a verifier must. */
const wishedRange = strict({
  attribute: maybe(attributeName),
  key: maybe(attributeName),
  min: maybe(bound),
  max: maybe(bound),
  minValue: maybe(bound),
  maxValue: maybe(bound),
});
const expectedRange = strict({
  attribute: attributeName.optional(),
  key: attributeName.optional(),
  min: bound.optional(),
  max: bound.optional(),
  minValue: bound.optional(),
  maxValue: bound.optional(),
});
const wishedColumns = strict({
  attributes: list(attributeName, limits.attributesMax),
  minValues: maybe(bounds),
  maxValues: maybe(bounds),
  /** Clients of the family say how a range shall be proved, and for whom; here the proof's own method decides. */
  bits: z.unknown().optional(),
  domain: z.unknown().optional(),
});
const expectedColumns = strict({
  attributes: list(attributeName, limits.attributesMax),
  minValues: bounds.optional(),
  maxValues: bounds.optional(),
});
const years = z
  .int({ error: 'must be a whole number of years' })
  .min(0, 'must not be negative')
  .max(200, 'must be at most 200');
const wishedAge = strict({ attribute: attributeName, minAge: maybe(years), maxAge: maybe(years) });
const expectedAge = strict({
  attribute: attributeName,
  minAge: years.optional(),
  maxAge: years.optional(),
});

const rangeComplaint =
  'must be {attribute, min, max}, an array of such, or {attributes, minValues, maxValues}';
const ageComplaint = 'must be {attribute, minAge, maxAge} or an array of such';
const several = <Item extends z.ZodType>(item: Item) => z.array(item).max(limits.attributesMax);

const names = z
  .array(attributeName, { error: 'must be an array of attribute keys' })
  .max(limits.attributesMax + 1, `must have at most ${limits.attributesMax + 1} elements`);

/** What a holder wishes to show. */
const wishMembers = {
  revealAttributes: maybe(names),
  revealAttribute: maybe(names),
  rangeProof: maybe(z.union([wishedColumns, wishedRange, several(wishedRange)], { error: rangeComplaint })),
  age: maybe(z.union([wishedAge, several(wishedAge)], { error: ageComplaint })),
};

/** What a verifier asked for. Null is no condition: whoever sends it may mean that there is one. */
const disclosure = strict({
  revealAttributes: names.optional(),
  revealAttribute: names.optional(),
  rangeProof: z
    .union([expectedColumns, expectedRange, several(expectedRange)], { error: rangeComplaint })
    .optional(),
  age: z.union([expectedAge, several(expectedAge)], { error: ageComplaint }).optional(),
});
export type DisclosureWire = z.output<typeof disclosure>;

const challenge = text(credentialLimits.challengeCharsMax);
const domain = text(credentialLimits.domainCharsMax);

/** Keys of the issuer that clients of the family send along: keys are resolved on the ledger. */
const hint = z.unknown().optional();

export const derivation = strict({
  vc: maybe(document),
  vcs: maybe(list(strict({ vc: document, ...wishMembers }), limits.credentialsMax)),
  ...wishMembers,
  challenge: maybe(challenge),
  domain: maybe(domain),
  rangeMethod: maybe(
    z.enum(['bulletproofs', 'set-membership'], { error: 'must be bulletproofs or set-membership' }),
  ),
  bbsPublicKey: hint,
  ed25519PubKey: hint,
});

export const presentationSubmission = z.object({ blobId: name, ed25519SignData: name, ed25519PubKey: name });

export const verification = strict({
  vp: maybe(document),
  vpObject: maybe(document),
  challenge: challenge.optional(),
  domain: domain.optional(),
  /** What was asked for: of every credential alike, or of each in its place. */
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

export const nothing = strict({});

export const didPath = z.object({ did: text(limits.nameCharsMax * 4) });
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
