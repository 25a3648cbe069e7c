/** Accounts as the ledger shows them now: whether they exist, what they have, who may sign for them. */
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { ShownAccount } from '@symbolon/sdk/transactions/required-weights';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';

const freshMs = 3_000;
const accountsMax = 20;

const accountQuestion = (ledger: LedgerClient, address: string) => ({
  queryKey: ['ledger', 'account-base', address],
  queryFn: async () => (await unlessNotFound(ledger.getAccountBase({ address })))?.result ?? null,
  enabled: usualKeyFormat.isAddress(address),
  staleTime: freshMs,
});

/** Null where there is no such account; undefined until the ledger has answered. */
export function useAccount(address: string): ShownAccount | null | undefined {
  const { ledger } = useClients();
  return useQuery(accountQuestion(ledger, address)).data;
}

export interface ShownAccounts {
  readonly accounts: ReadonlyMap<string, ShownAccount>;
  /** Whether all of them were answered. */
  readonly isComplete: boolean;
}

export function useAccounts(addresses: readonly string[]): ShownAccounts {
  const { ledger } = useClients();
  const asked = addresses.slice(0, accountsMax);
  return useQueries({
    queries: asked.map((address) => accountQuestion(ledger, address)),
    combine: (answers) => ({
      accounts: new Map(
        answers.flatMap(({ data }, at) => (data ? [[asked[at] as string, data] as const] : [])),
      ),
      isComplete: answers.every(({ data }) => data !== undefined) && asked.length === addresses.length,
    }),
  });
}
