/**
 * What templates, credentials and presentations are inside the product, and what every part of it agrees on about
 * their spelling. Only types and fixed texts: the rules are beside (`attribute-values.ts`, `credential-messages.ts`,
 * `presentation-checks.ts`). Credentials and presentations are W3C documents, so their members are spelled as on the
 * wire everywhere.
 */

/** What an attribute's value is, and the number that stands for it on the wire (1 and 2 as the interface says). */
export const attributeTypeCodes = {
  text: 1,
  image: 2,
  integer: 3,
  decimal: 4,
  date: 5,
  dateTime: 6,
  boolean: 7,
} as const;
/** What an attribute's value is, by name. */
export type AttributeType = keyof typeof attributeTypeCodes;
/** The same as the number that stands for it on the wire. */
export type AttributeTypeCode = (typeof attributeTypeCodes)[AttributeType];

export interface TemplateAttribute {
  readonly key: string;
  /** The name that people read. */
  readonly label: string;
  readonly type: AttributeType;
  /** Narrows the type: a media type of an image, digits of a decimal, the form of a text. */
  readonly format: string;
  readonly mandatory: boolean;
}

export interface Template {
  /** `did:<method>:` and 64 hex digits: a hash of issuer and name, not a key. The same for every version. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** DID of the issuer. */
  readonly issuer: string;
  readonly attributes: readonly TemplateAttribute[];
  readonly remark?: string;
}

/** A value as it stands in `credentialSubject`: integers and decimals as decimal text keep every digit. */
export type AttributeValue = string | number | boolean;

/** An attribute as the credential itself names it, so that a verifier needs no template. Order is the template's. */
export type SignedAttribute = Pick<TemplateAttribute, 'key' | 'type' | 'format'>;

export interface CredentialStatusEntry {
  /** `ledger:<network id>:<registry address>#<credential id>` */
  readonly id: string;
  readonly type: 'LedgerCredentialStatus2026';
}

export interface CredentialSchemaEntry {
  readonly id: string;
  readonly type: 'SymbolonTemplate2026';
  readonly version: string;
  readonly attributes: readonly SignedAttribute[];
}

/** Everything but subject values and proofs: always shown, and bound by the header of the BBS signature. */
export interface CredentialFrame {
  readonly '@context': readonly string[];
  readonly id: string;
  readonly type: readonly string[];
  readonly issuer: string;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly credentialSchema: CredentialSchemaEntry;
  readonly credentialStatus: CredentialStatusEntry;
}

/** `id` is the holder's DID; the other members are attributes, in template order. */
export type CredentialSubject = { readonly id: string } & Readonly<Record<string, AttributeValue>>;

export interface UnsignedCredential extends CredentialFrame {
  readonly credentialSubject: CredentialSubject;
}

/** Names that old clients look for in `type`, and the suite that says which algorithm it really is. */
export const proofTypes = {
  bbs: 'BbsBlsSignature2020',
  derived: 'BbsBlsSignatureProof2020',
  ed25519: 'Ed25519Signature2020',
} as const;
export const suites = {
  bbs: 'symbolon-bbs-2026',
  ed25519: 'symbolon-jcs-eddsa-2026',
} as const;

export interface BbsCredentialProof {
  readonly type: typeof proofTypes.bbs;
  readonly cryptosuite: typeof suites.bbs;
  readonly created: string;
  readonly proofPurpose: 'assertionMethod';
  /** `<issuer>#delegateKey-N` */
  readonly verificationMethod: string;
  /** `u` and the base64url form of the 80-byte signature. */
  readonly proofValue: string;
  readonly salt?: string;
  readonly commitment?: string;
}

/**
 * What ties the contents of a credential to its entry on the ledger. Both texts are `u` and base64url; a credential
 * whose entry binds no contents has neither.
 */
export interface ContentsCommitment {
  /** 32 random bytes: the last message of the BBS signature, which no presentation shows. */
  readonly salt: string;
  /** 48 bytes: the commitment to header and messages that the entry holds. */
  readonly commitment: string;
}

/**
 * What the credential registry records, and what the issuer signs for: no personal data. The registry contract
 * rebuilds the signed text from it, so an entry cannot be moved to another credential.
 */
