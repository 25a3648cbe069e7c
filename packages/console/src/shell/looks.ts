/** How the console can look, and words by which a look is found whatever language is read. */
export const looks = ['auto', 'light', 'dark'] as const;
export type Look = (typeof looks)[number];

export const lookWords: Readonly<Record<Look, string>> = {
  auto: 'theme design system',
  light: 'theme design light hell day tag',
  dark: 'theme design dark dunkel night nacht',
};
