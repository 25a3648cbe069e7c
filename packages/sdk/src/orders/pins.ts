/**
 * What a client knows of a network from elsewhere than from the server that it talks to. A server that says otherwise is
 * not believed; what is not pinned is the server's word.
 */
export interface Pins {
  /** Of the ledger. */
  readonly chainId?: bigint;
  /** Addresses of validators: what one of them has signed is believed. */
  readonly validators?: readonly string[];
  /** Addresses of the registries' contracts. */
  readonly templateRegistry?: string;
  readonly credentialRegistry?: string;
  /** The most that a transaction may cost, and the most for a unit of its work. */
  readonly feeLimitMax?: bigint;
  readonly gasPriceMax?: bigint;
}
