/** What a search has found, as entries of the palette: what it is called, and where it leads for who sits here. Pure. */
import { addressOfDid } from '@symbolon/core/did/did';
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import type { FoundKind } from '@symbolon/wire/directory/requests';
import type { PlaceName, SeenDesk } from '../../navigation/places.ts';
import type { IconName } from '../../parts/controls/icon.tsx';
import { shortAccount, shortDid, shortHash } from '../../text/short-ids.ts';
import type { FrameWords } from '../../words/catalogue.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entries.ts';

export interface FoundRow {
  readonly kind: FoundKind;
  readonly target: string;
  readonly label: string;
}

/** Places that show a thing, the best one first: the first that this reader has is taken. */
const placesOf: Readonly<Record<FoundKind, readonly (readonly [place: PlaceName, path: string])[]>> = {
  block: [['explorer', '/ledger/blocks/']],
  transaction: [
    ['explorer', '/ledger/tx/'],
    ['decode', '/lab/decode?blob='],
  ],
  account: [
    ['explorer', '/ledger/accounts/'],
    ['decode', '/lab/decode?blob='],
  ],
  did: [
    ['explorer', '/ledger/accounts/'],
    ['decode', '/lab/decode?blob='],
  ],
  profile: [
    ['explorer', '/ledger/accounts/'],
    ['decode', '/lab/decode?blob='],
  ],
  credential: [
    ['issued', '/issue/issued/'],
    ['cards', '/wallet/cards/'],
  ],
  application: [
    ['applications', '/issue/applications/'],
    ['apply', '/wallet/apply'],
  ],
  template: [
    ['templates', '/issue/templates/'],
    ['apply', '/wallet/apply/'],
  ],
};

const looks: Readonly<Record<FoundKind, { readonly group: PaletteGroup; readonly icon: IconName }>> = {
  block: { group: 'ledger', icon: 'cube' },
  transaction: { group: 'ledger', icon: 'swap' },
  account: { group: 'ledger', icon: 'person' },
  did: { group: 'ledger', icon: 'person' },
  profile: { group: 'parties', icon: 'people' },
  credential: { group: 'credentials', icon: 'medal' },
  application: { group: 'credentials', icon: 'inbox' },
  template: { group: 'templates', icon: 'template' },
};

/** Where a thing leads; undefined where this reader has no place that shows it. */
export function pathOfFound({ kind, target }: FoundRow, desks: readonly SeenDesk[]): string | undefined {
  const seen = new Set(desks.flatMap(({ places }) => places.map(({ name }) => name)));
  const [, path] = placesOf[kind].find(([place]) => seen.has(place)) ?? [];
  if (path === undefined) return undefined;
  if (!path.endsWith('/') && !path.endsWith('=')) return path;
  const id = kind === 'did' || kind === 'profile' ? addressOfDid(target, usualKeyFormat) : target;
  return id === undefined ? undefined : `${path}${encodeURIComponent(id)}`;
}

const shortTarget = ({ kind, target }: FoundRow): string => {
  if (kind === 'block') return target;
  if (kind === 'transaction') return shortHash(target);
  return kind === 'account' ? shortAccount(target) : shortDid(target).id;
};

export function foundEntries(
  things: readonly FoundRow[],
  desks: readonly SeenDesk[],
  { words, goTo }: { readonly words: FrameWords; readonly goTo: (path: string) => void },
): readonly PaletteEntry[] {
  const { kinds } = words.shell.palette;
  return things.flatMap((thing): PaletteEntry[] => {
    const path = pathOfFound(thing, desks);
    if (path === undefined) return [];
    const { group, icon } = looks[thing.kind];
    // Names are the service's; what has none is called by what it is.
    const isNamed = ['template', 'profile', 'application'].includes(thing.kind);
    const hasName = isNamed || (thing.kind === 'credential' && thing.label !== 'Credential');
    return [
      {
        id: `${thing.kind} ${thing.target}`,
        group,
        icon,
        text: hasName ? thing.label : kinds[thing.kind],
        aside: shortTarget(thing),
        ...(thing.kind === 'profile' && {
          mark: { id: thing.target, name: thing.label, kind: 'organisation' as const },
        }),
        act: () => goTo(path),
      },
    ];
  });
}

/** Templates that this service knows, where this reader has a place that shows them. */
export const templateEntries = (
  templates: ReadonlyMap<string, string>,
  desks: readonly SeenDesk[],
  goTo: (path: string) => void,
): readonly PaletteEntry[] =>
  [...templates].flatMap(([target, label]): PaletteEntry[] => {
    const path = pathOfFound({ kind: 'template', target, label }, desks);
    if (path === undefined) return [];
    const aside = shortDid(target).id;
    return [
      {
        id: `template ${target}`,
        group: 'templates',
        text: label,
        icon: 'template',
        aside,
        act: () => goTo(path),
      },
    ];
  });
