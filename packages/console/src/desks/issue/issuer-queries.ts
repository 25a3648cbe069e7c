/** What the issuer's pages ask the service for, under one beginning of their keys, so that one act renews them all. */
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useClients } from '../../api/api.tsx';

export const issuerKey = 'issuer';

export type ListedApplication = CredentialReply<'listApplications'>['applications'][number];
export type ListedCredential = CredentialReply<'listIssued'>['issued'][number];

/** Reads again what was shown, because something was done. */
export function useIssuerRenewal(): () => void {
  const queries = useQueryClient();
  return useCallback(() => void queries.invalidateQueries({ queryKey: [issuerKey] }), [queries]);
}

export function useIssuerCounts() {
  const { service } = useClients();
  return useQuery({ queryKey: [issuerKey, 'counts'], queryFn: () => service.countIssuerRecords() });
}
