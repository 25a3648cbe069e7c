/**
 * Which language the reader has, and its words for every part that asks. Words of a desk come before its first page is
 * drawn, and stay.
 */
import { useSyncExternalStore } from 'react';
import { type Language, languages } from '../text/language.ts';
import { type FrameWords, loadWords } from './catalogue.ts';
import type { DeskSections, DeskWords, WordyDesk } from './desk-words.ts';

interface Reading<Words> {
  readonly language: Language;
  readonly words: Words;
}

export type DeskReading<Desk extends WordyDesk> = Reading<DeskWords<Desk>>;

/** Where the choice is kept; it is no secret. */
const choiceName = 'symbolon-language';

/** The reader's own choice, if there is one. */
export const chosenLanguage = (): string | undefined => localStorage.getItem(choiceName) ?? undefined;

type Read = Reading<FrameWords & Partial<DeskSections>>;

let reading: Read | undefined;
/** Desks that somebody has opened; their words are read in every language that is chosen. */
const desks = new Set<WordyDesk>();
const readers = new Set<() => void>();
/** One after the other, so that what was wanted last is what is read in the end. */
let under: Promise<void> = Promise.resolve();

function readAnew(languageOf: () => Language): Promise<void> {
  const next = async (): Promise<void> => {
    const language = languageOf();
    reading = { language, words: await loadWords(language, desks) };
    document.documentElement.lang = language;
    for (const reader of readers) reader();
  };
  // What could not be loaded is said by whoever wanted it; the next one tries again.
  under = under.then(next, next);
  return under;
}

/** Reads this language from now on. */
export const readLanguage = (language: Language): Promise<void> => readAnew(() => language);

export function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(choiceName, language);
  return readLanguage(language);
}

/** Follows the choice that is made in another tab, as looks do. */
export function followLanguage(): void {
  addEventListener('storage', ({ key, newValue }) => {
    const chosen = languages.find((language) => language === newValue);
    if (key === choiceName && chosen) void readLanguage(chosen).catch(() => undefined);
  });
}

/** Resolves when the words of a desk are there. */
export async function readDesk(desk: WordyDesk): Promise<void> {
  if (desks.has(desk)) return under;
  desks.add(desk);
  await readAnew(() => current().language).catch((error: unknown) => {
    desks.delete(desk);
    throw error;
  });
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

function current(): Read {
  if (!reading) throw new Error('no language is read yet');
  return reading;
}

/** What the frame, its parts and the first page read. */
export const useWords = (): Reading<FrameWords> => useSyncExternalStore(subscribe, current);

/** What pages of one desk read. The router has seen to it that the words of their desk are there, and of no other. */
export function useDeskWords<Desk extends WordyDesk>(desk: Desk): DeskReading<Desk> {
  const read = useSyncExternalStore(subscribe, current);
  if (!desks.has(desk)) throw new Error(`words of ${desk} are not read here`);
  return read as DeskReading<Desk>;
}
