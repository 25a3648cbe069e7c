/**
 * From an approved application to a credential: the document is put together, the issuer signs a digest of it that
 * carries no personal data, and both proofs are attached. Also the checks of a whole credential's own proofs. Nothing
 * is signed here; keys are elsewhere.
 */

import { isNormalValue } from '../attributes/attribute-values.ts';
import { assert } from '../basics/assert.ts';
import { concatBytes, emptyBytes, encodeHex, parseHex, type Sha256 } from '../basics/bytes.ts';
import { isInstantText } from '../basics/calendar.ts';
import { canonicalJsonBytes } from '../basics/jcs.ts';
import {
  type BbsCredentialProof,
  type ContentsCommitment,
  type Credential,
  type CredentialSubject,
  type IssuerProofOptions,
  proofTypes,
  suites,
  type Template,
  type UnsignedCredential,
} from '../documents/model.ts';
import { Fault } from '../faults/faults.ts';
import { credentialLimits } from '../limits/documents.ts';
import type { CommitOrder, SignatureOrder } from '../proofs/proof-engine.ts';
import { bbsSignatureBytes } from '../proofs/sizes.ts';
import { credentialHeader, credentialMessages, frameOf } from './credential-messages.ts';
import type { ParsedCredential } from './credential-parsing.ts';
import { documentContexts, encodeProofValue, parseProofValue } from './credential-shapes.ts';
import { frameDisagreements } from './frame-rules.ts';
import { issuerProofOptions } from './issuer-proof-options.ts';
import { detachedJws, jwsSigningInput, parseDetachedJws } from './jws.ts';
import type { AttributeValues } from './template-rules.ts';

/** Says whether a 64-byte signature over a message is by a raw 32-byte key. Never throws. */
export type VerifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

export interface CredentialParts {
  readonly id: string;
  readonly template: Template;
  /** DID of the holder. */
  readonly holder: string;
  /** In normal form, as `readAttributeValues` gives them. */
  readonly values: AttributeValues;
  readonly validFrom: string;
  readonly validUntil: string;
  /** The contract that keeps the status. */
  readonly registry: { readonly networkId: string; readonly address: string };
}

/** Throws the faults `validityInvalid` and `attributesInvalid`. */
export function assembleCredential(parts: CredentialParts): UnsignedCredential {
  const { id, template, holder, values, validFrom, validUntil, registry } = parts;
  for (const [name, instant] of Object.entries({ validFrom, validUntil }))
    if (!isInstantText(instant))
      throw new Fault('validityInvalid', {
        detail: `${name} is not an instant such as 2030-12-31T23:59:59Z`,
      });
  const credential: UnsignedCredential = {
    '@context': documentContexts,
    id,
    type: ['VerifiableCredential', template.name],
    issuer: template.issuer,
    validFrom,
    validUntil,
    credentialSchema: {
      id: template.id,
      type: 'SymbolonTemplate2026',
      version: template.version,
      attributes: template.attributes.map(({ key, type, format }) => ({ key, type, format })),
    },
    credentialStatus: {
      id: `ledger:${registry.networkId}:${registry.address}#${id}`,
      type: 'LedgerCredentialStatus2026',
    },
    credentialSubject: assembleSubject(template, holder, values),
  };
  const disagreement = frameDisagreements(credential)[0];
  if (disagreement) throw new Fault('validityInvalid', { detail: disagreement.detail });
  if (canonicalJsonBytes(credential).length > credentialLimits.credentialBytesMax)
    throw new Fault('attributesInvalid', { detail: 'The values are too large together' });
  return credential;
}

function assembleSubject(template: Template, holder: string, values: AttributeValues): CredentialSubject {
  const members: [string, string | number | boolean][] = [['id', holder]];
  for (const attribute of template.attributes) {
    const { key, mandatory } = attribute;
    if (Object.hasOwn(values, key)) {
      assert(isNormalValue(attribute, values[key]), `the value of ${key} is not in normal form`);
      members.push([key, values[key]]);
    } else if (mandatory) throw new Fault('attributesInvalid', { detail: `${key} is missing` });
  }
  assert(
    Object.keys(values).every((key) => template.attributes.some((attribute) => attribute.key === key)),
    'a value is of no attribute',
  );
  return Object.fromEntries(members) as CredentialSubject;
}

/** A credential as its issuer signs it with Ed25519. */
export interface IssuerStatement {
  readonly credential: UnsignedCredential;
  readonly options: IssuerProofOptions;
  /** Absent where the ledger binds no contents. */
  readonly contents?: ContentsCommitment;
}

/**
 * The two digests that the issuer's signature covers: of the proof's options and of the credential without proofs. The
 * second stands on the ledger for everybody to see; the salt keeps anybody from trying out values against it.
 */
export function issuerDigests(
  { credential, options, contents }: IssuerStatement,
  sha256: Sha256,
): { readonly options: Uint8Array; readonly credential: Uint8Array } {
  const unsigned: UnsignedCredential = {
    ...frameOf(credential),
    credentialSubject: credential.credentialSubject,
  };
  const digested = contents ? { credential: unsigned, salt: contents.salt } : unsigned;
  return { options: sha256(canonicalJsonBytes(options)), credential: sha256(canonicalJsonBytes(digested)) };
}

