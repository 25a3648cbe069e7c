/** What single members of credentials and presentations may be: addresses, types, texts in languages, one or several. */
import { asObject } from '@symbolon/core/basics/plain-values';

export interface Complaints {
  add(pointer: string, detail: string): void;
}

/** One, several or none. */
export const asArray = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Calls for each of what may be one or several. */
export function checkEach(
  value: unknown,
  pointer: string,
  check: (item: unknown, pointer: string) => void,
): void {
  for (const [index, item] of asArray(value).entries())
    check(item, Array.isArray(value) ? `${pointer}/${index}` : pointer);
}

const urlCharsMax = 8_192;
const urlSyntax = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/;

/** An absolute address: of the web, a DID, a URN. */
export const isUrl = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= urlCharsMax &&
  urlSyntax.test(value) &&
  URL.parse(value) !== null;

export function checkUrl(value: unknown, pointer: string, complaints: Complaints): void {
  if (value === undefined) complaints.add(pointer, 'is missing');
  else if (!isUrl(value)) complaints.add(pointer, 'must be an address, such as https://… or did:…');
}

export function checkOptionalUrl(value: unknown, pointer: string, complaints: Complaints): void {
  if (value !== undefined) checkUrl(value, pointer, complaints);
}

/** Types: at least one, each a term or an address, and one of them the one that is wanted. */
export function checkTypes(value: unknown, pointer: string, complaints: Complaints, wanted?: string): void {
  const types = asArray(value);
  if (types.length === 0) complaints.add(pointer, 'is missing');
  else if (!types.every((type) => typeof type === 'string' && /^\S+$/.test(type)))
    complaints.add(pointer, 'must be one or several types');
  else if (wanted !== undefined && !types.includes(wanted))
    complaints.add(pointer, `must have ${wanted} in it`);
}

const languageMembers = ['@value', '@language', '@direction'];
const languageTag = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;

function isLanguageText(value: unknown): boolean {
  if (typeof value === 'string') return true;
  const object = asObject(value);
  if (object === undefined) return false;
  const { '@value': text, '@language': language, '@direction': direction } = object;
  return (
    typeof text === 'string' &&
    (language === undefined || (typeof language === 'string' && languageTag.test(language))) &&
    (direction === undefined || direction === 'ltr' || direction === 'rtl') &&
    Object.keys(object).every((name) => languageMembers.includes(name))
  );
}

/** A name or a description: a text, a text in a language, or several of these. */
export function checkLanguageText(value: unknown, pointer: string, complaints: Complaints): void {
  checkEach(value, pointer, (text, where) => {
    if (!isLanguageText(text))
      complaints.add(where, 'must be a text, or an object of @value, @language and @direction');
  });
}
