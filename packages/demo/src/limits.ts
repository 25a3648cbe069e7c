/** The demo's accounts, and how it waits for its own transactions. */
export const demoLimits = {
  personFunds: 1_000_000_000_000n,
  registrarFunds: 10_000_000_000_000n,
  /** What the account of the token's contract is made with. */
  contractFunds: 10_000_000n,
  /** What one asking of the faucet pays. */
  faucetAmount: 100_000_000n,
  pollIntervalMs: 20,
  readyWaitMs: 60_000,
  readyPollMs: 200,
} as const;
