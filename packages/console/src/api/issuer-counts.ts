/** How many applications and credentials of whoever issues here stand where. Counts name nobody. */
import { useQuery } from '@tanstack/react-query';
import { useChair, useClients } from './api.tsx';

/** The beginning of the keys of all that an issuer has read, so that one act renews it all. */
export const issuerKey = 'issuer';

export const issuerCountsKey = [issuerKey, 'counts'] as const;

export function useIssuerCounts() {
  const { service } = useClients();
  const { signedIn } = useChair();
  return useQuery({
    queryKey: issuerCountsKey,
    queryFn: () => service.countIssuerRecords(),
    enabled: signedIn?.scopes.includes('issue') === true,
  });
}
