/** The one credential that a transaction is about, and what the ledger says of it now. */

import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { SentencePart } from '@symbolon/sdk/sentences/sentence-parts';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { livesWithLedger } from '../../../ledger/live-queries.ts';

/** By the sentence, which names credentials only of calls of a registry that the reader knows. */
export function onlyCredential(parts: readonly SentencePart[]): string | undefined {
  const [one, ...others] = new Set(parts.flatMap((part) => (part.kind === 'credential' ? [part.id] : [])));
  return others.length === 0 ? one : undefined;
}

/** Null where this service knows no such credential; undefined until it has answered. */
export function useCredentialOnLedger(vcId: string | undefined) {
  const { service } = useClients();
  return useQuery({
    queryKey: ['service', 'credential-on-ledger', vcId ?? ''],
    queryFn: () =>
      service.getCredentialStatus({ vcId: vcId ?? '' }).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'credentialUnknown') return null;
        throw error;
      }),
    enabled: vcId !== undefined,
    meta: livesWithLedger,
  }).data;
}

export type CredentialOnLedger = NonNullable<ReturnType<typeof useCredentialOnLedger>>;
