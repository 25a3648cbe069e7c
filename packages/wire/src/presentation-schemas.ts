/**
 * How requests about presentations look on the wire, with what a verifier asks besides (`spec/credential-service.md`,
 * "Presentations"): apart from the other schemas, so that a page that verifies carries no more than these.
 */
import { credentialLimits, credentialRequestLimits as limits } from '@symbolon/core/limits';
import * as z from 'zod';
import { document, identifier, list, maybe, name, text, textParameter } from './schema-parts.ts';
import { refuseNearlyTrust, trustMembers } from './trust-requests.ts';

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

const verificationMembers = {
  vp: maybe(document),
  vpObject: maybe(document),
  ...bindingMembers,
  ...trustMembers,
  /** What was asked for: of every credential alike, or of each in its place. */
  request: maybe(
    z.union([disclosure, z.array(disclosure).min(1).max(limits.credentialsMax)], {
      error: 'must be an object with revealAttributes and rangeProof, or an array of such',
    }),
  ),
};
export const verification = z.looseObject(verificationMembers).superRefine(refuseNearlyTrust);

// Paths and queries

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
