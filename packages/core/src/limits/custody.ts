/** Bounds of custody: passwords, what is signed with them, and what strangers can make the service do. */
export const custodyLimits = {
  passwordCharsMin: 8,
  passwordCharsMax: 128,
  noteCharsMax: 256,
  /** Texts to sign; documents come as blobs, which may be as long as a transaction. */
  messageCharsMax: 65_536,
  blobBytesMax: 1_048_575,
  /** Memory of one hash is 128 bytes times cost times block size: 32 MiB. */
  hashCost: 2 ** 15,
  hashBlockSize: 8,
  hashParallel: 1,
  hashSaltBytes: 16,
  hashBytes: 32,
  /** Hashes under way: each holds one of the four threads that also read files, and its memory. */
  hashesMax: 2,
  hashesWaitingMax: 64,
  /** So many wrong passwords in a row, and the account is locked: this long at first, twice as long with each more. */
  freeFailures: 5,
  lockMs: 30_000,
  lockMsMax: 24 * 3_600_000,
  /** Wrong passwords are forgotten after this, once a lock is over. */
  attemptsKeptMs: 7 * 86_400_000,
  /** Assets that a policy names. */
  assetCapsMax: 32,
  /** Days whose use is kept; only the current one counts. */
  usesKeptDays: 31,
  /** Of one caller: wrong passwords of any account, and new accounts. */
  wrongPasswordsPerMinute: 20,
  newAccountsPerMinute: 6,
  /** Accounts that the service pays for in a day, whoever makes them. */
  activationsPerDay: 1_000,
  activationAmount: 10_000_000,
  /** How long who makes an account waits to be told that the ledger has it. */
  activationWaitMs: 5_000,
} as const;
