/**
 * Faults of the standards plane: what OpenID4VCI, OpenID4VP and OAuth refuse with. Rows of the one table of faults
 * (`faults.ts`); which error of OAuth each is called on the wire says `wire/src/oauth/oauth-words.ts`.
 */

/** Status, title and hint by name. */
export type FaultTable = Readonly<Record<string, readonly [status: number, title: string, hint: string]>>;

export const standardsFaults = {
  grantInvalid: [
    400,
    'The grant is not valid',
    'Begin again with a new offer or a new authorization: a code is good once, and for a short time.',
  ],
  clientInvalid: [
    400,
    'The client has not shown who it is',
    'Register the client with the operator of the service, and sign its assertion anew for this issuer.',
  ],
  clientNotAllowed: [
    400,
    'The client may not use this grant',
    'Use a grant that the metadata of the issuer lists, or ask its operator.',
  ],
  grantTypeUnsupported: [
    400,
    'The grant type is not supported',
    'Use a grant type that the metadata of the issuer lists.',
  ],
  responseTypeUnsupported: [400, 'The response type is not supported', 'Ask for the response type `code`.'],
  scopeInvalid: [
    400,
    'The scope is unknown, or more than may be asked for',
    'Ask for scopes that the metadata of the issuer lists.',
  ],
  authorizationDetailsInvalid: [
    400,
    'The authorization details are not valid',
    'Name credential configurations of the metadata, with type openid_credential.',
  ],
  authorizationDenied: [403, 'The authorization was denied', 'Begin again, and agree where the issuer asks.'],
  authorizationUnknown: [
    404,
    'The authorization is unknown',
    'Begin again from the wallet: what it pushes is good once and for a minute, a login for a quarter of an hour.',
  ],
  dpopProofInvalid: [
    400,
    'The DPoP proof is missing or not valid',
    'Sign a new proof for this method, this address and this token, with the key that the token is bound to.',
  ],
  dpopNonceWanted: [
    400,
    'The DPoP proof needs a nonce of the service',
    'Repeat the request with a proof that holds the nonce of the header DPoP-Nonce.',
  ],
  accessTokenMissing: [
    401,
    'An access token is needed',
    'Send the token of the token endpoint in the header Authorization, with Bearer or DPoP in front.',
  ],
  accessTokenInvalid: [401, 'The access token is not valid', 'Get a new token from the token endpoint.'],
  scopeInsufficient: [
    403,
    'The access token is not good for this',
    'Get a token for this credential configuration.',
  ],
  credentialRequestInvalid: [
    400,
    'The credential request is not valid',
    'Correct the request by the metadata of the issuer: one of credential_configuration_id and credential_identifier, proofs of one type.',
  ],
  configurationUnknown: [
    400,
    'The credential configuration is unknown',
    'Name a configuration of the metadata that the token is good for.',
  ],
  credentialIdentifierUnknown: [
    400,
    'The credential identifier is unknown',
    'Name an identifier that came with the token.',
  ],
  keyProofInvalid: [
    400,
    'The key proof is missing or not valid',
    'Sign a proof with the key of the credential, for this issuer and with a nonce of it.',
  ],
  proofNonceInvalid: [
    400,
    'The nonce of the key proof is not valid',
    'Get a nonce from the nonce endpoint and sign a new proof with it.',
  ],
  responseEncryptionInvalid: [
    400,
    'The answer cannot be encrypted as asked',
    'Name a key and algorithms that the metadata of the issuer lists.',
  ],
  credentialRequestDenied: [
    400,
    'The credential is not issued',
    'Ask the issuer; the same request is denied again.',
  ],
  deferredUnknown: [
    400,
    'The transaction of a deferred credential is unknown',
    'Use the transaction_id that came last, with the token that it came for.',
  ],
  notificationUnknown: [
    400,
    'The notification id is unknown',
    'Use the notification_id that came with the credential, with the same token.',
  ],
  notificationMalformed: [
    400,
    'The notification is not valid',
    'Send notification_id and an event: credential_accepted, credential_failure or credential_deleted.',
  ],
  clientIdUnavailable: [
    400,
    'The service cannot name itself to wallets so',
    'Choose another clientIdPrefix, or let the operator set openid.requestCertificate.',
  ],
  responseUnbound: [
    400,
    'The answer is not one to this request',
    'Answer the request as it is: its state, its nonce, its client id, and encrypted for its key where it has one.',
  ],
  responseRefused: [
    400,
    'What was presented is not verified',
    'Begin a new verification with another credential.',
  ],
  responseCodeWrong: [
    403,
    'The response code is missing, or not that of the session',
    'Take it from the address that the wallet sent the browser to; without it nobody knows whose browser that was.',
  ],
  standardsUnavailable: [
    503,
    'The service has no address that OpenID takes',
    'Let the operator set publicUrl to an https address without a path.',
  ],
  foreignDocumentUnavailable: [
    502,
    'A document of somebody else cannot be had',
    'See that the document is there, over https, of the right type and size; then try again.',
  ],
} as const satisfies FaultTable;
