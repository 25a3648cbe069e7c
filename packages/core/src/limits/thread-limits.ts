/** Bounds of threads that execution relies on: none is a rule of the chain, all keep its rules the same everywhere. */

/** The thread that executes blocks, verifies them and runs the sandbox. */
export const executionHostLimits = {
  /** Of the pinned Node: code of the same V8 takes the same frames. */
  v8Release: '13.6',
  /** Four contracts at their deepest and the host's own calls between them take less, whatever compiled them: the tests measure. */
  stackBytesMin: 960_000,
} as const;

/** The thread that checks contract code. */
export const syntaxThreadLimits = {
  stackMb: 8,
  /** The parser takes a tenth of it at most: the tests measure. */
  stackBytesMin: 7 * 1024 * 1024,
  heapMb: 512,
  /** Reading the largest code takes a second or two; a machine may be busy with others. */
  answerMsMax: 60_000,
} as const;
