/** What the palette offers from anywhere, and which keys do it. */

import type { ShownPerson } from '../api/console-config.ts';
import type { KeyBinding } from '../keys/bindings.ts';
import { kindOf } from '../text/identity.ts';
import { type Language, languageNames, languages, languageWords } from '../text/language.ts';
import { shortAccount } from '../text/short-ids.ts';
import type { FrameWords } from '../words/catalogue.ts';
import { deedsOf } from './deeds.ts';
import { type Look, looks, lookWords } from './looks.ts';
import type { PaletteEntry } from './palette/palette-entries.ts';
import type { ShellFacts } from './shell-facts.ts';

export interface ShellActs {
  readonly goTo: (path: string) => void;
  readonly openPalette: () => void;
  readonly openKeys: () => void;
  readonly openCode: () => void;
  /** Gives an account coins of the demo. */
  readonly giveGas: (address: string, name: string) => void;
  readonly chooseLanguage: (language: Language) => void;
  readonly chooseLook: (look: Look) => void;
}

/** Places one can go to, home first. */
const placesOf = ({ desks }: ShellFacts) => [
  { name: 'home', path: '/', icon: 'home', key: 'h' } as const,
  ...desks.flatMap(({ places }) => places),
];

export function paletteEntries(
  facts: ShellFacts,
  acts: ShellActs,
  words: FrameWords,
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
        also: words.shell.placeWords[place.name],
        icon: place.icon,
        ...(place.key !== undefined && { key: `G ${place.key.toUpperCase()}` }),
        act: () => acts.goTo(place.path),
      }),
    ),
    ...people.flatMap((one) => entriesOfPerson(one, facts, acts, words)),
    ...deedsOf(facts.desks).map(
      ({ name, path }): PaletteEntry => ({
        id: `deed-${name}`,
        group: 'acts',
        text: words.shell.deeds[name],
        icon: 'bolt',
        act: () => acts.goTo(path),
      }),
    ),
    ...people.map(
      ({ did, name, address }): PaletteEntry => ({
        id: `gas-${did}`,
        group: 'acts',
        text: words.shell.palette.giveGas(name),
        also: 'faucet',
        icon: 'bolt',
        aside: words.shell.palette.ofDemo,
        act: () => acts.giveGas(address, name),
      }),
    ),
    { id: 'code', group: 'acts', text: words.shell.showAsCode, icon: 'code', key: 'C', act: acts.openCode },
    { id: 'keys', group: 'acts', text: words.shell.keys.title, icon: 'list', key: '?', act: acts.openKeys },
    ...settingEntries(acts, words),
  ];
}

/** Language and look, each found by its name in every language: whoever reads the wrong one types the own. */
const settingEntries = (
  { chooseLanguage, chooseLook }: ShellActs,
  { shell }: FrameWords,
): readonly PaletteEntry[] => [
  ...languages.map(
    (language): PaletteEntry => ({
      id: `language-${language}`,
      group: 'acts',
      text: `${shell.language}: ${languageNames[language]}`,
      also: languageWords[language],
      icon: 'settings',
      act: () => chooseLanguage(language),
    }),
  ),
  ...looks.map(
    (look): PaletteEntry => ({
      id: `look-${look}`,
      group: 'acts',
      text: `${shell.look}: ${shell.looks[look]}`,
      also: lookWords[look],
      icon: 'settings',
      act: () => chooseLook(look),
    }),
  ),
];

/** Where somebody is met: their account, and for an issuer what they were given. */
function entriesOfPerson(
  { did, name, address, person }: ShownPerson,
  { desks }: ShellFacts,
  { goTo }: ShellActs,
  { shell }: FrameWords,
): readonly PaletteEntry[] {
  const seen = new Set(desks.flatMap(({ places }) => places.map((place) => place.name)));
  const mark = { id: did, name, kind: kindOf(person) } as const;
  const entry = (id: string, text: string, path: string): PaletteEntry => ({
    id: `${id} ${did}`,
    group: 'people',
    text,
    icon: 'person',
    mark,
    act: () => goTo(path),
  });
  const isHolder = person.startsWith('holder');
  return [
    ...(seen.has('explorer')
      ? [entry('account', shell.palette.accountOf(name), `/ledger/accounts/${encodeURIComponent(address)}`)]
      : []),
    ...(seen.has('issued') && isHolder
      ? [entry('issued', shell.palette.issuedTo(name), `/issue/issued?holder=${encodeURIComponent(did)}`)]
      : []),
  ];
}

/** What the page that is open can do by a key, it can do from the palette. */
export const pageEntries = (bindings: readonly KeyBinding[]): readonly PaletteEntry[] =>
  bindings
    .filter(({ group }) => group === 'page')
    .map(({ keys, title, act }) => ({
      id: `page-${keys}`,
      group: 'acts',
      text: title,
      icon: 'bolt',
      key: keys.toUpperCase(),
      act,
    }));

export function shellKeys(facts: ShellFacts, acts: ShellActs, words: FrameWords): readonly KeyBinding[] {
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
