/**
 * Proofs added to documents, one beside another (proof sets) or one over another (`previousProof`: proof chains). Whoever has
 * a key signs by a function; no key ever comes here, and no clock.
 */
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { type BaseProofOptions, bbs2023, createBaseProof } from '../bbs-2023/bbs-2023.ts';
import { withoutProof } from '../bbs-2023/transformation.ts';
import { boundedDocument } from '../json-ld/document-bounds.ts';
import type { DocumentLoader } from '../json-ld/document-loader.ts';
import { dataIntegrityLimits } from '../limits/document-limits.ts';
import { contextsFor, encodeSignature, type HashSuite, signedHashes } from './hash-suites.ts';
import type { ProofPurpose } from './verification-keys.ts';

/** Whoever has a key that signs bytes. */
export interface BytesSigner {
  readonly verificationMethod: string;
  readonly suite: Exclude<HashSuite, 'Ed25519Signature2020'>;
  /** 64 bytes: Ed25519, or ECDSA over P-256 with SHA-256 as r and s. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}

export interface SigningOptions {
  readonly signer: BytesSigner;
  readonly load: DocumentLoader;
  readonly purpose: ProofPurpose;
  /** Date and time with an offset. */
  readonly created?: string;
  readonly expires?: string;
  readonly domain?: string;
  readonly challenge?: string;
  /** Of this proof, so that others may follow it. */
  readonly id?: string;
  /** Ids of proofs that this one is over, too. */
  readonly previousProofs?: readonly string[];
}

/** The proofs of a document; a single one may stand without an array. */
export function proofsOf({ proof }: Fields): readonly Fields[] {
  const all: readonly unknown[] = proof === undefined ? [] : Array.isArray(proof) ? proof : [proof];
  const objects = all.map(asObject);
  if (objects.length > dataIntegrityLimits.proofsMax || objects.includes(undefined))
    throw new Fault('credentialMalformed', {
      detail: `proof must be an object, or up to ${dataIntegrityLimits.proofsMax} of them`,
    });
  return objects as readonly Fields[];
}

/** The document with the proofs that another is over; undefined if one of them is not there. */
export function documentUnder(
  document: Fields,
  proofs: readonly Fields[],
  previous: readonly string[],
): Fields | undefined {
  const found = previous.map((id) => proofs.filter((proof) => proof.id === id));
  if (found.some((matching) => matching.length !== 1)) return undefined;
  const unsigned = withoutProof(document);
  return previous.length === 0 ? unsigned : { ...unsigned, proof: found.flat() };
}

function withProof(document: Fields, proof: Fields): Fields {
  const proofs = [...proofsOf(document), proof];
  return { ...document, proof: proofs.length === 1 ? proof : proofs };
}

/** The document with one proof more. */
export async function addProof(document: unknown, options: SigningOptions): Promise<Fields> {
  const { signer, load, previousProofs = [] } = options;
  const bounded = boundedDocument(document);
  const secured = { ...bounded, '@context': contextsFor(bounded, signer.suite) };
  const under = documentUnder(secured, proofsOf(secured), previousProofs);
  if (under === undefined)
    throw new Fault('requestMalformed', {
      detail: 'previousProof names a proof that the document does not have',
    });
  const config: Fields = {
    ...(options.id === undefined ? {} : { id: options.id }),
    type: 'DataIntegrityProof',
    cryptosuite: signer.suite,
    ...given(options, ['created', 'expires', 'domain', 'challenge']),
    verificationMethod: signer.verificationMethod,
    proofPurpose: options.purpose,
    ...previousMember(previousProofs),
  };
  const message = await signedHashes(under, { proof: config, suite: signer.suite }, load);
  const proofValue = encodeSignature(await signer.sign(message));
  return withProof(secured, { ...config, proofValue });
}

const previousMember = (previous: readonly string[]): Fields =>
  previous.length === 0 ? {} : { previousProof: previous.length === 1 ? previous[0] : previous };

function given<Name extends string>(
  options: Readonly<Partial<Record<Name, string>>>,
  names: readonly Name[],
): Fields {
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
}

/** The document with a base proof of bbs-2023 more. Its other proofs are not under it, and are not shown with it later. */
export async function addBaseProof(document: unknown, options: BaseProofOptions): Promise<Fields> {
  const bounded = boundedDocument(document);
  const secured = { ...bounded, '@context': contextsFor(bounded, bbs2023) };
  const others = proofsOf(secured);
  const proof = await createBaseProof(withoutProof(secured), options);
  return withProof(others.length === 0 ? withoutProof(secured) : secured, proof);
}
