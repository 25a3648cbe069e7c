/**
 * What a credential's BBS signature covers and what a derived proof is bound to, as bytes. Issuer, holder and verifier
 * each compute these from the document they have; a difference in any of them is a proof that does not verify.
 * Fixed examples for other implementations: `packages/core/vectors/credential.json`.
 */

import { attributeMessage } from '../attributes/attribute-values.ts';
import { encodeUtf8, type Sha256 } from '../basics/bytes.ts';
import { canonicalJsonBytes } from '../basics/jcs.ts';
import {
  type AttributeValue,
  type CredentialFrame,
  type CredentialSubject,
  type DerivedCredentialProof,
  suites,
  type UnsignedCredential,
} from '../documents/model.ts';
import type { BbsMessage } from '../proofs/proof-engine.ts';

/** The frame of a credential, whole or derived: all that is always shown. */
export function frameOf(credential: CredentialFrame): CredentialFrame {
  return {
    '@context': credential['@context'],
    id: credential.id,
    type: credential.type,
    issuer: credential.issuer,
    validFrom: credential.validFrom,
    validUntil: credential.validUntil,
    credentialSchema: credential.credentialSchema,
    credentialStatus: credential.credentialStatus,
  };
}

/** The header of the signature: the frame and whose credential it is. Contexts are fixed and left out. */
export function credentialHeader(frame: CredentialFrame, holder: string): Uint8Array {
  const { '@context': _fixed, ...shown } = frameOf(frame);
  return canonicalJsonBytes({ ...shown, holder });
}

/** The value of an attribute; what an object inherits is no value. */
export const subjectValue = (subject: CredentialSubject, key: string): AttributeValue | undefined =>
  Object.hasOwn(subject, key) ? subject[key] : undefined;

/** What is signed of a credential beside its header. */
export interface SignedContents extends Pick<UnsignedCredential, 'credentialSchema' | 'credentialSubject'> {
  /** Absent where the ledger binds no contents. */
  readonly salt?: string;
}

/**
 * One message for each attribute, in the order that the signed frame names them, and the salt. Values are in normal
 * form.
 */
export const credentialMessages = (
  { credentialSchema, credentialSubject, salt }: SignedContents,
  sha256: Sha256,
): readonly BbsMessage[] => [
  ...credentialSchema.attributes.map((attribute) =>
    attributeMessage(attribute, subjectValue(credentialSubject, attribute.key), sha256),
  ),
  ...(salt === undefined ? [] : [saltMessage(salt)]),
];

/** No message of an attribute begins with its sign. */
const saltMessage = (salt: string): BbsMessage => ({ bytes: encodeUtf8(`$salt: ${salt}`) });

/** What a presentation is made for, if it says so. */
export interface PresentationBinding {
  readonly challenge?: string;
  readonly domain?: string;
}

export type DerivedProofTerms = Omit<DerivedCredentialProof, 'proofValue'>;

/** Everything that a derived proof is for. Who takes the proof elsewhere, or changes a claim, has no proof. */
export function proofContext(
  {
    issuer,
    holder,
    revealed,
    terms,
  }: {
    readonly issuer: string;
    readonly holder: string;
    /** Keys in template order. */
    readonly revealed: readonly string[];
    readonly terms: DerivedProofTerms;
  },
  { challenge, domain }: PresentationBinding,
): Uint8Array {
  return canonicalJsonBytes({
    suite: suites.bbs,
    issuer,
    verificationMethod: terms.verificationMethod,
    holder,
    challenge: challenge ?? null,
    domain: domain ?? null,
    revealed,
    ranges: terms.ranges ?? [],
    rangeMethod: terms.rangeMethod ?? null,
    rangeParameters: terms.rangeParameters ?? null,
    created: terms.created,
  });
}

export const proofNonce = ({ challenge, domain }: PresentationBinding, sha256: Sha256): Uint8Array =>
  sha256(canonicalJsonBytes({ challenge: challenge ?? null, domain: domain ?? null }));
