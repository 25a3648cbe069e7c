/** What an issuer acts with: the service that drafts, the ledger that is believed, and the issuer's own signature. */
import type { Signer } from '@symbolon/sdk/keys/signer';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useClients } from '../../api/api.tsx';
import { askConfig } from '../../api/console-config.ts';
import { useSigner } from '../../signing/signing.tsx';

export interface SigningDesk {
  readonly client: CredentialClient;
  readonly ledger: LedgerClient;
  readonly signer: Signer;
}

/** Asks for the issuer's key where it is not known yet; rejects with `NotSigned` where nobody says it. */
export function useIssuerDesk(): () => Promise<SigningDesk> {
  const { service, ledger } = useClients();
  const signerOf = useSigner();
  const queries = useQueryClient();
  return useCallback(async () => {
    const { publicUrl } = await askConfig(queries, service);
    return { client: { ...service, audience: publicUrl }, ledger, signer: await signerOf() };
  }, [ledger, queries, service, signerOf]);
}
