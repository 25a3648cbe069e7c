/** Bounds of what a vault of this browser holds, and of how long it stays open. */
export const vaultLimits = {
  /** Without a key, a click or a touch for so long, an open vault locks itself. */
  idleMsMax: 15 * 60_000,
  /** Counted in characters, for new passwords; nobody is refused a vault that has a shorter one. */
  passwordCharsMin: 10,
  passwordCharsMax: 1_024,
  nameCharsMax: 80,
  recordNameCharsMax: 200,
  /** Of one sealed record as JSON: a credential has some kilobytes. */
  recordBytesMax: 512 * 1_024,
  recordsMax: 5_000,
  /** Of the text of a backup. */
  backupCharsMax: 64 * 1_024 * 1_024,
} as const;
