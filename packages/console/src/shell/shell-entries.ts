/** What the palette offers from anywhere, and which keys do it. */

import type { KeyBinding } from '../keys/keys.tsx';
import { shortAccount } from '../text/short-ids.ts';
import type { ConsoleWords } from '../words/catalogue.ts';
import type { PaletteEntry } from './palette-entries.ts';
import { kindOf } from './person-button.tsx';
import type { ShellFacts } from './shell-facts.ts';

export interface ShellActs {
  readonly goTo: (path: string) => void;
  readonly openPalette: () => void;
  readonly openKeys: () => void;
  readonly openCode: () => void;
}

/** Places one can go to, home first. */
const placesOf = ({ desks }: ShellFacts) => [
  { name: 'home', path: '/', icon: 'home', key: 'h' } as const,
  ...desks.flatMap(({ places }) => places),
];

export function paletteEntries(
  facts: ShellFacts,
  acts: ShellActs,
  words: ConsoleWords,
): readonly PaletteEntry[] {
  const { people, onTake } = facts.switching;
  return [
    ...people.map(
      (one, at): PaletteEntry => ({
        id: `act-as-${one.did}`,
        group: 'people',
        text: `${words.shell.actAsSomebody} ${one.name}`,
        icon: 'person',
        mark: { id: one.did, name: one.name, kind: kindOf(one.person) },
        aside: shortAccount(one.address),
        key: String(at + 1),
        act: () => onTake(one),
      }),
    ),
    ...placesOf(facts).map(
      (place): PaletteEntry => ({
        id: place.path,
        group: 'places',
        text: words.shell.places[place.name],
        icon: place.icon,
        ...(place.key !== undefined && { key: `G ${place.key.toUpperCase()}` }),
        act: () => acts.goTo(place.path),
      }),
    ),
    { id: 'code', group: 'acts', text: words.shell.showAsCode, icon: 'code', key: 'C', act: acts.openCode },
    { id: 'keys', group: 'acts', text: words.shell.keys.title, icon: 'list', key: '?', act: acts.openKeys },
  ];
}

export function shellKeys(facts: ShellFacts, acts: ShellActs, words: ConsoleWords): readonly KeyBinding[] {
  const { keys } = words.shell;
  const group = 'anywhere';
  const { people, onTake } = facts.switching;
  return [
    { keys: 'mod+k', title: keys.palette, group, act: acts.openPalette },
    { keys: '/', title: keys.palette, group, act: acts.openPalette },
    { keys: '?', title: keys.help, group, act: acts.openKeys },
    { keys: 'c', title: keys.code, group, act: acts.openCode },
    ...placesOf(facts).flatMap((place): KeyBinding[] =>
      place.key === undefined
        ? []
        : [
            {
              keys: `g ${place.key}`,
              title: keys.goTo(words.shell.places[place.name]),
              group,
              act: () => acts.goTo(place.path),
            },
          ],
    ),
    ...people.map(
      (one, at): KeyBinding => ({
        keys: String(at + 1),
        title: `${words.shell.actAsSomebody} ${one.name}`,
        group,
        act: () => onTake(one),
      }),
    ),
  ];
}
