/**
 * A format of credentials: how the document of a new one is made, what its issuer signs of it, and how a presentation
 * of it is read and checked. `bbsFormat` is the one there is; SD-JWT VC or bbs-2023 would be another. All of it is
 * pure: what a proof engine has to compute comes out as orders, and its answers go in.
 */
import type { Sha256 } from '../basics/bytes.ts';
import {
  assembleCredential,
  attachProofs,
  type CredentialParts,
  type CredentialSignatures,
  signedContents,
} from '../credential/credential-assembly.ts';
import type { Credential, UnsignedCredential } from '../documents/model.ts';
import type { CommitOrder } from '../proofs/proof-engine.ts';
import { examinePresentation } from './presentation-checks.ts';
import type { Examination, VerificationFacts } from './presentation-facts.ts';
import { type ParsedPresentation, parsePresentation } from './presentation-parsing.ts';
import { concludeVerdict, type Verdict } from './presentation-verdict.ts';

export interface CredentialFormat {
  /** The document, not signed yet. Throws the faults `validityInvalid` and `attributesInvalid`. */
  assembleCredential(parts: CredentialParts): UnsignedCredential;
  /** What the issuer's key of this format signs, and what the ledger's entry is a commitment to. */
  signedContents(credential: UnsignedCredential, salt: string, sha256: Sha256): CommitOrder;
  attachProofs(credential: UnsignedCredential, signatures: CredentialSignatures): Credential;
  /** Throws the fault `presentationMalformed`. */
  parsePresentation(
    value: unknown,
    profile: { readonly didMethod: string },
    signedBytes?: Uint8Array,
  ): ParsedPresentation;
  /** Every check that needs no proof engine, and the proofs that are still to be checked. */
  examinePresentation(parsed: ParsedPresentation, facts: VerificationFacts): Examination;
  /** With one answer for each proof that was ordered. */
  concludeVerdict(examination: Examination, proofResults: readonly boolean[]): Verdict;
}

/** Signed with BBS over all attributes, so that each can be shown alone, or a range of it. */
export const bbsFormat: CredentialFormat = {
  assembleCredential,
  signedContents,
  attachProofs,
  parsePresentation,
  examinePresentation,
  concludeVerdict,
};
