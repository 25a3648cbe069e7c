/** Asks a contract whether it is a token, and what it calls itself. One call, and only of a page that shows the contract. */
import { LedgerError } from '@symbolon/sdk/errors/errors';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { readTokenName, type TokenName } from './token-name.ts';

/** The number of `query` in `callContract`. */
const queryEntry = 2;

export function useTokenName(address: string, isContract: boolean): TokenName | undefined {
  const { ledger } = useClients();
  const { data } = useQuery({
    queryKey: ['ledger', 'token-name', address],
    queryFn: async () => {
      try {
        const asked = { contract_address: address, opt_type: queryEntry, input: '{"method":"contractInfo"}' };
        return readTokenName(await ledger.callContract(asked));
      } catch (error) {
        // A contract that throws is no token. Whoever does not answer has not said so.
        if (error instanceof LedgerError) return null;
        throw error;
      }
    },
    enabled: isContract,
  });
  return data ?? undefined;
}
