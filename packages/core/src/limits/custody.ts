/** Bounds of custody that the rules and the wire share: passwords, and what is signed with them. */
export const custodyLimits = {
  passwordCharsMin: 8,
  passwordCharsMax: 128,
  noteCharsMax: 256,
  /** Texts to sign; documents come as blobs, which may be as long as a transaction. */
  messageCharsMax: 65_536,
  blobBytesMax: 1_048_575,
  /** So many wrong passwords in a row, and the account is locked: this long at first, twice as long with each more. */
  freeFailures: 5,
  lockMs: 30_000,
  lockMsMax: 24 * 3_600_000,
  /** Assets that a policy names. */
  assetCapsMax: 32,
} as const;
