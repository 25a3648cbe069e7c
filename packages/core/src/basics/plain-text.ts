/**
 * Texts of others as data: which characters a terminal, a page or a reader would obey instead of show, and how they are
 * shown. Escapes are JSON's, so that a JSON text stays the same value.
 */

/**
 * Controls (with every escape sequence's beginning), directions, joiners and other invisible characters, line
 * separators, private and half characters, and those that no version of Unicode has given a meaning.
 */
export const unsafeCharacter: RegExp = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const unsafe: RegExp = /* @__PURE__ */ new RegExp(`${unsafeCharacter.source}+`, 'gu');

/** The same text with each run of such characters as `replacement` says. */
export const withoutUnsafe = (text: string, replacement: (characters: string) => string): string =>
  text.replace(unsafe, replacement);

/** Whether a reader sees nothing: spaces, and characters that are not shown. */
export const isBlank = (text: string): boolean => /^[\s\u2800\p{Default_Ignorable_Code_Point}]*$/u.test(text);

const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The same text on one line, with each such character as `\uXXXX`. */
export const escapeUnsafe = (text: string): string =>
  withoutUnsafe(text, (characters) => characters.split('').map(escapeOf).join(''));

/** No more than so many characters of it; what was cut is said with the whole length. */
export function bounded(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(charsMax - 1)) ? charsMax - 1 : charsMax;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
