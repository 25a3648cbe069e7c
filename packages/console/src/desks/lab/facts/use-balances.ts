/** What accounts have of the assets and tokens that a draft hands over, as the ledger and the tokens' contracts say now. */
import { LedgerError, unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { isJsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { useQueries } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import type { Balances } from '../draft/dangers.ts';
import { type Holding, keyOfHolding, type TakenHolding } from '../draft/holdings.ts';

const freshMs = 3_000;
const holdingsMax = 20;
const queryEntry = 2;

/** Null where nobody can say: what was called is no token. */
async function balanceOf(ledger: LedgerClient, address: string, holding: Holding): Promise<bigint | null> {
  if (holding.kind === 'token') return tokenBalance(ledger, address, holding.contract);
  const { code, issuer } = holding;
  const assets = (await unlessNotFound(ledger.getAccountAssets({ address })))?.result ?? [];
  const held = (Array.isArray(assets) ? assets : []).find(
    ({ key }) => key?.code === code && key.issuer === issuer,
  );
  return BigInt(held?.amount ?? 0);
}

async function tokenBalance(ledger: LedgerClient, address: string, contract: string): Promise<bigint | null> {
  const input = JSON.stringify({ method: 'balanceOf', params: { address } });
  try {
    const { result } = await ledger.callContract({ contract_address: contract, opt_type: queryEntry, input });
    const value = result?.query_rets?.[0]?.result?.value;
    const answer = typeof value === 'string' ? parseJsonOrNothing(value) : undefined;
    const balance = isJsonObject(answer) ? String(answer.balance) : '';
    return /^\d{1,40}$/.test(balance) ? BigInt(balance) : null;
  } catch (error) {
    // No contract, or one that throws. Whoever does not answer has said nothing.
    if (error instanceof LedgerError) return null;
    throw error;
  }
}

/** Undefined until all of them were answered. */
export function useBalances(taken: readonly TakenHolding[]): Balances | undefined {
  const { ledger } = useClients();
  const asked = taken.slice(0, holdingsMax);
  return useQueries({
    queries: asked.map(({ address, holding }) => ({
      queryKey: ['ledger', 'balance', keyOfHolding(address, holding)],
      queryFn: () => balanceOf(ledger, address, holding),
      staleTime: freshMs,
    })),
    combine: (answers) =>
      answers.every(({ data }) => data !== undefined)
        ? new Map(
            answers.flatMap(({ data }, at) => {
              const { address, holding } = asked[at] as TakenHolding;
              return data === null || data === undefined ? [] : [[keyOfHolding(address, holding), data]];
            }),
          )
        : undefined,
  });
}
