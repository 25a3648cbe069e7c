/**
 * The cryptosuites that sign a document as a whole: the hash of the proof's options and the hash of the document, canonical
 * both. eddsa-rdfc-2022, ecdsa-rdfc-2019 with P-256, and the older Ed25519Signature2020, which is verified and never made.
 */
import { concatBytes, encodeBase58, parseBase58 } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { canonicalHash } from '../json-ld/canonical.ts';
import { contextUrls } from '../json-ld/contexts.ts';
import type { SigningKeyType } from '../json-ld/did-key.ts';
import type { DocumentLoader } from '../json-ld/document-loader.ts';
import type { SuiteName } from './proof-options.ts';
import { ProofRefusal } from './proof-problems.ts';
import type { VerificationKey } from './verification-keys.ts';

export type HashSuite = Exclude<SuiteName, 'bbs-2023'>;

/** Verifies one signature: Node's, WebCrypto's or any other. Public keys are raw, points compressed. */
export type SignatureCheck = (order: {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  /** 64 bytes: of ECDSA r and s, either of the two forms of s. */
  readonly signature: Uint8Array;
}) => boolean | Promise<boolean>;

/** ECDSA is with SHA-256. */
export type SignatureChecks = Readonly<Record<'ed25519' | 'p256', SignatureCheck>>;

interface SuiteForm {
  readonly keyType: SigningKeyType;
  /** What defines the members of its proofs, where a document does not. */
  readonly context: string;
}

const suiteForms: Readonly<Record<HashSuite, SuiteForm>> = {
  'eddsa-rdfc-2022': { keyType: 'ed25519', context: contextUrls.dataIntegrityV2 },
  'ecdsa-rdfc-2019': { keyType: 'p256', context: contextUrls.dataIntegrityV2 },
  Ed25519Signature2020: { keyType: 'ed25519', context: contextUrls.ed25519Signature2020 },
};

export const keyTypeOf = (suite: SuiteName): SigningKeyType =>
  suite === 'bbs-2023' ? 'bls12381g2' : suiteForms[suite].keyType;

const signatureBytes = 64;
const signatureCharsMax = 90;

const asList = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** The contexts of a document, with the one of the suite where none of them defines its proofs. */
export function contextsFor(document: Fields, suite: SuiteName): readonly unknown[] {
  const contexts = asList(document['@context']);
  const { context } = suite === 'bbs-2023' ? suiteForms['eddsa-rdfc-2022'] : suiteForms[suite];
  const isDefined =
    contexts.includes(context) ||
    (context === contextUrls.dataIntegrityV2 && contexts.includes(contextUrls.credentialsV2));
  return isDefined ? contexts : [...contexts, context];
}

/** What is signed: 64 bytes. `document` is without this proof, and with those that it follows. */
export async function signedHashes(
  document: Fields,
  { proof, suite }: { readonly proof: Fields; readonly suite: HashSuite },
  load: DocumentLoader,
): Promise<Uint8Array> {
  const { proofValue: _, ...options } = proof;
  const config = { ...options, '@context': contextsFor(document, suite) };
  const [configHash, documentHash] = [await canonicalHash(config, load), await canonicalHash(document, load)];
  return concatBytes(configHash, documentHash);
}

export const encodeSignature = (signature: Uint8Array): string => `z${encodeBase58(signature)}`;

function parseSignature(proofValue: unknown): Uint8Array {
  const signature =
    typeof proofValue === 'string' && proofValue.startsWith('z')
      ? parseBase58(proofValue.slice(1), signatureCharsMax)
      : undefined;
  if (signature?.length !== signatureBytes)
    throw new ProofRefusal('proofMalformed', `proofValue must be z and ${signatureBytes} bytes in base58`);
  return signature;
}

/** Whether the signature of a proof fits its document. */
export async function isHashSigned(
  document: Fields,
  { proof, suite, key }: { readonly proof: Fields; readonly suite: HashSuite; readonly key: VerificationKey },
  { load, checks }: { readonly load: DocumentLoader; readonly checks: SignatureChecks },
): Promise<boolean> {
  const signature = parseSignature(proof.proofValue);
  const message = await signedHashes(document, { proof, suite }, load);
  const { keyType, publicKey } = key;
  if (keyType === 'bls12381g2') return false;
  return (await checks[keyType]({ publicKey, message, signature })) === true;
}
