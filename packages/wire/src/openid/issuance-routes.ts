/**
 * Routes of OpenID4VCI 1.0 (`docs/standards.md`, "OpenID4VCI"): those with which an issuer makes offers, and those that
 * wallets call. One credential issuer for each issuer DID, each its own authorization server.
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import {
  defineServiceRoute,
  publicReading,
  type ServiceHandlers,
  signatureFaults,
  submitFaults,
} from '../http/service-route.ts';
import { grantRow, notificationEnvelope, walletRow } from '../oauth/oauth-envelope.ts';
import * as replies from './issuance-replies.ts';
import * as requests from './issuance-requests.ts';
import * as schemas from './issuance-schemas.ts';

const { documentBytesMax } = credentialRequestLimits;

const issuer = { access: 'key', scope: 'issue', cost: 'light', group: 'Issuer: OpenID4VCI' } as const;
const wallet = { ...walletRow, access: 'open', carries: 'plain', group: 'Wallets: OpenID4VCI' } as const;
const granted = { ...grantRow, method: 'POST', carries: 'personal', group: 'Wallets: OpenID4VCI' } as const;
/** In clear, or encrypted where the wallet wants it so. */
const messageTypes = ['application/json', 'application/jwt'];
const document = {
  ...publicReading,
  isForWallets: true,
  ignoresUnknown: true,
  group: 'Wallets: OpenID4VCI',
} as const;

const issuerRoutes = {
  makeOpenidOffer: defineServiceRoute({
    ...issuer,
    method: 'POST',
    path: '/cred/v1/oid4vci/offers',
    sealedPath: '/cred/v1/oid4vci/enc/offers',
    carries: 'secret',
    bodyBytesMax: documentBytesMax,
    isIdempotent: true,
    summary:
      'Makes an offer that wallets of the field can take: a link, a code for another way, and what you sign',
    body: schemas.openidOfferOrder,
    reply: replies.openidOfferMadeReply,
    faults: [
      'didMalformed',
      'keyNotPublished',
      'attributesInvalid',
      'validityInvalid',
      'issuerMismatch',
      'templateUnknown',
      'templatePriced',
      'standardsUnavailable',
    ],
    read: requests.readOpenidOfferOrder,
  }),
  listOpenidOffers: defineServiceRoute({
    ...issuer,
    method: 'GET',
    path: '/cred/v1/oid4vci/offers',
    carries: 'personal',
    summary: 'Your offers for wallets of the field and what became of them, oldest first unless told',
    query: schemas.openidOfferFilter,
    reply: replies.openidOfferListReply,
    faults: [],
    read: requests.readOpenidOfferList,
  }),
  getOpenidOffer: defineServiceRoute({
    ...issuer,
    method: 'GET',
    path: '/cred/v1/oid4vci/offers/:offerId',
    carries: 'personal',
    summary: 'What became of one of your offers for wallets of the field',
    params: schemas.openidOfferPath,
    reply: replies.openidOfferReply,
    faults: ['offerUnknown'],
    read: ({ params }) => ({ offerId: params.offerId }),
  }),
  signOpenidOffer: defineServiceRoute({
    ...issuer,
    method: 'POST',
    path: '/cred/v1/oid4vci/offers/sign',
    carries: 'plain',
    isIdempotent: true,
    summary: 'Signs what was offered; a wallet that waits for it gets its credentials from then on',
    body: schemas.openidOfferSignature,
    reply: replies.openidOfferReply,
    faults: [...signatureFaults, 'signerMismatch', 'offerUnknown', 'offerClosed', 'stateForbids'],
    read: requests.readOpenidSignature,
  }),
  rejectOpenidOffer: defineServiceRoute({
    ...issuer,
    method: 'POST',
    path: '/cred/v1/oid4vci/offers/reject',
    sealedPath: '/cred/v1/oid4vci/offers/enc/reject',
    carries: 'personal',
    isIdempotent: true,
    summary: 'Withdraws an offer, or denies the credential to whoever has taken it and waits',
    body: schemas.openidOfferRejection,
    reply: replies.openidOfferReply,
    faults: ['offerUnknown', 'offerClosed', 'stateForbids'],
    read: requests.readOpenidRejection,
  }),
};

