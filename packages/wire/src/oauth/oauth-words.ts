/**
 * The names that OAuth and the protocols over it have for a refusal, in one table by the fault: RFC 6749, 6750, 9126,
 * 9396 and 9449, OpenID4VCI 1.0. A fault that is not in it is told by its status.
 */
import type { FaultName } from '@symbolon/core/faults/faults';

/** Errors by the fault; the first of several faults with one error is what a client reads back. */
export const oauthErrors = {
  requestMalformed: 'invalid_request',
  grantInvalid: 'invalid_grant',
  clientInvalid: 'invalid_client',
  clientNotAllowed: 'unauthorized_client',
  grantTypeUnsupported: 'unsupported_grant_type',
  responseTypeUnsupported: 'unsupported_response_type',
  scopeInvalid: 'invalid_scope',
  authorizationDetailsInvalid: 'invalid_authorization_details',
  authorizationDenied: 'access_denied',
  dpopProofInvalid: 'invalid_dpop_proof',
  dpopNonceWanted: 'use_dpop_nonce',
  accessTokenInvalid: 'invalid_token',
  accessTokenMissing: 'invalid_token',
  scopeInsufficient: 'insufficient_scope',
  credentialRequestInvalid: 'invalid_credential_request',
  configurationUnknown: 'unknown_credential_configuration',
  credentialIdentifierUnknown: 'unknown_credential_identifier',
  keyProofInvalid: 'invalid_proof',
  proofNonceInvalid: 'invalid_nonce',
  responseEncryptionInvalid: 'invalid_encryption_parameters',
  credentialRequestDenied: 'credential_request_denied',
  deferredUnknown: 'invalid_transaction_id',
  notificationUnknown: 'invalid_notification_id',
  notificationMalformed: 'invalid_notification_request',
  authorizationUnknown: 'invalid_request',
  clientIdUnavailable: 'invalid_request',
  responseUnbound: 'invalid_request',
  responseRefused: 'invalid_request',
  responseCodeWrong: 'access_denied',
  internalError: 'server_error',
  tooManyRequests: 'temporarily_unavailable',
} as const satisfies Readonly<Partial<Record<FaultName, string>>>;

export type OauthError = (typeof oauthErrors)[keyof typeof oauthErrors];

/** Algorithms of DPoP proofs that a service verifies. */
export const dpopAlgorithms = ['ES256', 'EdDSA', 'Ed25519'] as const;

/** What a fault is called; whatever has no name of its own is a mistake of the caller or a failure of the service. */
export function oauthErrorOf(code: FaultName, status: number): OauthError {
  if (Object.hasOwn(oauthErrors, code)) return oauthErrors[code as keyof typeof oauthErrors];
  if (status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** The fault behind an error, where a service of this house answered it. */
export function faultOfOauth(error: string): FaultName | undefined {
  const named = Object.entries(oauthErrors).find(([, name]) => name === error);
  return named?.[0] as FaultName | undefined;
}
