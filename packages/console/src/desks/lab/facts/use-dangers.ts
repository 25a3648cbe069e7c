/** What a draft would take away from whoever signs it, by the accounts as the ledger shows them now. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { actingAccounts } from '@symbolon/sdk/transactions/required-weights';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { amountText } from '../../../text/numbers.ts';
import { shortAccount } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type Danger, dangersOf } from '../draft/dangers.ts';
import { useAccounts } from './use-accounts.ts';

/** Each as one sentence; undefined until the accounts are known by which they are told. */
export function useDangers(transaction: Transaction | undefined): readonly string[] | undefined {
  const { words, language } = useDeskWords();
  const { dangers } = words.lab;
  const { party, registries } = useKnownNames();
  const { accounts, isComplete } = useAccounts(transaction ? actingAccounts(transaction) : []);
  if (!transaction || !isComplete) return undefined;
  const nameOf = (address: string): string => party(address)?.name ?? shortAccount(address);
  const coins = (amount: bigint): string => {
    const { figure, unit } = amountText(amount, language);
    return `${figure} ${unit}`;
  };
  const textOf = (danger: Danger): string => {
    const who = nameOf(danger.address);
    switch (danger.kind) {
      case 'open':
      case 'locked':
      case 'stuck':
      case 'ruled':
      case 'didEnd':
      case 'didKeys':
      case 'didChange':
        return dangers[danger.kind](who);
      case 'emptied':
        return dangers.emptied(who, coins(danger.paid), coins(danger.balance));
      case 'joined':
        return dangers.joined(who, danger.alone.map(nameOf).join(', '));
      case 'upgrade':
        return dangers.upgrade(who, nameOf(danger.contract));
      case 'registry':
        return dangers.registry[danger.act ?? 'other'](who);
      case 'likeRegistry':
        return dangers.likeRegistry(who, danger.act, nameOf(danger.contract));
      default:
        return `${dangers[danger.kind](who)} ${aloneText(danger.alone.map(nameOf))}`;
    }
  };
  const aloneText = (alone: readonly string[]): string => {
    const [first, ...others] = alone;
    if (first === undefined) return dangers.together;
    return others.length === 0 ? dangers.alone(first) : dangers.eachAlone(alone.join(', '));
  };
  return dangersOf(transaction, accounts, registries).map(textOf);
}