const discoveryRoutes = {
  getIssuerMetadata: defineServiceRoute({
    ...document,
    path: '/.well-known/openid-credential-issuer/oid4vci/:issuer',
    summary: 'What an issuer offers wallets; signed, for whoever accepts application/jwt',
    params: schemas.issuerPath,
    replyTypes: ['application/json', 'application/jwt'],
    reply: replies.anyDocument,
    faults: ['templateUnknown', 'standardsUnavailable'],
    read: requests.readIssuerName,
  }),
  getAuthorizationServer: defineServiceRoute({
    ...document,
    path: '/.well-known/oauth-authorization-server/oid4vci/:issuer',
    summary: 'How wallets get access tokens of an issuer (RFC 8414)',
    params: schemas.issuerPath,
    reply: replies.anyDocument,
    faults: ['templateUnknown', 'standardsUnavailable'],
    read: requests.readIssuerName,
  }),
  getOfferedCredentials: defineServiceRoute({
    ...wallet,
    method: 'GET',
    carries: 'secret',
    path: '/oid4vci/:issuer/offers/:reference',
    summary: 'The offer that a link names, for whoever has the link',
    params: schemas.referencePath,
    reply: replies.anyDocument,
    faults: ['offerUnknown', 'offerClosed', 'templateUnknown', 'standardsUnavailable'],
    read: ({ params }) => ({ issuer: params.issuer, reference: params.reference }),
  }),
};

const walletRoutes = {
  getOpenidToken: defineServiceRoute({
    ...wallet,
    method: 'POST',
    path: '/oid4vci/:issuer/token',
    carries: 'secret',
    bodyKind: 'form',
    summary:
      'An access token for the code of an offer, or for that of somebody who has logged in (RFC 6749), bound to a key where a DPoP proof comes along',
    params: schemas.issuerPath,
    headers: [
      { name: 'DPoP', description: 'A proof of the key that the token shall be bound to (RFC 9449)' },
    ],
    body: schemas.tokenForm,
    reply: replies.tokenReply,
    faults: [
      'grantTypeUnsupported',
      'grantInvalid',
      'clientInvalid',
      'authorizationDetailsInvalid',
      'dpopProofInvalid',
      'templateUnknown',
      'standardsUnavailable',
    ],
    read: requests.readToken,
  }),
  getOpenidNonce: defineServiceRoute({
    ...wallet,
    method: 'POST',
    path: '/oid4vci/:issuer/nonce',
    summary: 'A nonce for key proofs, good for five minutes',
    params: schemas.issuerPath,
    reply: replies.nonceReply,
    faults: ['templateUnknown', 'standardsUnavailable'],
    read: requests.readIssuerName,
  }),
  getOpenidCredential: defineServiceRoute({
    ...granted,
    path: '/oid4vci/:issuer/credential',
    summary: 'Credentials, one for each key that is proved; or where to ask for them later',
    params: schemas.issuerPath,
    bodyBytesMax: documentBytesMax,
    bodyKind: 'jsonOrJwt',
    body: schemas.credentialOrderOrJwe,
    replyTypes: messageTypes,
    reply: replies.credentialReply,
    otherStatuses: { 202: { when: 'The issuer has not signed yet' } },
    faults: [
      'credentialRequestInvalid',
      'configurationUnknown',
      'credentialIdentifierUnknown',
      'keyProofInvalid',
      'proofNonceInvalid',
      'responseEncryptionInvalid',
      'credentialRequestDenied',
      'offerClosed',
      ...submitFaults,
    ],
    read: requests.readCredentialOrder,
  }),
  getDeferredCredential: defineServiceRoute({
    ...granted,
    path: '/oid4vci/:issuer/deferred',
    summary: 'Credentials that were not ready when they were asked for',
    params: schemas.issuerPath,
    bodyBytesMax: documentBytesMax,
    bodyKind: 'jsonOrJwt',
    body: schemas.deferredOrderOrJwe,
    replyTypes: messageTypes,
    reply: replies.credentialReply,
    otherStatuses: { 202: { when: 'The issuer has still not signed' } },
    faults: [
      'credentialRequestInvalid',
      'deferredUnknown',
      'responseEncryptionInvalid',
      'credentialRequestDenied',
      'offerClosed',
      ...submitFaults,
    ],
    read: requests.readDeferredOrder,
  }),
  notifyOpenidIssuer: defineServiceRoute({
    ...granted,
    envelope: notificationEnvelope,
    path: '/oid4vci/:issuer/notification',
    status: 204,
    summary: 'What became of credentials in the wallet',
    params: schemas.issuerPath,
    body: schemas.notificationOrder,
    reply: replies.nothingReply,
    faults: ['notificationMalformed', 'notificationUnknown'],
    read: requests.readNotification,
  }),
};

export const openidIssuanceRoutes = { ...issuerRoutes, ...discoveryRoutes, ...walletRoutes };
export type OpenidIssuanceHandlers = ServiceHandlers<typeof openidIssuanceRoutes>;
