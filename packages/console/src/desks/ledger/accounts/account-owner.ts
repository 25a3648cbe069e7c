/** Whose account it is: the DID of the key that signs for it, found in what it has signed, and what that DID is called here. */
import { ownerOfPublicKey } from '@symbolon/sdk/keys/key-owners';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';

const looked = 20;

export function useAccountOwner(address: string) {
  const { ledger, service } = useClients();
  return useQuery({
    queryKey: ['ledger', 'owner', address],
    staleTime: 60_000,
    queryFn: async () => {
      const { result } = await ledger.getAccountTransactions({ address, limit: looked });
      const signed = result?.transactions.find(({ roles }) => roles.includes('source'));
      if (!signed) return null;
      const history = await ledger.getTransactionHistory({ hash: signed.hash });
      const keys = history.result?.transactions[0]?.signatures ?? [];
      const owner = keys
        .map(({ public_key: key }) => ownerOfPublicKey(key))
        .find((one) => one?.address === address);
      if (!owner) return null;
      const { profiles } = await service.listProfiles({ dids: owner.did });
      return { did: owner.did, profile: profiles[0] };
    },
  });
}
