/** Which language the reader has, and its words for every part that asks. */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { Language } from '../text/language.ts';
import { type ConsoleWords, loadWords } from './catalogue.ts';

interface Reading {
  readonly language: Language;
  readonly words: ConsoleWords;
  readonly choose: (language: Language) => void;
}

const ReadingContext = createContext<Reading | undefined>(undefined);

/** Where the choice is kept; it is no secret. */
const choiceName = 'symbolon-language';

/** The reader's own choice, if there is one. */
export const chosenLanguage = (): string | undefined => localStorage.getItem(choiceName) ?? undefined;

export function WordsProvider({
  first,
  children,
}: {
  readonly first: { readonly language: Language; readonly words: ConsoleWords };
  readonly children: ReactNode;
}) {
  const [reading, setReading] = useState(first);
  useEffect(() => {
    document.documentElement.lang = reading.language;
  }, [reading.language]);
  const value = useMemo(
    () => ({
      ...reading,
      choose: (language: Language) => {
        localStorage.setItem(choiceName, language);
        void loadWords(language).then((words) => setReading({ language, words }));
      },
    }),
    [reading],
  );
  return <ReadingContext value={value}>{children}</ReadingContext>;
}

/** ConsoleWords and language of the reader. */
export function useWords(): Reading {
  const reading = use(ReadingContext);
  if (!reading) throw new Error('WordsProvider is missing');
  return reading;
}
