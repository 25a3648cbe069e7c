/**
 * The statement of a derived proof. Who derives and who verifies compute it with the same function from the derived
 * credential alone, so that nothing the verifier relies on can come from anywhere but the document and its own facts.
 */

import type { ReadRange } from '../attributes/attribute-ranges.ts';
import { attributeMessage } from '../attributes/attribute-values.ts';
import type { Sha256 } from '../basics/bytes.ts';
import {
  credentialHeader,
  type DerivedProofTerms,
  type PresentationBinding,
  proofContext,
  proofNonce,
  subjectValue,
} from '../credential/credential-messages.ts';
import type { CredentialFrame, CredentialSubject } from '../documents/model.ts';
import type { ProofStatement, RangeParameters } from '../proofs/proof-engine.ts';

export interface StatementParts {
  readonly frame: CredentialFrame;
  /** Holder and revealed values only, in normal form. */
  readonly subject: CredentialSubject;
  readonly terms: DerivedProofTerms;
  /** The ranges of the terms as integers, in the same order. */
  readonly ranges: readonly ReadRange[];
  readonly rangeParameters: RangeParameters;
  readonly publicKey: Uint8Array;
  /** Of the ledger's entry; absent where that binds no contents. */
  readonly commitment?: Uint8Array;
  readonly binding: PresentationBinding;
}

export function proofStatement(parts: StatementParts, sha256: Sha256): ProofStatement {
  const { frame, subject, terms, ranges, rangeParameters, publicKey, commitment, binding } = parts;
  const { attributes } = frame.credentialSchema;
  const indexOf = (key: string): number => attributes.findIndex((attribute) => attribute.key === key);
  const revealed = attributes.flatMap((attribute, index) => {
    const value = subjectValue(subject, attribute.key);
    return value === undefined ? [] : [{ index, message: attributeMessage(attribute, value, sha256) }];
  });
  const keys = revealed.map(({ index }) => attributes[index].key);
  return {
    interface: 'typed',
    publicKey,
    header: credentialHeader(frame, subject.id),
    // The salt comes after the attributes.
    messageCount: attributes.length + (commitment ? 1 : 0),
    revealed,
    ranges: ranges.map(({ claim, min, max }) => ({ index: indexOf(claim.attribute), min, max })),
    rangeParameters,
    ...(commitment && { commitment }),
    context: proofContext({ issuer: frame.issuer, holder: subject.id, revealed: keys, terms }, binding),
    nonce: proofNonce(binding, sha256),
  };
}
