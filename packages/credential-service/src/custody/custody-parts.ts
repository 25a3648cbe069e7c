/** What custody has done since the start, for the metrics: numbers that only grow. */
export interface CustodyCounts {
  accounts: number;
  activations: number;
  signatures: number;
  refusals: number;
  wrongPasswords: number;
  locks: number;
}

export const newCustodyCounts = (): CustodyCounts => ({
  accounts: 0,
  activations: 0,
  signatures: 0,
  refusals: 0,
  wrongPasswords: 0,
  locks: 0,
});
