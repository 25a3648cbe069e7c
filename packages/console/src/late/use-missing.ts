/** What lies over a page and cannot be loaded is said in passing: the page stays as it is. */
import { failureWords } from '../api/failure.ts';
import { useToast } from '../parts/hooks/use-toast.ts';
import { useWords } from '../words/words.ts';

export function useMissing(onClose: () => void): (error: unknown) => void {
  const { words } = useWords();
  const toast = useToast();
  return (error) => {
    toast({ tone: 'bad', text: words.parts.notLoaded(failureWords(error, words).title) });
    onClose();
  };
}
