/**
 * Proof values of bbs-2023 (`Data Integrity BBS Cryptosuites`): multibase, three bytes that say which kind it is, and five
 * parts in CBOR. Baseline proofs alone are made and read; those of the other features are refused by their name.
 */
import { concatBytes, encodeBase64Url, equalBytes, parseExactBase64Url } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { bbsPublicKeyBytes, bbsSignatureBytes } from '@symbolon/core/proofs/sizes';
import { dataIntegrityLimits } from '../limits/document-limits.ts';
import { type CborValue, decodeCbor, encodeCbor } from './cbor.ts';

/** What an issuer gives its holder. */
export interface BaseProofValue {
  readonly signature: Uint8Array;
  readonly header: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly hmacKey: Uint8Array;
  readonly mandatoryPointers: readonly string[];
}

/** What a holder shows. */
export interface DerivedProofValue {
  readonly proof: Uint8Array;
  /** Of nodes without a name: the number a verifier counts them by, and the one the issuer signed. */
  readonly labels: ReadonlyMap<number, number>;
  /** Among the statements that are shown: those that the header covers. */
  readonly mandatoryIndexes: readonly number[];
  /** Among the signed messages: those that are shown. */
  readonly selectiveIndexes: readonly number[];
  readonly presentationHeader: Uint8Array;
}

export const bbsHeaderBytes = 64;
export const hmacKeyBytes = 32;

const kindBytes = 3;
const kinds = {
  base: Uint8Array.of(0xd9, 0x5d, 0x02),
  derived: Uint8Array.of(0xd9, 0x5d, 0x03),
} as const;

/** The third byte of features that are not supported. */
const otherFeatures: Readonly<Record<number, string>> = {
  4: 'anonymous holder binding',
  5: 'anonymous holder binding',
  6: 'pseudonyms',
  7: 'pseudonyms',
  8: 'pseudonyms with a hidden identifier',
  9: 'pseudonyms with a hidden identifier',
};

const refused = (detail: string): Fault => new Fault('credentialMalformed', { detail });

const multibaseStart = 'u';

function encodeParts(kind: keyof typeof kinds, parts: readonly CborValue[]): string {
  return `${multibaseStart}${encodeBase64Url(concatBytes(kinds[kind], encodeCbor(parts)))}`;
}

/** The bytes of a proof value, and which kind of baseline proof they are. */
function readKind(proofValue: unknown): { readonly kind: keyof typeof kinds; readonly rest: Uint8Array } {
  if (typeof proofValue !== 'string' || proofValue.length > dataIntegrityLimits.proofValueCharsMax)
    throw refused('The proofValue is missing or too long');
  const bytes = proofValue.startsWith(multibaseStart) ? parseExactBase64Url(proofValue.slice(1)) : undefined;
  if (bytes === undefined) throw refused('The proofValue of bbs-2023 must be u and base64url');
  const [rest, start] = [bytes.subarray(kindBytes), bytes.subarray(0, kindBytes)];
  for (const kind of ['base', 'derived'] as const) if (equalBytes(start, kinds[kind])) return { kind, rest };
  const isFamily = equalBytes(start.subarray(0, 2), kinds.base.subarray(0, 2));
  const feature = isFamily ? otherFeatures[start[2] ?? 0] : undefined;
  throw refused(
    feature === undefined
      ? 'The proofValue is no proof of bbs-2023'
      : `The proof uses ${feature}, a feature of bbs-2023 that is not supported`,
  );
}

/** The five parts of a proof of one kind. */
function readParts(proofValue: unknown, wanted: keyof typeof kinds): readonly CborValue[] {
  const { kind, rest } = readKind(proofValue);
  if (kind !== wanted)
    throw refused(
      wanted === 'base'
        ? 'This is a derived proof: another can be derived from the base proof of the issuer alone'
        : 'This is a base proof, which stays with its holder: derive a proof from it and show that',
    );
  const parts = decodeCbor(rest);
  if (!Array.isArray(parts) || parts.length !== 5)
    throw refused('The proofValue does not have the five parts');
  return parts;
}

const isBytes = (value: unknown, length?: number): value is Uint8Array =>
  value instanceof Uint8Array && (length === undefined || value.length === length);

/** Whole numbers, each larger than the one before. */
const isAscending = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.every((one, at) => typeof one === 'number' && (at === 0 || one > (value[at - 1] as number)));

export const encodeBaseProof = (value: BaseProofValue): string =>
  encodeParts('base', [
    value.signature,
    value.header,
    value.publicKey,
    value.hmacKey,
    value.mandatoryPointers,
  ]);

export function parseBaseProof(proofValue: unknown): BaseProofValue {
  const [signature, header, publicKey, hmacKey, pointers] = readParts(proofValue, 'base');
  if (
    !isBytes(signature, bbsSignatureBytes) ||
    !isBytes(header, bbsHeaderBytes) ||
    !isBytes(publicKey, bbsPublicKeyBytes) ||
    !isBytes(hmacKey, hmacKeyBytes) ||
    !Array.isArray(pointers) ||
    pointers.length > dataIntegrityLimits.pointersMax ||
    !pointers.every((pointer) => typeof pointer === 'string')
  )
    throw refused('The parts of the base proof are not what they must be');
  return { signature, header, publicKey, hmacKey, mandatoryPointers: pointers };
}

export const encodeDerivedProof = (value: DerivedProofValue): string =>
  encodeParts('derived', [
    value.proof,
    value.labels,
    value.mandatoryIndexes,
    value.selectiveIndexes,
    value.presentationHeader,
  ]);

export function parseDerivedProof(proofValue: unknown): DerivedProofValue {
  const [proof, labels, mandatoryIndexes, selectiveIndexes, presentationHeader] = readParts(
    proofValue,
    'derived',
  );
  if (
    !isBytes(proof) ||
    !(labels instanceof Map) ||
    !isAscending(mandatoryIndexes) ||
    !isAscending(selectiveIndexes) ||
    !isBytes(presentationHeader)
  )
    throw refused('The parts of the derived proof are not what they must be');
  // Two nodes with one name would be one node to the issuer's signature, and two to whoever reads the document.
  if (new Set(labels.values()).size !== labels.size)
    throw refused('The derived proof gives two nodes one name');
  return { proof, labels, mandatoryIndexes, selectiveIndexes, presentationHeader };
}

/** Which kind of baseline proof a proof value is. */
export const kindOfProof = (proofValue: unknown): 'base' | 'derived' => readKind(proofValue).kind;
