/** What the ledger takes for work, and what must stay in an account, as it says of its newest block. */
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../api/api.tsx';

const freshMs = 60_000;

export function useFees() {
  const { ledger } = useClients();
  return useQuery({
    queryKey: ['ledger', 'fees'],
    queryFn: async () => (await ledger.getLedger({ with_fee: true })).result?.fees ?? {},
    staleTime: freshMs,
  });
}
