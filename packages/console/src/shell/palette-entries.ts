/** What the palette finds: entries by a few letters, best first, with the letters that matched. Pure. */
import type { IconName } from '../parts/controls/icon.tsx';

export type PaletteGroup = 'people' | 'places' | 'acts';

export interface PaletteEntry {
  readonly id: string;
  readonly group: PaletteGroup;
  readonly text: string;
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
const order: readonly PaletteGroup[] = ['people', 'places', 'acts'];

const normal = (text: string): string => text.toLocaleLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Those whose text has the letters, at the start of a word before anywhere else; groups stay together. */
export function findEntries(entries: readonly PaletteEntry[], typed: string): readonly FoundEntry[] {
  const letters = normal(typed.trim());
  const found = entries.flatMap((entry, place) => {
    const text = normal(entry.text);
    const at = text.indexOf(letters);
    if (at === -1) return [];
    const isWordStart = at === 0 || text[at - 1] === ' ';
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
