/** Bounds of what wallets send to get credentials (OpenID4VCI 1.0), checked before any rule looks at it. */
export const oid4vciLimits = {
  /** Of one key proof or DPoP proof, both of which carry a key and little else. */
  proofCharsMax: 8_192,
  /** How far back a proof may have been made, and how far ahead its clock may be. */
  proofAgeSecondsMax: 300,
  aheadSecondsMax: 60,
  identifierCharsMax: 256,
  /** A client's assertion of who it is lives no longer. */
  assertionSecondsMax: 300,
  /** Clients that an operator may register, and keys of one of them. */
  clientsMax: 200,
  clientKeysMax: 8,
  /** Addresses that one client may have browsers sent back to, and the length of one. */
  redirectUrisMax: 16,
  redirectUriCharsMax: 512,
  /** Credentials of one request, each with a key of its own. */
  batchMax: 20,
} as const;
