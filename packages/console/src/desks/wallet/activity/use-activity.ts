/** Everything that this wallet did, as far as it was read; read again when another tab did something. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWallet } from '../frame/wallet-context.ts';
import { readActivity } from './activity-log.ts';
import { watchActivity } from './activity-news.ts';

export function useActivity() {
  const { vault, did } = useWallet();
  const query = useQuery({ queryKey: ['wallet', did, 'activity'], queryFn: () => readActivity(vault) });
  const { refetch } = query;
  useEffect(() => watchActivity(() => void refetch()), [refetch]);
  return query;
}
