/** What an account cannot pay, as a sentence. */
import { useKnownNames } from '../../../ledger/known-names.ts';
import { coinsText } from '../../../text/numbers.ts';
import { shortAccount } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { Shortfall } from '../draft/shortfall.ts';

export function useShortfallText(shortfall: Shortfall | undefined): string | undefined {
  const { words, language } = useDeskWords('lab');
  const { party } = useKnownNames();
  if (!shortfall) return undefined;
  const { address, needed, balance, lost } = shortfall;
  const { unpaid } = words.lab;
  const [need, has] = [needed, balance].map((amount) => coinsText(amount, language)) as [string, string];
  const who = party(address)?.name ?? shortAccount(address);
  return `${unpaid.lacks(who, need, has)} ${lost > 0n ? unpaid.fails(coinsText(lost, language)) : unpaid.refused}`;
}
