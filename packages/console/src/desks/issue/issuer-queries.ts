/** Rows that the issuer's pages read, and reading again whatever they have read. */
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { issuerKey } from '../../api/issuer-counts.ts';

export type ListedApplication = CredentialReply<'listApplications'>['applications'][number];
export type ListedCredential = CredentialReply<'listIssued'>['issued'][number];

/** Reads again what was shown, because something was done. */
export function useIssuerRenewal(): () => void {
  const queries = useQueryClient();
  return useCallback(() => void queries.invalidateQueries({ queryKey: [issuerKey] }), [queries]);
}
