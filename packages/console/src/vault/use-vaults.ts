/** The vaults of this browser, for pages. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { openedVaultOf, ownVaultHere, watchVaults } from './open-vaults.ts';
import { listVaults, type VaultFacts } from './vault-list.ts';
import type { OpenedVault } from './vaults.ts';

/** Undefined until they are read; none where the browser keeps nothing. */
export function useVaults(): readonly VaultFacts[] | undefined {
  const { data, refetch } = useQuery({ queryKey: ['console', 'vaults'], queryFn: listVaults });
  useEffect(() => watchVaults(() => void refetch()), [refetch]);
  return data;
}

/** The open vault of a DID; undefined while it is locked. */
export const useOpenedVault = (did: string | undefined): OpenedVault | undefined =>
  useSyncExternalStore(watchVaults, () => (did === undefined ? undefined : openedVaultOf(did)));

/** The own wallet that is open in this tab. */
export const useOwnVault = (): OpenedVault | undefined => useSyncExternalStore(watchVaults, ownVaultHere);
