/**
 * JSON that was signed, read strictly: a text with two members of one name means different things to different readers,
 * so it is none at all. Bounded before it is parsed.
 */
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { isWellFormed } from '@symbolon/core/basics/jcs';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { joseLimits } from '../limits/format-limits.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined for bytes that are no UTF-8. */
export const parseUtf8 = (bytes: Uint8Array): string | undefined =>
  decodeOrNothing(() => decoder.decode(bytes));

/** Undefined for what is no JSON, repeats a member, holds half a character, nests too deep or has too many parts. */
export function parseSignedJson(text: string): { readonly value: unknown } | undefined {
  if (!isPlain(text)) return undefined;
  return decodeOrNothing(() => ({ value: JSON.parse(text) as unknown }));
}

export function parseSignedObject(text: string): Fields | undefined {
  const read = parseSignedJson(text);
  return read && asObject(read.value);
}

/** A text that never ends is taken to the end of it all, or each quotation mark in it would be looked at from anew. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\],:]/gs;

/** Whether each object names its members once. Says nothing else about the text: parsing does. */
function isPlain(text: string): boolean {
  /** Names seen in each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  let isName = false;
  let parts = 0;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      if (open.length >= joseLimits.depthMax) return false;
      open.push(token === '{' ? new Set() : null);
      isName = token === '{';
      parts += 1;
    } else if (token === '}' || token === ']') {
      open.pop();
      isName = false;
    } else if (token === ',') {
      isName = open.at(-1) instanceof Set;
      parts += 1;
    } else if (token === ':') isName = false;
    else if (!isText(token, isName ? open.at(-1) : undefined)) return false;
    if (parts > joseLimits.membersMax) return false;
  }
  return true;
}

/** Whether a quoted text is one, and no name that was there before. */
function isText(token: string, names: Set<string> | null | undefined): boolean {
  const text = decodeOrNothing(() => JSON.parse(token) as string);
  if (text === undefined || !isWellFormed(text)) return false;
  if (!names) return true;
  // Assigning a member of this name changes what an object is.
  if (text === '__proto__' || names.has(text)) return false;
  names.add(text);
  return true;
}