/** The bytes that the issuer signs with Ed25519: a header, two digests and the commitment, no personal data. */
export function issuerSigningInput(statement: IssuerStatement, sha256: Sha256): Uint8Array {
  const digests = issuerDigests(statement, sha256);
  const { contents } = statement;
  const commitment = contents ? (parseProofValue(contents.commitment) as Uint8Array) : emptyBytes;
  return jwsSigningInput('issuer', concatBytes(digests.options, digests.credential, commitment));
}

/** The texts of a salt and of the commitment to the contents that it hides. */
export const contentsCommitment = (salt: string, commitment: Uint8Array): ContentsCommitment => ({
  salt,
  commitment: encodeProofValue(commitment),
});

/** What a credential says about how the ledger binds its contents. */
export const contentsOf = ({ salt, commitment }: BbsCredentialProof): ContentsCommitment | undefined =>
  salt === undefined || commitment === undefined ? undefined : { salt, commitment };

export interface CredentialSignatures {
  readonly bbs: {
    readonly created: string;
    /** `<issuer>#delegateKey-N` */
    readonly verificationMethod: string;
    readonly signature: Uint8Array;
    readonly contents?: ContentsCommitment;
  };
  readonly issuer: { readonly options: IssuerProofOptions; readonly signature: Uint8Array };
}

export function attachProofs(
  credential: UnsignedCredential,
  { bbs, issuer }: CredentialSignatures,
): Credential {
  assert(bbs.signature.length === bbsSignatureBytes, 'a BBS signature has 80 bytes');
  assert(
    bbs.verificationMethod.startsWith(`${credential.issuer}#delegateKey-`),
    "the key is not the issuer's",
  );
  return {
    ...credential,
    proof: [
      {
        type: proofTypes.bbs,
        cryptosuite: suites.bbs,
        created: bbs.created,
        proofPurpose: 'assertionMethod',
        verificationMethod: bbs.verificationMethod,
        proofValue: encodeProofValue(bbs.signature),
        ...bbs.contents,
      },
      { ...issuer.options, jws: detachedJws('issuer', issuer.signature) },
    ],
  };
}

/** What the issuer's BBS key signs, and what the ledger's entry is a commitment to, if there is a salt. */
export const signedContents = (
  credential: UnsignedCredential,
  salt: string | undefined,
  sha256: Sha256,
): CommitOrder => ({
  header: credentialHeader(credential, credential.credentialSubject.id),
  messages: credentialMessages({ ...credential, salt }, sha256),
});

/** What a proof engine needs to check the BBS signature of a credential. The key is the issuer's published one. */
export function credentialSignatureOrder(
  { credential, bbsProof }: ParsedCredential,
  publicKey: Uint8Array,
  sha256: Sha256,
): SignatureOrder {
  return {
    interface: 'typed',
    publicKey,
    ...signedContents(credential, bbsProof.salt, sha256),
    signature: parseProofValue(bbsProof.proofValue) as Uint8Array,
  };
}

/** The raw Ed25519 key that is a DID of the product's own method; undefined for others. */
export const keyOfDid = (did: string): Uint8Array | undefined => {
  const match = /^did:[a-z0-9]+:([0-9a-f]{64})$/.exec(did);
  return match ? parseHex(match[1]) : undefined;
};

/** Whether this signature over this message is by this key. */
export interface Ed25519Question {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

export const isSigned = (
  { publicKey, message, signature }: Ed25519Question,
  verifyEd25519: VerifyEd25519,
): boolean => verifyEd25519(publicKey, message, signature) === true;

/** What must have been signed for the issuer's Ed25519 proof to fit the credential; undefined if there is none. */
export function issuerSignatureQuestion(
  { credential, bbsProof, issuerProof }: ParsedCredential,
  sha256: Sha256,
): Ed25519Question | undefined {
  const publicKey = keyOfDid(credential.issuer);
  if (!issuerProof || !publicKey) return undefined;
  const { jws, ...options } = issuerProof;
  const signature = parseDetachedJws('issuer', jws);
  if (!signature) return undefined;
  const message = issuerSigningInput({ credential, options, contents: contentsOf(bbsProof) }, sha256);
  return { publicKey, message, signature };
}

/** Whether the issuer's Ed25519 proof is there and fits the credential. */
export function hasIssuerSignature(
  parsed: ParsedCredential,
  { verifyEd25519, sha256 }: { readonly verifyEd25519: VerifyEd25519; readonly sha256: Sha256 },
): boolean {
  const asked = issuerSignatureQuestion(parsed, sha256);
  return asked !== undefined && isSigned(asked, verifyEd25519);
}

/** Whether the ledger's entry has the digest and the commitment of this very credential. */
export function isAsRecorded(
  { credential, bbsProof, issuerProof }: ParsedCredential,
  entry: { readonly digest: string; readonly commitment?: string },
  sha256: Sha256,
): boolean {
  const options = issuerProof ?? issuerProofOptions(credential, bbsProof.created);
  const contents = contentsOf(bbsProof);
  const digest = encodeHex(issuerDigests({ credential, options, contents }, sha256).credential);
  const commitment = contents && encodeHex(parseProofValue(contents.commitment) as Uint8Array);
  return digest === entry.digest && commitment === entry.commitment;
}
