/** Why the ledger would not do something, for people. What a contract threw comes in a document; its own words are taken out. */
import { isJsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';

export interface RefusalText {
  readonly text: string;
  /** Of the contract's code, from 1. */
  readonly line: number | undefined;
}

export function contractRefusal(description: string): RefusalText {
  const document = parseJsonOrNothing(description);
  if (!isJsonObject(document) || typeof document.exception !== 'string')
    return { text: description, line: undefined };
  const { exception, linenum } = document;
  return { text: exception, line: typeof linenum === 'number' && linenum > 0 ? linenum : undefined };
}
