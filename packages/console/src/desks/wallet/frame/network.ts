/**
 * Which ledger the wallet believes. At its first use a vault keeps what the service says of chain and registries, and holds
 * to it: a service that later speaks of another ledger is not believed. The demo begins anew at will, so its vaults go
 * by what the service says.
 */
import type { Pins } from '@symbolon/sdk/ledger/pins';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClients } from '../../../api/api.tsx';
import { configQuery } from '../../../api/console-config.ts';
import type { OpenedVault } from '../../../vault/vaults.ts';

export interface WalletNetwork {
  readonly origin: string;
  readonly pins: Pins | undefined;
  /** Whether it is still being found out which ledger it is. */
  readonly isSearching: boolean;
  readonly isDemo: boolean;
}

const record = 'network';

interface KeptNetwork {
  readonly origin: string;
  readonly chainId: string;
  readonly templateRegistry: string;
  readonly credentialRegistry: string;
}

export function readKeptNetwork(value: JsonValue | undefined): KeptNetwork | undefined {
  if (!isJsonObject(value)) return undefined;
  const { origin, chainId, templateRegistry, credentialRegistry } = value;
  const texts = [origin, chainId, templateRegistry, credentialRegistry];
  if (!texts.every((text) => typeof text === 'string') || !/^\d{1,20}$/.test(chainId as string))
    return undefined;
  return value as unknown as KeptNetwork;
}

export function useNetwork(vault: OpenedVault): WalletNetwork {
  const { service } = useClients();
  const { did, protection } = vault.facts;
  const config = useQuery(configQuery(service));
  const told = config.data && {
    origin: config.data.publicUrl,
    chainId: config.data.network.chainId,
    templateRegistry: config.data.network.templateRegistry,
    credentialRegistry: config.data.network.credentialRegistry,
  };
  const isDemo = protection === 'demo';
  const kept = useQuery({
    queryKey: ['wallet', did, record, told?.chainId],
    queryFn: async () => {
      const known = isDemo ? undefined : readKeptNetwork(await vault.read(record));
      if (known || !told) return known ?? null;
      await vault.write(record, { ...told });
      return told;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const network = kept.data;
  const isSearching = config.isPending || kept.isPending;
  return useMemo(
    () => ({
      isDemo,
      isSearching,
      origin: network?.origin ?? location.origin,
      pins: network
        ? {
            chainId: BigInt(network.chainId),
            templateRegistry: network.templateRegistry,
            credentialRegistry: network.credentialRegistry,
          }
        : undefined,
    }),
    [isDemo, isSearching, network],
  );
}
