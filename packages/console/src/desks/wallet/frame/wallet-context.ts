/** The wallet that is open: whose it is, their vault, and the service and ledger that it asks. */
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { createContext, use } from 'react';
import type { OpenedVault } from '../../../vault/vaults.ts';

export interface OpenWallet {
  readonly vault: OpenedVault;
  readonly did: string;
  /** As its owner is called here; empty if nobody said. */
  readonly name: string;
  readonly isDemo: boolean;
  /** The origin under which the service is known; requests and offers of another are not answered. */
  readonly origin: string;
  readonly client: CredentialClient;
  readonly ledger: LedgerClient;
  /** Which ledger it is, as the service says; undefined while it does not answer. */
  readonly pins: Pins | undefined;
  /** Whether that is still being found out. */
  readonly isSearching: boolean;
}

export const WalletContext = createContext<OpenWallet | undefined>(undefined);

/** Inside of `WalletGate` alone. */
export function useWallet(): OpenWallet {
  const wallet = use(WalletContext);
  if (!wallet) throw new Error('WalletGate is missing');
  return wallet;
}
