/** The languages of the console, and which one a reader gets before choosing. */

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** How each calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** Words by which each is found, whatever language is read. */
export const languageWords: Readonly<Record<Language, string>> = {
  en: 'language sprache english englisch',
  de: 'language sprache german deutsch',
};

/** The first of the reader's preferences that there is. */
export const preferredLanguage = (wanted: readonly string[]): Language =>
  wanted
    .map((tag) => tag.toLowerCase().split('-')[0])
    .find((tag): tag is Language => languages.some((language) => language === tag)) ?? 'en';
