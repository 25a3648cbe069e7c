/** Bounds of issuing from a table in a browser tab. Whoever has more uses the command line, which reads as it goes. */
export const tableLimits = {
  fileBytesMax: 16 * 1024 * 1024,
  rowsMax: 5_000,
  columnsMax: 256,
  /** Rows that are shown as they were understood. */
  understoodRowsMax: 5,
  /** Problems that are shown; all of them are counted, and are in the CSV. */
  problemsShownMax: 100,
  outcomesShownMax: 200,
  /** Rows under way at the same time. */
  concurrency: 3,
  /** How often a busy or silent service is asked again, and how long one waits between. */
  attemptsMax: 6,
  pauseMs: 800,
  pauseMsMax: 10_000,
  /** How long a credential that is being recorded is waited for. */
  settleMs: 30_000,
  settlePollMs: 700,
  /** What is remembered of issued rows, in days. */
  rememberedDays: 90,
} as const;
