/**
 * What an issuer's Ed25519 proof says beside its signature: always the same for the same credential and moment, so
 * whoever reads a credential can tell whether the proof is about it.
 */
import { type IssuerProofOptions, proofTypes, suites, type UnsignedCredential } from '../documents/model.ts';

/** What the issuer signs about a credential beside its digest: also the terms of the registry's entry. */
export function issuerProofOptions(credential: UnsignedCredential, created: string): IssuerProofOptions {
  return {
    type: proofTypes.ed25519,
    cryptosuite: suites.ed25519,
    created,
    proofPurpose: 'assertionMethod',
    verificationMethod: `${credential.issuer}#controllerKey`,
    registryEntry: {
      credential: credential.id,
      template: credential.credentialSchema.id,
      templateVersion: credential.credentialSchema.version,
      validFrom: credential.validFrom,
      validUntil: credential.validUntil,
    },
  };
}
