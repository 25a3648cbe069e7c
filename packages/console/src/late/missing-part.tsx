/** Stands where a part of the console should, and could not be loaded. */
import { failureWords } from '../api/failure.ts';
import { ErrorState } from '../parts/states/error-state.tsx';
import { useWords } from '../words/words.ts';

export interface MissingPartProps {
  readonly error: unknown;
  readonly onAgain: () => void;
}

export function MissingPart({ error, onAgain }: MissingPartProps) {
  const { words } = useWords();
  return <ErrorState failure={failureWords(error, words)} onAgain={onAgain} />;
}
