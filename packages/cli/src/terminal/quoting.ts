/**
 * Values inside of code that this program prints for people to run: commands for a shell, programs in TypeScript. A
 * value is a value there, whoever wrote it: nothing of it is executed, and it arrives as it is.
 */
import { escapeUnsafe } from '@symbolon/core/basics/plain-text';

const bareWord = /^[\w@%+:,./][\w@%+=:,./-]*$/;

/** What the terminal would show as an escape is one for the shell, too; every shell but the plainest reads this form. */
const byteEscapes = (text: string): string =>
  [...Buffer.from(text, 'utf8')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

/** One word of a command. */
export function shellWord(text: string): string {
  if (bareWord.test(text)) return text;
  if (escapeUnsafe(text) === text) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = Array.from(text.toWellFormed(), (character) =>
    /['\\]/.test(character) || escapeUnsafe(character) !== character ? byteEscapes(character) : character,
  );
  return `$'${escaped.join('')}'`;
}

/** A text in TypeScript, quotes included. */
export const typeScriptText = (text: string): string => escapeUnsafe(JSON.stringify(text));
