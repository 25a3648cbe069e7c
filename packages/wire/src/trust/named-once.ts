/**
 * Issuers and templates that conditions name, each once. Of two entries for one issuer the wider one would count, and
 * whoever wrote the narrower one would never know.
 */
import type * as z from 'zod';
import { list } from '../http/schema-parts.ts';

/** What is compared is one text: hex digits are small letters on the ledger. */
export const lowerHex = (id: string): string =>
  /^did:[a-z0-9]+:[0-9A-Fa-f]{64}$/.test(id) ? id.toLowerCase() : id;

export const repeatedText = 'came before: each may stand once';

/** Where an id stands that stood before; undefined where each stands once. */
export function repeatedAt(ids: readonly string[]): number | undefined {
  const seen = new Set<string>();
  const index = ids.findIndex((id) => seen.size === seen.add(lowerHex(id)).size);
  return index === -1 ? undefined : index;
}

/** In any order. */
export const isSameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.every((one) => right.includes(one)) && right.every((one) => left.includes(one));

export const listOnce = <Item extends z.ZodType>(
  item: Item,
  itemsMax: number,
  idOf: (item: z.output<Item>) => string,
) =>
  list(item, itemsMax).superRefine((items, context) => {
    const index = repeatedAt(items.map(idOf));
    if (index === undefined) return;
    context.addIssue({ code: 'custom', message: repeatedText, path: [index], input: items[index] });
  });
