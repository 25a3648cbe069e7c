/** Payments whose outcome is not known, asked about again and again until it is. */
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useConnection } from '../../../api/api.tsx';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useWallet } from '../frame/wallet-context.ts';
import { type OpenPurchase, openPurchases, type PurchaseOutcome, settlePurchase } from './purchases.ts';

const askAgainMs = 5_000;

export function useOpenPurchases(): readonly OpenPurchase[] {
  const wallet = useWallet();
  const { data = [] } = useQuery({
    queryKey: ['wallet', wallet.did, 'purchases'],
    queryFn: () => openPurchases(wallet),
  });
  return data;
}

type KnownOutcome = Exclude<PurchaseOutcome, { kind: 'unknown' }>;

const isKnown = (outcome: PurchaseOutcome | undefined): outcome is KnownOutcome =>
  outcome !== undefined && outcome.kind !== 'unknown';

/** What became of each, in the same order; undefined until somebody has answered. */
export function useSettling(purchases: readonly OpenPurchase[]): readonly (PurchaseOutcome | undefined)[] {
  const wallet = useWallet();
  const queries = useQueryClient();
  const toast = useToast();
  const { words } = useDeskWords('wallet');
  const { state } = useConnection();
  const settle = async (purchase: OpenPurchase): Promise<PurchaseOutcome> => {
    const before = queries.getQueryData<PurchaseOutcome>(keyOf(wallet.did, purchase));
    if (isKnown(before)) return before;
    const outcome = await settlePurchase(wallet, purchase);
    if (!isKnown(outcome)) return outcome;
    const { kind } = outcome;
    toast({ tone: kind === 'issued' ? 'ok' : 'bad', text: words.wallet.purchase.told[kind] });
    for (const part of ['purchases', 'cards', 'activity'])
      await queries.invalidateQueries({ queryKey: ['wallet', wallet.did, part] });
    return outcome;
  };
  return useQueries({
    queries: purchases.map((purchase) => ({
      queryKey: keyOf(wallet.did, purchase),
      queryFn: () => settle(purchase),
      enabled: wallet.pins !== undefined && state !== 'lost',
      refetchInterval: ({ state: { data } }: { state: { data: PurchaseOutcome | undefined } }) =>
        isKnown(data) ? false : askAgainMs,
    })),
    combine: (results) => results.map(({ data }) => data),
  });
}

const keyOf = (did: string, { paymentId }: OpenPurchase) => ['wallet', did, 'settling', paymentId] as const;
