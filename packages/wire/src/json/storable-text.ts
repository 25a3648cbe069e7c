/**
 * Texts that can be kept: a zero byte (U+0000) has no place in the text of a database, and half a character has no
 * UTF-8. A request that holds such a text anywhere, also in JSON that is a text itself, is refused before anybody works
 * on it, so that the answer is the same whichever database there is.
 */
import { isWellFormed } from '@symbolon/core/basics/jcs';

/** What is said of a text that cannot. */
export const unstorableText = 'holds a zero byte (U+0000) or half a character';

export const isStorable = (text: string): boolean => !text.includes('\0') && isWellFormed(text);

/** Whether every text inside of a value can be kept, and every name. */
export function areTextsStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true;
  if (value instanceof Map) return areTextsStorable([...value]);
  if (value instanceof Set || Array.isArray(value)) return [...value].every(areTextsStorable);
  return Object.entries(value).every(([name, member]) => isStorable(name) && areTextsStorable(member));
}
