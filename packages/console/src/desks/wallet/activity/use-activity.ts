/** Everything that this wallet did, as far as it was read. */
import { useQuery } from '@tanstack/react-query';
import { useWallet } from '../frame/wallet-context.ts';
import { readActivity } from './activity-log.ts';

export function useActivity() {
  const { vault, did } = useWallet();
  return useQuery({ queryKey: ['wallet', did, 'activity'], queryFn: () => readActivity(vault) });
}
