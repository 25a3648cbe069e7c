/**
 * The entry for wallets of the field: credentials by OpenID4VCI, shown by OpenID4VP. It brings along what JSON-LD and
 * signed tokens need, so it is no part of `index.ts`.
 */
export type { AskedPresentation, ResponseTerms } from '@symbolon/formats/oid4vp/request-reading';
export type { AskedAgreement } from '@symbolon/formats/oid4vp/transaction-data';
export { type FieldOffer, isFieldOfferLink, type WantedTxCode } from './openid/credential-offers.ts';
export { type FieldCredentialView, viewFieldCredential } from './openid/credential-view.ts';
export type { HeldDisclosure, ShowingOccasion } from './openid/held-disclosures.ts';
export type { IssuerEndpoints, KeyNaming, OfferedCredential } from './openid/issuer-documents.ts';
export type { KeptFieldStatus } from './openid/kept-status.ts';
export {
  createOpenidWallet,
  type LaterCredentials,
  type OpenedOffer,
  type OpenidWallet,
  type OpenidWalletOptions,
  type TakenOffer,
  type TakingOrder,
} from './openid/openid-wallet.ts';
export type { HeldOwnCredential, OwnShowing } from './openid/own-disclosures.ts';
export { isFieldRequestLink, type OpenedPresentationRequest } from './openid/presentation-requests.ts';
export type {
  ChosenCredential,
  CredentialOption,
  MatchedPart,
  MatchedRequest,
  PresentableCredential,
  PresentationChoice,
  PresentationOutcome,
} from './openid/presenting.ts';
export type { HeldFieldCredential } from './openid/receiving.ts';
export type { IssuanceEvent, IssuanceGrant } from './openid/redeeming.ts';
export type { CheckVerifierChain, KnownVerifier } from './openid/verifier-identity.ts';
