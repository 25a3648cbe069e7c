/** The public surface of the SDK. What is not listed here may change without notice. */
export { stateKeys } from '@symbolon/core/ledger/state';
export { LedgerError, SdkError, type SdkErrorCode, type SdkErrorDetails } from './errors.ts';
export {
  createLedgerClient,
  createRawLedgerClient,
  type LedgerClient,
  type LedgerReply,
  type LedgerRouteName,
  type QueryValue,
  type RawLedgerClient,
} from './ledger-client.ts';
export {
  type ExecutedTransaction,
  type Receipt,
  TransactionFailed,
  type WaitOptions,
  waitForReceipt,
} from './receipts.ts';
export { type Signer, type SignerOptions, signerFromPrivateKey, signerFromSeed } from './signer.ts';
export { type ProofExpectation, verifyStateProof } from './state-proofs.ts';
export {
  buildTransaction,
  type OperationOrder,
  type SendOrder,
  sendTransaction,
  signTransaction,
  submitTransaction,
  type TransactionOrder,
} from './transactions.ts';
export { directTransport, type HttpTransportOptions, httpTransport, type Transport } from './transport.ts';
