/** Bounds of what verifiers ask and wallets answer in OpenID4VP 1.0; those of the query itself are every query's (core). */
export const oid4vpLimits = {
  claimSetsMax: 16,
  /** Of all credentials that answer one request. */
  presentationsMax: 16,
  /** Of one answer, encrypted or not. */
  responseCharsMax: 6 * 1_048_576,
  nonceCharsMax: 512,
  /** Of a request as a wallet reads it, signed or not. */
  requestCharsMax: 262_144,
  /** Of an address or a text that a request names. */
  parameterCharsMax: 4_096,
  clientIdCharsMax: 2_048,
} as const;
