/**
 * Bounds of long work at the command line: backups, and credentials from a table. Everybody takes them from `limits.ts`,
 * of which they are a part.
 */

/** Bounds of backups: what is tried again, what is read at once, what a passphrase must be. */
export const backupLimits = {
  /** A node that writes while its store is copied makes the copy start again where it was. */
  storeAttemptsMax: 200,
  storePauseMs: 20,
  manifestAttemptsMax: 5,
  /** Pages of SQLite that are copied between two looks at the rest of the program. */
  databasePages: 2_000,
  /** Rows that are fetched from PostgreSQL, or put into it, at once. */
  batchRows: 100,
  batchBytes: 8 * 1024 * 1024,
  /** One row as a line: a few sealed columns in base64. */
  lineBytesMax: 64 * 1024 * 1024,
  statementMs: 3_600_000,
  manifestBytesMax: 64 * 1024 * 1024,
  filesMax: 500_000,
  /** Settings, or the beginning of a chain: read at once. */
  settingsBytesMax: 1024 * 1024,
  /** More than a node or a service can be told. */
  settingsMax: 200,
  secretsBytesMax: 4 * 1024 * 1024,
  secretFileBytesMax: 1024 * 1024,
  passphraseCharsMin: 12,
  passphraseCharsMax: 1_024,
  /** Problems that are told of one backup. */
  problemsMax: 20,
} as const;

/** Bounds of issuing many credentials from a table. */
export const bulkLimits = {
  /** What is remembered of a row while its file is worked through takes some fifty bytes. */
  rowsMax: 1_000_000,
  /** A row with several images in it. */
  recordCharsMax: 4 * 1024 * 1024,
  columnsMax: 256,
  mapFileBytesMax: 64 * 1024,
  /** Rows being issued at the same time. */
  concurrencyDefault: 8,
  concurrencyMax: 64,
  /** Problems that are repeated in one answer; the others stand in the file of failed rows. */
  problemsListedMax: 1_000,
  /** Applications that wait for one template and are looked up by their holder. */
  waitingApplicationsMax: 100_000,
  journalLineCharsMax: 1_024,
  /** How often a call is tried when nobody answers, and the pauses between. */
  attemptsMax: 6,
  pauseMs: 500,
  pauseMsMax: 8_000,
  /** How long one call may be put off by a service that is busy or counts its callers. */
  patienceMs: 10 * 60_000,
  /** How long a credential that is being recorded is waited for. */
  settleMs: 60_000,
  settlePollMs: 500,
  validDaysDefault: 365,
} as const;
