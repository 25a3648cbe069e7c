/** Bounds of what a light client takes from a node, and of the work that one question may cause. */
export const lightLimits = {
  /** A network has no more (docs/ledger.md), so a longer list is made up. */
  validatorsMax: 100,
  /** CometBFT allows no longer name of a chain. */
  chainIdCharsMax: 50,
  /** The sum that CometBFT allows: no power of votes overflows where it counts with 64 bits. */
  totalPowerMax: (2n ** 63n - 1n) / 8n,
  roundMax: 2 ** 31 - 1,
  partsMax: 2 ** 32 - 1,
  /** How far the clock of a proposer may be ahead of the verifier's, unless the verifier says otherwise. */
  clockDriftMs: 10_000,
  /** Light blocks that one question asks a node for: a jump of 10^12 blocks is halved forty times. */
  lightBlocksMax: 100,
  /** Light blocks that a proof brings along, and that a light client keeps to prove to others. */
  chainBlocksMax: 100,
  /** State proofs that facts bring along: four at most for each credential. */
  statesMax: 4_000,
} as const;
