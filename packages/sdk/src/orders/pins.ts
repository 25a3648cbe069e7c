/**
 * What a client knows of a network from elsewhere than from the server that it talks to. A server that says otherwise is
 * not believed; what is not pinned is the server's word.
 */
import type { NetworkProfile } from '@symbolon/core/profile';

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

/** What an order may say about the network that it is for. */
export interface NetworkTerms {
  readonly pins?: Pins;
  /** The default profile if left out. */
  readonly profile?: NetworkProfile;
}
