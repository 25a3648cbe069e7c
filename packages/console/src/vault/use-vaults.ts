/** The vaults of this browser, for pages. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { openedVaultOf, ownVaultHere, watchVaults } from './open-vaults.ts';
import { listVaults, type VaultFacts } from './vault-list.ts';
import type { OpenedVault } from './vaults.ts';

/** Undefined until they are read; with why, where they cannot be: browsers may keep nothing. */
export function useVaultList() {
  const { data, error, refetch } = useQuery({ queryKey: ['console', 'vaults'], queryFn: listVaults });
  useEffect(() => watchVaults(() => void refetch()), [refetch]);
  return { vaults: data, error, again: () => void refetch() };
}

export const useVaults = (): readonly VaultFacts[] | undefined => useVaultList().vaults;

/** The open vault of a DID; undefined while it is locked. */
export const useOpenedVault = (did: string | undefined): OpenedVault | undefined =>
  useSyncExternalStore(watchVaults, () => (did === undefined ? undefined : openedVaultOf(did)));

/** The own wallet that is open in this tab. */
export const useOwnVault = (): OpenedVault | undefined => useSyncExternalStore(watchVaults, ownVaultHere);
