/**
 * Names, keys, versions and identifiers of templates: what they may look like and how they compare. The identifier of
 * a template is computed, so that a registry can compute it again.
 */
import { encodeHex, encodeUtf8, type Sha256 } from '../basics/bytes.ts';
import { isWellFormed } from '../basics/jcs.ts';
import { credentialLimits } from '../limits/documents.ts';

export const attributeKeyPattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Names that mean something else in a subject, or to a client that keeps members in an ordinary object. */
export const isReservedKey = (key: string): boolean => key === 'id' || key in {};

/**
 * Members of credentials and presentations, of the present data model and the one before. No attribute of a new
 * template is called so: whoever reads `issuer` in a verdict or a query must know that it is the issuer.
 */
const frameNames: ReadonlySet<string> = new Set([
  '@context',
  'id',
  'type',
  'issuer',
  'holder',
  'validFrom',
  'validUntil',
  'issuanceDate',
  'expirationDate',
  'credentialSchema',
  'credentialStatus',
  'credentialSubject',
  'evidence',
  'proof',
  'refreshService',
  'termsOfUse',
  'verifiableCredential',
  'vc',
  'vp',
]);
export const isFrameName = (name: string): boolean => frameNames.has(name);

// Control characters, characters that cannot be seen (they reorder or hide what people read), some of which count as
// letters or signs, and what is no character.
const forbiddenInName = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A name as it is shown: composed, without spaces around it, single spaces inside. */
export const tidyName = (name: string): string => name.normalize('NFC').trim().replace(/\s+/gu, ' ');

/** Whether a name is in the form that is shown and signed. */
export const isCleanName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= credentialLimits.nameCharsMax &&
  isWellFormed(name) &&
  tidyName(name) === name &&
  !forbiddenInName.test(name);

/** Names that differ only in case or spacing are the same name. */
export const normalisedName = (name: string): string => tidyName(name).toLowerCase();

/** The same for every version of a template: a hash of issuer and name, not a key. */
export function templateId(
  { issuer, name }: { readonly issuer: string; readonly name: string },
  { didMethod, sha256 }: { readonly didMethod: string; readonly sha256: Sha256 },
): string {
  return `did:${didMethod}:${encodeHex(sha256(encodeUtf8(`${issuer}\n${normalisedName(name)}`)))}`;
}

const versionPattern = new RegExp(
  `^(0|[1-9][0-9]{0,${credentialLimits.versionPartDigitsMax - 1}})` +
    `(\\.(0|[1-9][0-9]{0,${credentialLimits.versionPartDigitsMax - 1}})){0,${credentialLimits.versionPartsMax - 1}}$`,
);

export const isVersion = (text: string): boolean => versionPattern.test(text);

/** Negative, zero or positive, as the left version is older, the same or newer. A missing part counts as 0. */
export function compareVersions(left: string, right: string): number {
  const [ours, theirs] = [left, right].map((version) => version.split('.').map(Number));
  for (let index = 0; index < credentialLimits.versionPartsMax; index++) {
    const difference = (ours[index] ?? 0) - (theirs[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
