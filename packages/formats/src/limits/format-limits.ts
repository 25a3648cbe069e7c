/** Bounds of what is read in the formats of the field, checked before any rule looks at it. */

/** Of signed JSON (JWS) and the keys beside it. */
export const joseLimits = {
  /** Of one token without disclosures: an image of 256 KiB may stand in it. */
  tokenCharsMax: 1_048_576,
  headerCharsMax: 16_384,
  depthMax: 16,
  /** Members and elements of one JSON text, all together. */
  membersMax: 10_000,
  certificatesMax: 5,
  certificateCharsMax: 8_192,
  keysMax: 32,
  keyIdCharsMax: 1_024,
} as const;

/** Of an SD-JWT and what is shown of it. */
export const sdJwtLimits = {
  textCharsMax: 4 * 1_048_576,
  disclosuresMax: 256,
  digestsMax: 1_024,
  saltBytes: 16,
  /** How far the clock of a wallet may be from the verifier's, either way. */
  presentedWithinSeconds: 300,
  /** How far the clocks of issuer and verifier may differ. */
  clockSkewSeconds: 60,
  batchMax: 100,
  transactionDataMax: 16,
  transactionDataCharsMax: 65_536,
  pathStepsMax: 16,
} as const;

/** Of type metadata (`vct`) and of what issuers publish about their keys. */
export const publishedLimits = {
  typeMetadataCharsMax: 262_144,
  /** Types that one type is built upon, one upon the other. */
  extendsMax: 4,
  issuerMetadataCharsMax: 65_536,
} as const;

/** Of status lists. */
export const statusListLimits = {
  /** Slots of one list of ours: the smallest that hides a holder among enough others. */
  slots: 131_072,
  bits: 2,
  /** What a packed list of others may come to: 2^22 entries of 2 bits. */
  listBytesMax: 1_048_576,
  tokenCharsMax: 2 * 1_048_576,
  /** Every list of the Bitstring kind has so many entries, or it shows too much of whom it is about. */
  bitstringEntriesMin: 131_072,
  /** How long a list is good, and how long a verifier may keep it. */
  lifetimeSeconds: 86_400,
  keepSeconds: 60,
  /** For how long a list of others is kept at most, whatever it says of itself. */
  keepSecondsMax: 86_400,
  keptListsMax: 64,
  uriCharsMax: 2_048,
} as const;
