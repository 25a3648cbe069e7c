/** What there is to read: words that every page has, and those of desks. */
import type { Language } from '../text/language.ts';
import type { SameShape } from '../text/same-shape.ts';
import { type DeskSections, sectionsOfDesks, type WordyDesk } from './desk-words.ts';
import type { en } from './en.ts';

/** English is written down; every other language has the same shape. */
export type FrameWords = SameShape<typeof en>;

/** What there is to read at all. */
export type ConsoleWords = FrameWords & DeskSections;

const frames: Readonly<Record<Language, () => Promise<FrameWords>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
};

/** Words of the frame and of these desks. A language is loaded when somebody reads it. */
export async function loadWords(
  language: Language,
  desks: Iterable<WordyDesk>,
): Promise<FrameWords & Partial<DeskSections>> {
  const parts = await Promise.all([
    frames[language](),
    ...[...desks].map((desk): Promise<Partial<DeskSections>> => sectionsOfDesks[desk][language]()),
  ]);
  return Object.assign({}, ...parts);
}

/** All of it. */
export const loadAllWords = async (language: Language): Promise<ConsoleWords> =>
  (await loadWords(language, Object.keys(sectionsOfDesks) as WordyDesk[])) as ConsoleWords;
