/**
 * Where one can go: every desk with its places, in the order of the sidebar. Which of them are built says `pages.ts`: a
 * place without a page has no route, stands in no list, and no key leads there.
 */
import type { ApiScope } from '@symbolon/wire/http/service-route';
import type { IconName } from '../parts/controls/icon.tsx';
import type { ConsoleWords } from '../words/catalogue.ts';

export type DeskName = keyof ConsoleWords['shell']['desks'];
export type PlaceName = keyof ConsoleWords['shell']['places'];

export interface DeskPlace {
  readonly name: PlaceName;
  readonly path: string;
  /** Further paths of the same page: `/issue/applications/$vcId`. */
  readonly details?: readonly string[];
  readonly icon: IconName;
  /** The key after G. */
  readonly key?: string;
}

/** Who sees a desk: everybody, or whoever has one of these scopes, or whoever holds credentials here. */
export type DeskReaders = 'everybody' | 'holders' | readonly ApiScope[];

export interface Desk {
  readonly name: DeskName;
  readonly readers: DeskReaders;
  readonly places: readonly DeskPlace[];
}

export const desks: readonly Desk[] = [
  {
    name: 'issue',
    readers: ['issue', 'templates'],
    places: [
      { name: 'applications', path: '/issue/applications', details: ['$vcId'], icon: 'inbox', key: 'a' },
      { name: 'issued', path: '/issue/issued', details: ['$vcId'], icon: 'medal', key: 'i' },
      {
        name: 'templates',
        path: '/issue/templates',
        details: ['$id', '$id/new'],
        icon: 'template',
        key: 't',
      },
      { name: 'bulk', path: '/issue/bulk', icon: 'bulk' },
      { name: 'issuerKeys', path: '/issue/keys', icon: 'key' },
    ],
  },
  {
    name: 'wallet',
    readers: 'holders',
    places: [
      { name: 'cards', path: '/wallet/cards', details: ['$vcId'], icon: 'card' },
      { name: 'apply', path: '/wallet/apply', details: ['$templateId'], icon: 'plus' },
      { name: 'requests', path: '/wallet/requests', details: ['$id'], icon: 'qr' },
      { name: 'activity', path: '/wallet/activity', icon: 'clock' },
      { name: 'backup', path: '/wallet/backup', icon: 'save' },
    ],
  },
  {
    name: 'verify',
    readers: ['verify'],
    places: [
      { name: 'ask', path: '/verify/ask', icon: 'qr', key: 'v' },
      { name: 'sessions', path: '/verify/sessions', details: ['$id'], icon: 'shieldCheck' },
      { name: 'check', path: '/verify/check', icon: 'flask' },
      { name: 'saved', path: '/verify/saved', icon: 'pencil' },
    ],
  },
  {
    name: 'ledger',
    readers: 'everybody',
    places: [
      {
        name: 'explorer',
        path: '/ledger',
        details: ['blocks', 'blocks/$seq', 'tx', 'tx/$hash', 'accounts/$address'],
        icon: 'cube',
        key: 'e',
      },
      { name: 'pending', path: '/ledger/pending', icon: 'pending' },
      { name: 'validators', path: '/ledger/validators', icon: 'people' },
    ],
  },
  {
    name: 'lab',
    readers: 'everybody',
    places: [
      { name: 'lab', path: '/lab/build', icon: 'swap', key: 'l' },
      { name: 'decode', path: '/lab/decode', icon: 'search' },
      { name: 'call', path: '/lab/call', icon: 'play' },
    ],
  },
  {
    name: 'dev',
    readers: 'everybody',
    places: [
      { name: 'apiKeys', path: '/dev/keys', icon: 'code' },
      { name: 'webhooks', path: '/dev/webhooks', icon: 'webhook' },
      { name: 'requestLog', path: '/dev/requests', icon: 'list' },
      { name: 'audit', path: '/dev/audit', icon: 'shield' },
    ],
  },
];

/** In whose chair somebody sits, as far as it decides what they see. */
export interface Reader {
  readonly scopes: readonly ApiScope[];
  readonly isHolder: boolean;
}

const mayRead = (readers: DeskReaders, { scopes, isHolder }: Reader): boolean => {
  if (readers === 'everybody') return true;
  return readers === 'holders' ? isHolder : readers.some((scope) => scopes.includes(scope));
};

export type SeenDesk = Pick<Desk, 'name' | 'places'>;

/** Desks with something built in them that this reader may see. */
export const desksOf = (
  reader: Reader,
  built: ReadonlySet<PlaceName>,
  all: readonly Desk[] = desks,
): readonly SeenDesk[] =>
  all
    .filter(({ readers }) => mayRead(readers, reader))
    .map(({ name, places }) => ({ name, places: places.filter((place) => built.has(place.name)) }))
    .filter(({ places }) => places.length > 0);
