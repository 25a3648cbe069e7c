/**
 * Bounds of the wallet that an agent holds (`docs/mcp.md`): what it keeps, how much it does in a day, and how much of
 * what others say reaches the agent. Everybody takes them from `limits.ts`, of which they are a part.
 */
export const walletLimits = {
  credentialsMax: 1_000,
  /** Payments that are signed on one day, whatever they are worth. */
  paymentsPerDayMax: 1_000,
  paymentsKeptDays: 30,
  /** Payments that may wait for the one before. */
  paymentsWaitingMax: 16,
  /** Different bounds of one attribute that are answered on one day: who asks often enough finds the value by halving. */
  rangesPerAttributeMax: 5,
  /** Attributes that the owner lets be revealed, hosts that may be called, tokens that may be spent. */
  policyEntriesMax: 100,
  linkCharsMax: 2_048,
  requestBodyCharsMax: 65_536,
  /** Of an answer of somebody else: what is read, and what of it the agent is shown. */
  answerBytesMax: 1_048_576,
  answerCharsShown: 16_384,
  /** Of one text by somebody else inside of an answer. */
  quotedCharsMax: 300,
  answerTimeoutMs: 60_000,
  templatesShownMax: 50,
} as const;
