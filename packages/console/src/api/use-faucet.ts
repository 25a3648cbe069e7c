/** Coins of a demo for an account, from wherever they are asked for; what came of it is said in a toast. */
import { useToast } from '../parts/hooks/use-toast.ts';
import { amountText } from '../text/numbers.ts';
import { useWords } from '../words/words.ts';
import { useClients } from './api.tsx';
import { failureWords } from './failure.ts';

/** `name`: what the account is called. */
export function useFaucet(): (address: string, name: string) => Promise<void> {
  const { service } = useClients();
  const { words, language } = useWords();
  const toast = useToast();
  return async (address, name) => {
    try {
      const { amount } = await service.askFaucet({ address });
      const { figure, unit } = amountText(BigInt(amount), language);
      toast({ tone: 'ok', text: words.shell.palette.gasGiven(`${figure} ${unit}`, name) });
    } catch (error) {
      const { title, text } = failureWords(error, words);
      toast({ tone: 'bad', text: `${title}. ${text}` });
    }
  };
}
