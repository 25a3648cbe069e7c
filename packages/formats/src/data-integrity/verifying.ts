/**
 * The proofs of a document, verified: each names its suite and its key, must be for the purpose at hand, and must fit; a
 * document is proved when all its proofs hold. A verdict is an answer, never an error: whatever a stranger sends is judged.
 */
import type { Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { verifyDerivedProof } from '../bbs-2023/bbs-2023.ts';
import { withoutProof } from '../bbs-2023/transformation.ts';
import { boundedDocument } from '../json-ld/document-bounds.ts';
import type { DocumentLoader } from '../json-ld/document-loader.ts';
import { isHashSigned, keyTypeOf, type SignatureChecks } from './hash-suites.ts';
import { type ExpectedProof, type ReadProof, readProofOptions, type SuiteName } from './proof-options.ts';
import { type ProofComplaint, ProofRefusal } from './proof-problems.ts';
import { documentUnder, proofsOf } from './signing.ts';
import type { KeyResolver, VerificationKey } from './verification-keys.ts';

export interface ProofTools {
  readonly load: DocumentLoader;
  readonly resolveKey: KeyResolver;
  readonly checks: SignatureChecks;
  readonly engine: Pick<ProofEngine, 'verifyPlain'>;
}

export interface ProofExpectations extends ExpectedProof {
  /** Who the document says made it: its issuer, or its holder. Every key must be theirs. Absent: of anybody. */
  readonly controller?: string;
  /** What proofs of bbs-2023 must be bound to, if anything. */
  readonly presentationHeader?: Uint8Array;
}

export type ProofVerdict =
  | { readonly isVerified: true; readonly suite: SuiteName; readonly verificationMethod: string }
  | ({ readonly isVerified: false } & ProofComplaint);

export interface DocumentVerdict {
  readonly isVerified: boolean;
  /** One for each proof, in their order; one `proofMissing` or `proofMalformed` where there are none to judge. */
  readonly proofs: readonly ProofVerdict[];
}

const refusedWith = (complaint: ProofComplaint): DocumentVerdict => ({
  isVerified: false,
  proofs: [{ isVerified: false, ...complaint }],
});

/** The key of a proof, if it may be used for this. */
async function keyFor(
  { suite, verificationMethod }: ReadProof,
  { purpose, controller }: ProofExpectations,
  resolveKey: KeyResolver,
): Promise<VerificationKey> {
  const key = await resolveKey(verificationMethod);
  if (key === undefined) throw new ProofRefusal('keyUnknown');
  if (key.keyType !== keyTypeOf(suite)) throw new ProofRefusal('keyOfOtherType');
  if (!key.purposes.includes(purpose)) throw new ProofRefusal('keyNotAllowed');
  if (controller !== undefined && key.controller !== controller) throw new ProofRefusal('keyNotOfIssuer');
  return key;
}

interface Judged {
  readonly document: Fields;
  readonly proofs: readonly Fields[];
  readonly proof: Fields;
}

async function verdictOf(
  { document, proofs, proof }: Judged,
  expected: ProofExpectations,
  tools: ProofTools,
): Promise<ProofVerdict> {
  const read = readProofOptions(proof, expected);
  const { suite, verificationMethod } = read;
  const under = documentUnder(document, proofs, read.previousProofs);
  if (under === undefined) throw new ProofRefusal('previousProofMissing');
  // What it selects from says nothing of other proofs, so it would claim a chain without proving one.
  if (suite === 'bbs-2023' && read.previousProofs.length > 0) throw new ProofRefusal('previousProofMissing');
  const key = await keyFor(read, expected, tools.resolveKey);
  const { load, engine } = tools;
  const isFitting =
    suite === 'bbs-2023'
      ? await verifyDerivedProof(withoutProof(document), proof, {
          publicKey: key.publicKey,
          engine,
          load,
          ...(expected.presentationHeader && { presentationHeader: expected.presentationHeader }),
        })
      : await isHashSigned(under, { proof, suite, key }, tools);
  if (!isFitting) throw new ProofRefusal('signatureWrong');
  return { isVerified: true, suite, verificationMethod };
}

/** What the refusal of a proof is told as. Faults are those of documents; whatever else fails is no verdict. */
function complaintOf(error: unknown): ProofComplaint {
  if (error instanceof ProofRefusal) return error.complaint;
  if (error instanceof Fault && error.code === 'credentialMalformed')
    return { problem: 'documentMalformed', detail: error.message };
  throw error;
}

/** Judges all proofs of a document. */
export async function verifyDocument(
  document: unknown,
  expected: ProofExpectations,
  tools: ProofTools,
): Promise<DocumentVerdict> {
  let bounded: Fields;
  let proofs: readonly Fields[];
  try {
    bounded = boundedDocument(document);
    proofs = proofsOf(bounded);
  } catch (error) {
    return refusedWith(complaintOf(error));
  }
  if (proofs.length === 0) return refusedWith({ problem: 'proofMissing' });
  const verdicts: ProofVerdict[] = [];
  for (const proof of proofs) {
    try {
      verdicts.push(await verdictOf({ document: bounded, proofs, proof }, expected, tools));
    } catch (error) {
      verdicts.push({ isVerified: false, ...complaintOf(error) });
    }
  }
  return { isVerified: verdicts.every(({ isVerified }) => isVerified), proofs: verdicts };
}
