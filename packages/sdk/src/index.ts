/** The public surface of the SDK. What is not listed here may change without notice. */
export type { AttributeFormat } from '@symbolon/core/attributes/attribute-formats';
export {
  type AttributeType,
  type AttributeTypeCode,
  attributeTypeCodes,
} from '@symbolon/core/documents/model';
export { codes as ledgerCodes } from '@symbolon/core/ledger/terms/codes';
export { stateKeys } from '@symbolon/core/ledger/terms/state';
export type { LedgerBlockEvent, LedgerStreamEvent, LedgerStreamNews } from '@symbolon/wire/console/replies';
export type { ServiceEvent, ServiceEventName } from '@symbolon/wire/events/service-events';
export { LedgerError } from './errors/errors.ts';
export {
  type FieldOfferOrder,
  type MadeFieldOffer,
  offerToWallets,
} from './flows/field-offer-flow.ts';
export {
  type ApplicationOrder,
  applyForCredential,
  type DownloadChoice,
  type DownloadOrder,
  derivePresentation,
  downloadCredential,
  downloadUnverified,
  type LocalPresentationOrder,
  type PresentationOptions,
  type PresentationOrder,
  presentCredential,
} from './flows/holder-flows.ts';
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
} from './flows/issuer-flows.ts';
export {
  type AcceptanceOrder,
  type AcceptedOffer,
  acceptOffer,
  type OfferChoice,
  type OfferPreview,
  offerLink,
  type ParsedOffer,
  parseOfferLink,
  previewOffer,
} from './flows/offer-flows.ts';
export {
  createExactScheme,
  type ExactScheme,
  type PayerOptions,
  type SignedPayment,
  signPayment,
} from './flows/payment-scheme.ts';
export { fetchProvenFacts, type ProvenFactsOrder } from './flows/proven-facts-flow.ts';
export { buyCredential, type PurchaseOrder } from './flows/purchase.ts';
export { signFacts } from './flows/verifier-flows.ts';
export { type GeneratedKey, generateKey } from './keys/generated-key.ts';
export { signerFromKeyFile, writeFamilyKeyFile, writeKeyFile } from './keys/key-file.ts';
export {
  didOfSigner,
  type Signer,
  type SignerOptions,
  signerFromPrivateKey,
  signerFromSeed,
} from './keys/signer.ts';
export { type ProvenTransaction, provenTransactions } from './ledger/block-proofs.ts';
export {
  createLedgerClient,
  createRawLedgerClient,
  type LedgerClient,
  type LedgerReply,
  type LedgerRouteName,
  type QueryValue,
  type RawLedgerClient,
} from './ledger/ledger-client.ts';
export type {
  BlockClosed,
  EventsMissed,
  LedgerEvent,
  SubmissionDecided,
  TransactionExecuted,
} from './ledger/ledger-event-frames.ts';
export { type LedgerWatchOptions, watchLedger } from './ledger/ledger-events.ts';
export type { NetworkTerms, Pins } from './ledger/pins.ts';
export {
  type ExecutedTransaction,
  type Receipt,
  TransactionFailed,
  type WaitOptions,
  waitForReceipt,
} from './ledger/receipts.ts';
export { type ProofExpectation, verifyStateProof } from './ledger/state-proofs.ts';
export type { LightStorage } from './light/kept-block.ts';
export {
  type BelievedHeader,
  createLightClient,
  type LightClient,
  type LightClientOptions,
  type Proven,
} from './light/light-client.ts';
export { LightBlockRefused, NetworkForked } from './light/light-errors.ts';
export {
  type CredentialQuestion,
  type ProvenRecord,
  proveCredentialStatus,
  proveTemplate,
  type TemplateQuestion,
} from './light/proven-records.ts';
export type { LightTrust, TrustAnchor } from './light/trust-anchor.ts';
export type { CredentialOrder } from './orders/credential-order.ts';
export { assertBought, type BoughtTerms } from './orders/purchase-order.ts';
export {
  type DeclaredAttribute,
  fetchTemplate,
  type GivenTemplate,
  type TemplateChoice,
} from './orders/template-order.ts';
export {
  type CredentialClient,
  type CredentialClientOptions,
  type CredentialReply,
  type CredentialRouteName,
  createCredentialClient,
} from './service/credential-client.ts';
export { type CustodyAccount, signerFromCustody } from './service/custody-signer.ts';
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
} from './transactions/did-keys.ts';
export { createdContract } from './transactions/signed-record.ts';
export {
  type Cost,
  type CostOrder,
  FeeTooHigh,
  type TransactionPins,
} from './transactions/transaction-caps.ts';
export {
  buildTransaction,
  type OperationOrder,
  type SendOrder,
  sendTransaction,
  settleTransaction,
  signTransaction,
  submitTransaction,
  type TransactionOrder,
} from './transactions/transactions.ts';
export {
  custodyApprovalHeaders,
  custodyPasswordHeaders,
  type HolderPurpose,
  holderBinding,
  holderHeaders,
  paymentHeaders,
  walletHeaders,
} from './transport/call-headers.ts';
export type { BodyReader, Fetch, FetchRequest, FetchResponse } from './transport/http-exchange.ts';
export { type PaymentDemand, PaymentRequired } from './transport/payment-required.ts';
export { directTransport, httpTransport, type Transport } from './transport/transport.ts';
export { type ReadApplication, readApplication, verifyApplication } from './verification/applications.ts';
export {
  type AuditLedger,
  type ProvenAuditEntry,
  proveAuditEntry,
} from './verification/audit-proof.ts';
export { type FactsSource, type LedgerSourceOrder, ledgerFactsSource } from './verification/ledger-source.ts';
export { type ProvenTrust, provenFrom } from './verification/proven-facts.ts';
export {
  newResultKeys,
  type OpenedResult,
  openSignedResult,
  type ResultExpectation,
  type ResultKeys,
  resultSignatureProblem,
  type SignedCredential,
  type SignedText,
} from './verification/signed-results.ts';
export {
  type CredentialExpectation,
  type CredentialProblem,
  type CredentialProblemName,
  type CredentialVerdict,
  requireCredential,
  verifyCredential,
} from './verification/verify-credential.ts';
export * from './verifier.ts';
