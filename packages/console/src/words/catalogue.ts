/**
 * What a catalogue of words is. English is written down; every other language must have the same keys with the same
 * parameters, so that a missing or a surplus one does not compile. A sentence with something in it is a function.
 */
import type { Language } from '../text/language.ts';
import type { en } from './en.ts';

type SameShape<Section> = {
  readonly [Key in keyof Section]: Section[Key] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : Section[Key] extends string
      ? string
      : SameShape<Section[Key]>;
};

export type ConsoleWords = SameShape<typeof en>;

/** The same section in another language. */
export type SectionWords<Name extends keyof typeof en> = SameShape<(typeof en)[Name]>;

const catalogues: Readonly<Record<Language, () => Promise<ConsoleWords>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
};

/** A language is loaded when somebody reads it. */
export const loadWords = (language: Language): Promise<ConsoleWords> => catalogues[language]();
