/**
 * The entry for pages that only verify: verdicts of a service, and verdicts without one. Small on purpose; the proof
 * engine is loaded when the first proof is checked here. Everything else is in `index.ts`.
 */
export type { Presentation } from '@symbolon/core/documents/model';
export { Fault, type FaultDetail, type FaultName } from '@symbolon/core/faults/faults';
export type {
  PresentedCredential,
  ProvedRange,
  Verdict,
} from '@symbolon/core/presentation/presentation-verdict';
export { type ProofEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';
export type { SdkErrorCode } from './errors/error-words.ts';
export { type HeldAgainst, SdkError, type SdkErrorDetails } from './errors/errors.ts';
export { ServiceError } from './errors/service-error.ts';
export {
  askVerdict,
  type FactsOrder,
  type FailedCheck,
  fetchOfflineFacts,
  type PresentationQuestion,
  type ServiceVerdict,
} from './flows/verifier-flows.ts';
export type { CallOptions } from './service/credential-client.ts';
export {
  createVerifierClient,
  type VerifierClient,
  type VerifierClientOptions,
} from './service/verifier-client.ts';
export {
  type SealedTransportOptions,
  type SealTarget,
  sealedTransport,
} from './transport/sealed-transport.ts';
export { httpServiceTransport, type ServiceTransport } from './transport/service-transport.ts';
export type { HttpTransportOptions } from './transport/transport.ts';
export type {
  CollectedFacts,
  FactsBasis,
  FactsProof,
  FactsProofs,
  FactsProofTerms,
  FactsProver,
  FactsTaken,
  KnownIssuerKey,
  KnownIssuerName,
  KnownStatus,
  OfflineFacts,
  SignedFacts,
} from './verification/collected-facts.ts';
export { issuerKeysOf } from './verification/issuer-key-times.ts';
export { type OfflineQuestion, verifyPresentationOffline } from './verification/offline-verification.ts';