export interface RegistryEntryTerms {
  readonly credential: string;
  readonly template: string;
  readonly templateVersion: string;
  readonly validFrom: string;
  readonly validUntil: string;
}

/** The issuer's Ed25519 proof without its signature: what is hashed first when it is signed. */
export interface IssuerProofOptions {
  readonly type: typeof proofTypes.ed25519;
  readonly cryptosuite: typeof suites.ed25519;
  readonly created: string;
  readonly proofPurpose: 'assertionMethod';
  /** `<issuer>#controllerKey` */
  readonly verificationMethod: string;
  readonly registryEntry: RegistryEntryTerms;
}
export interface IssuerCredentialProof extends IssuerProofOptions {
  /** Detached and unencoded (RFC 7797): header, nothing, signature. */
  readonly jws: string;
}

export interface Credential extends UnsignedCredential {
  readonly proof: readonly [BbsCredentialProof, IssuerCredentialProof];
}

/** An inclusive range over an attribute that is not revealed, in the attribute's own spelling. */
export interface RangeClaim {
  readonly attribute: string;
  readonly min?: AttributeValue;
  readonly max?: AttributeValue;
}

/** How ranges are proved: without any setup, or with parameters that this verifier made itself. */
export type RangeMethod = 'bulletproofs' | 'set-membership';

export interface DerivedCredentialProof {
  readonly type: typeof proofTypes.derived;
  readonly cryptosuite: typeof suites.bbs;
  readonly created: string;
  readonly proofPurpose: 'assertionMethod';
  readonly verificationMethod: string;
  readonly ranges?: readonly RangeClaim[];
  /** Present with ranges. For set-membership, `rangeParameters` names the verifier's parameters by hash. */
  readonly rangeMethod?: RangeMethod;
  readonly rangeParameters?: string;
  /** `u` and the base64url form of the composite proof. */
  readonly proofValue: string;
}

export interface DerivedCredential extends CredentialFrame {
  readonly credentialSubject: CredentialSubject;
  readonly proof: DerivedCredentialProof;
}

export interface HolderProofOptions {
  readonly type: typeof proofTypes.ed25519;
  readonly cryptosuite: typeof suites.ed25519;
  readonly created: string;
  readonly proofPurpose: 'authentication';
  /** `<holder>#controllerKey` */
  readonly verificationMethod: string;
  readonly challenge?: string;
  readonly domain?: string;
}
export interface HolderProof extends HolderProofOptions {
  /** Detached: header, nothing, signature. The payload is the presentation itself, with this proof but its `jws`. */
  readonly jws: string;
}

export interface UnsignedPresentation {
  readonly '@context': readonly string[];
  readonly type: readonly string[];
  readonly holder: string;
  readonly verifiableCredential: readonly DerivedCredential[];
  readonly proof: HolderProofOptions;
}
/** What a holder shows: derived credentials under the holder's signature. */
export interface Presentation extends UnsignedPresentation {
  readonly proof: HolderProof;
}

/** What a verifier asks for: nothing else may be disclosed, and everything asked must be there. */
export interface DisclosureRequest {
  /** Keys of attributes; `id`, which is always shown, may be among them. */
  readonly revealAttributes: readonly string[];
  readonly ranges: readonly RangeClaim[];
  /** Ages that some of these ranges stand for: what was asked for, as a person would say it. */
  readonly ages?: readonly AgeClaim[];
  readonly places?: DisclosurePlaces;
}

/** Years of age on the day of the request; becomes a range over a date. At least one bound is given. */
export interface AgeClaim {
  readonly attribute: string;
  readonly minAge?: number;
  readonly maxAge?: number;
}

/** Where each of these stands in what was sent, for complaints: JSON pointers. */
export interface DisclosurePlaces {
  readonly revealAttributes: readonly string[];
  readonly ranges: readonly string[];
}

export type LedgerStatus = 'active' | 'suspended' | 'revoked' | 'unknown';

/** The six checks of `vp/verify`, in the interface's order, by the name that stands before each error text. */
export const presentationChecks = [
  'holderSignature',
  'bbsProof',
  'revealedAttributes',
  'disclosure',
  'status',
  'challenge',
] as const;
export type PresentationCheck = (typeof presentationChecks)[number];
