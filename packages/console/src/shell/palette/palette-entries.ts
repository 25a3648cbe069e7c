/** What the palette finds: entries by a few letters, best first, with the letters that matched. Pure. */
import type { IconName } from '../../parts/controls/icon.tsx';

export type PaletteGroup =
  | 'people'
  | 'places'
  | 'acts'
  /** What a search has found. */
  | 'ledger'
  | 'credentials'
  | 'templates'
  | 'parties';

export interface PaletteEntry {
  readonly id: string;
  readonly group: PaletteGroup;
  readonly text: string;
  /** Further words by which it is found. */
  readonly also?: string;
  readonly icon: IconName;
  /** Whose mark stands instead of an icon. */
  readonly mark?: { readonly id: string; readonly name: string; readonly kind: 'organisation' | 'person' };
  /** Right of the text: an identifier, a key. */
  readonly aside?: string;
  readonly key?: string;
  readonly act: () => void;
}

export interface FoundEntry {
  readonly entry: PaletteEntry;
  /** Where the letters stand in its text; empty if nothing was typed. */
  readonly match: readonly [from: number, to: number];
}

const shownMax = 9;
const order: readonly PaletteGroup[] = [
  'people',
  'places',
  'acts',
  'parties',
  'templates',
  'credentials',
  'ledger',
];
const foundMax = 12;

const normal = (text: string): string => text.toLocaleLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');

interface Place {
  readonly at: number;
  readonly isWordStart: boolean;
}

function placeOf(text: string, letters: string): Place | undefined {
  const at = text.indexOf(letters);
  return at === -1 ? undefined : { at, isWordStart: at === 0 || text[at - 1] === ' ' };
}

/**
 * Those whose text has the letters, at the start of a word before anywhere else, then those that are meant by a word that
 * begins so; groups stay together.
 */
export function findEntries(entries: readonly PaletteEntry[], typed: string): readonly FoundEntry[] {
  const letters = normal(typed.trim());
  const found = entries.flatMap((entry, place) => {
    const text = normal(entry.text);
    const inText = placeOf(text, letters);
    if (!inText) {
      const isMeant = letters !== '' && placeOf(normal(entry.also ?? ''), letters)?.isWordStart === true;
      return isMeant ? [{ entry, match: [0, 0] as [number, number], rank: 2_000 + place }] : [];
    }
    const { at, isWordStart } = inText;
    // Letters that grow when their marks are taken off would shift the match; then the whole text is shown plain.
    const isSame = text.length === entry.text.length && letters !== '';
    const match = (isSame ? [at, at + letters.length] : [0, 0]) as [number, number];
    return [{ entry, match, rank: (isWordStart ? 0 : 1_000) + place }];
  });
  return found
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, shownMax)
    .toSorted((left, right) => order.indexOf(left.entry.group) - order.indexOf(right.entry.group))
    .map(({ entry, match }) => ({ entry, match }));
}

/**
 * Behind what the palette has itself: what the service has found, which need not have the letters in its text. What both
 * have stands there once.
 */
export const withFound = (
  own: readonly FoundEntry[],
  things: readonly PaletteEntry[],
): readonly FoundEntry[] => [
  ...own,
  ...things
    .filter(({ id }) => !own.some(({ entry }) => entry.id === id))
    .slice(0, foundMax)
    .toSorted((left, right) => order.indexOf(left.group) - order.indexOf(right.group))
    .map((entry): FoundEntry => ({ entry, match: [0, 0] })),
];
