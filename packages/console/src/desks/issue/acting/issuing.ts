/** What an issuer's acts need: the client that the SDK's flows take, the ledger, and what is known of the network. */
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useClients } from '../../../api/api.tsx';
import { askConfig } from '../../../api/console-config.ts';

export interface Issuing {
  readonly client: CredentialClient;
  readonly ledger: LedgerClient;
  /** As the service says them of itself: what it drafts must agree with what it told. */
  readonly pins: Pins;
}

export function useIssuing(): () => Promise<Issuing> {
  const { service, ledger } = useClients();
  const queries = useQueryClient();
  return useCallback(async () => {
    const { publicUrl, network } = await askConfig(queries, service);
    const { chainId, templateRegistry, credentialRegistry } = network;
    return {
      client: { ...service, audience: publicUrl },
      ledger,
      pins: { chainId: BigInt(chainId), templateRegistry, credentialRegistry },
    };
  }, [ledger, queries, service]);
}
