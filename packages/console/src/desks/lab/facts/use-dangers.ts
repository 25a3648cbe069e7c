/** What a draft would take away from whoever signs it, by accounts and holdings as the ledger shows them now. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { actingAccounts } from '@symbolon/sdk/transactions/required-weights';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { shortAccount } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { dangerText } from '../draft/danger-text.ts';
import { dangersOf } from '../draft/dangers.ts';
import { takenHoldings } from '../draft/holdings.ts';
import { useAccounts } from './use-accounts.ts';
import { useBalances } from './use-balances.ts';

/** Each as one sentence; undefined until that is known by which they are told. */
export function useDangers(transaction: Transaction | undefined): readonly string[] | undefined {
  const { words, language } = useDeskWords('lab');
  const { party, registries, token } = useKnownNames();
  const { accounts, isComplete } = useAccounts(transaction ? actingAccounts(transaction) : []);
  const balances = useBalances(transaction ? takenHoldings(transaction) : []);
  if (!transaction || !isComplete || !balances) return undefined;
  const { dangers } = words.lab;
  const nameOf = (address: string): string => party(address)?.name ?? shortAccount(address);
  return dangersOf(transaction, accounts, registries, balances).map((danger) =>
    dangerText(danger, { dangers, language, nameOf, token }),
  );
}
