/** Filters in an address that a list does not know: a link may be old, misspelt or a stranger's. Pure. */
import { nearestName } from '@symbolon/core/basics/known-names';
import { escapeUnsafe } from '@symbolon/core/basics/plain-text';

/** By the name of a filter, its values: the words that it knows, or how to tell one. */
export type FilterRules = Readonly<Record<string, readonly string[] | ((value: string) => boolean)>>;

export interface UnreadFilter {
  readonly name: string;
  /** To be shown. */
  readonly value: string;
  /** The word that was probably meant. */
  readonly meant: string | undefined;
}

const shownCharsMax = 60;

export function unreadFilters(
  given: Readonly<Record<string, unknown>>,
  rules: FilterRules,
): readonly UnreadFilter[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    if (!Object.hasOwn(given, name) || given[name] === undefined) return [];
    const value = String(given[name]);
    if (typeof rule === 'function' ? rule(value) : rule.includes(value)) return [];
    const meant = typeof rule === 'function' ? undefined : nearestName(value, rule);
    // Its own words must not go on behind a quotation mark of the address.
    const shown = escapeUnsafe(value.slice(0, shownCharsMax)).replace(/["\u00ab\u00bb\u2018-\u201f]/g, '’');
    return [{ name, value: shown, meant }];
  });
}
