/**
 * Where one can go: every desk with its places, in the order of the sidebar. Which of them are built says `pages.ts`: a
 * place without a page has no route, stands in no list, and no key leads there.
 */
import { type ApiScope, apiScopes } from '@symbolon/wire/http/service-route';
import type { IconName } from '../parts/controls/icon.tsx';
import type { FrameWords } from '../words/catalogue.ts';

export type DeskName = keyof FrameWords['shell']['desks'];
export type PlaceName = keyof FrameWords['shell']['places'];

export interface DeskPlace {
  readonly name: PlaceName;
  readonly path: string;
  /** Further paths of the same page: `/issue/applications/$vcId`. */
  readonly details?: readonly string[];
  readonly icon: IconName;
  /** The key after G. */
  readonly key?: string;
  /** Where others see it than the rest of its desk. */
  readonly readers?: DeskReaders;
  /** Reached from another page: it stands in no list. */
  readonly isUnlisted?: true;
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
        name: 'certificate',
        path: '/issue/certificate',
        details: ['$vcId'],
        icon: 'medal',
        isUnlisted: true,
      },
      {
        name: 'templates',
        path: '/issue/templates',
        details: ['$id', '$id/new'],
        icon: 'template',
        key: 't',
      },
      { name: 'offers', path: '/issue/offers', details: ['new'], icon: 'qr', key: 'o' },
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
      { name: 'check', path: '/verify/check', icon: 'flask', readers: 'everybody' },
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
        details: ['blocks', 'blocks/$seq', 'tx', 'tx/$hash', 'accounts', 'accounts/$address'],
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
    readers: apiScopes,
    places: [
      { name: 'apiKeys', path: '/dev/keys', icon: 'code' },
      { name: 'webhooks', path: '/dev/webhooks', details: ['$name'], icon: 'webhook' },
      { name: 'requestLog', path: '/dev/requests', details: ['$requestId'], icon: 'list' },
      { name: 'audit', path: '/dev/audit', details: ['$sequence'], icon: 'shield', readers: ['admin'] },
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
    .map(({ name, readers, places }) => ({
      name,
      places: places.filter(
        (place) => !place.isUnlisted && built.has(place.name) && mayRead(place.readers ?? readers, reader),
      ),
    }))
    .filter(({ places }) => places.length > 0);
