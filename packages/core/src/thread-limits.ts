/** Bounds of threads that execution relies on: none is a rule of the chain, all keep its rules the same everywhere. */

/** The thread that checks contract code. */
export const syntaxThreadLimits = {
  stackMb: 8,
  /** The parser takes a tenth of it at most: the tests measure. */
  stackBytesMin: 7 * 1024 * 1024,
  heapMb: 512,
  /** Reading the largest code takes a second or two; a machine may be busy with others. */
  answerMsMax: 60_000,
} as const;
