/** The public surface of the SDK. What is not listed here may change without notice. */
export type { Presentation } from '@symbolon/core/documents/model';
export type {
  PresentedCredential,
  ProvedRange,
  Verdict,
} from '@symbolon/core/presentation/presentation-verdict';
export { type ProofEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';
export { Fault, type FaultDetail, type FaultName } from '@symbolon/core/faults/faults';
export { stateKeys } from '@symbolon/core/ledger/terms/state';
export {
  custodyApprovalHeaders,
  custodyPasswordHeaders,
  type HolderPurpose,
  holderBinding,
  holderHeaders,
  paymentHeaders,
  walletHeaders,
} from './call-headers.ts';
export {
  type CallOptions,
  type CredentialClient,
  type CredentialClientOptions,
  type CredentialReply,
  type CredentialRouteName,
  createCredentialClient,
} from './credential-client.ts';
export { type CustodyAccount, signerFromCustody } from './custody-signer.ts';
export {
  buildDidTransaction,
  type DidChanged,
  type DidOrder,
  type DidOrderOptions,
  type DidSendOptions,
  deactivateDid,
  type EndedKey,
  endKey,
  endName,
  endService,
  type KeyEnded,
  type KeyOrder,
  type KeyPublished,
  publishKey,
  publishName,
  publishService,
  rotateKey,
  type ServiceOrder,
} from './did-keys.ts';
export {
  type HeldAgainst,
  LedgerError,
  SdkError,
  type SdkErrorCode,
  type SdkErrorDetails,
} from './errors.ts';
export type {
  CollectedFacts,
  FactsBasis,
  FactsProof,
  FactsTaken,
  SignedFacts,
} from './facts/collected-facts.ts';
export { type FactsSource, type LedgerSourceOrder, ledgerFactsSource } from './facts/ledger-source.ts';
export { signFacts } from './facts/sign-facts.ts';
export {
  type ApplicationOrder,
  applyForCredential,
  type DownloadChoice,
  type DownloadOrder,
  didOfSigner,
  downloadCredential,
  downloadUnverified,
  type PresentationOptions,
  type PresentationOrder,
  presentCredential,
} from './holder-flows.ts';
export { derivePresentation, type LocalPresentationOrder } from './holder-flows-local.ts';
export {
  type BbsSigningTask,
  type IssuanceOrder,
  type IssuerBbsKey,
  issueCredential,
  registerTemplate,
  reinstateCredential,
  revokeCredential,
  type StatusChangeOrder,
  suspendCredential,
  type TemplateOrder,
} from './issuer-flows.ts';
export { signerFromKeyFile, writeFamilyKeyFile, writeKeyFile } from './key-file.ts';
export {
  createLedgerClient,
  createRawLedgerClient,
  type LedgerClient,
  type LedgerReply,
  type LedgerRouteName,
  type QueryValue,
  type RawLedgerClient,
} from './ledger-client.ts';
export type {
  BlockClosed,
  EventsMissed,
  LedgerEvent,
  SubmissionDecided,
  TransactionExecuted,
} from './ledger-event-frames.ts';
export { type LedgerWatchOptions, watchLedger } from './ledger-events.ts';
export {
  type KnownIssuerKey,
  type KnownIssuerName,
  type KnownStatus,
  type OfflineFacts,
  type OfflineQuestion,
  verifyPresentationOffline,
} from './offline-verification.ts';
export { type ReadApplication, readApplication, verifyApplication } from './orders/applications.ts';
export { createdContract } from './orders/as-signed.ts';
export { type ProvenTransaction, provenTransactions } from './orders/block-proofs.ts';
export { assertBought, type BoughtTerms } from './orders/bought-credential.ts';
export type { CredentialOrder } from './orders/credential-order.ts';
export { fetchTemplate, type GivenTemplate, type TemplateChoice } from './orders/ordered-template.ts';
export type { NetworkTerms, Pins } from './orders/pins.ts';
export { type Cost, type CostOrder, FeeTooHigh, type TransactionPins } from './orders/transaction-caps.ts';
export {
  type CredentialExpectation,
  type CredentialProblem,
  type CredentialProblemName,
  type CredentialVerdict,
  requireCredential,
  verifyCredential,
} from './orders/verify-credential.ts';
export { type PaymentDemand, PaymentRequired } from './payment-required.ts';
export {
  createExactScheme,
  type ExactScheme,
  type PayerOptions,
  type SignedPayment,
  signPayment,
} from './payment-scheme.ts';
export { buyCredential, type PurchaseOrder } from './purchase.ts';
export {
  type ExecutedTransaction,
  type Receipt,
  TransactionFailed,
  type WaitOptions,
  waitForReceipt,
} from './receipts.ts';
export { type SealedTransportOptions, type SealTarget, sealedTransport } from './sealed-transport.ts';
export { ServiceError } from './service-error.ts';
export { httpServiceTransport, type ServiceTransport } from './service-transport.ts';
export {
  newResultKeys,
  type OpenedResult,
  openSignedResult,
  type ResultExpectation,
  type ResultKeys,
  resultSignatureProblem,
  type SignedCredential,
  type SignedText,
} from './signed-results.ts';
export { type Signer, type SignerOptions, signerFromPrivateKey, signerFromSeed } from './signer.ts';
export { type ProofExpectation, verifyStateProof } from './state-proofs.ts';
export {
  buildTransaction,
  type OperationOrder,
  type SendOrder,
  sendTransaction,
  settleTransaction,
  signTransaction,
  submitTransaction,
  type TransactionOrder,
} from './transactions.ts';
export { directTransport, type HttpTransportOptions, httpTransport, type Transport } from './transport.ts';
export { createVerifierClient, type VerifierClient, type VerifierClientOptions } from './verifier-client.ts';
export {
  askVerdict,
  type FactsOrder,
  type FailedCheck,
  fetchOfflineFacts,
  issuerKeysOf,
  type PresentationQuestion,
  type ServiceVerdict,
} from './verifier-flows.ts';
