/** Which applications the inbox shows, as it stands in the address. What is not known there falls back to the usual, and is told. */
import type { FilterRules } from '../../../text/unread-filters.ts';

export const inboxStates = ['Pending', 'Approved', 'Rejected'] as const;
export type InboxState = (typeof inboxStates)[number];

export interface InboxSearch {
  readonly status: InboxState;
  readonly order: 'newest' | 'oldest';
  readonly template: string | undefined;
  readonly holder: string | undefined;
}

type Given = Readonly<Record<string, unknown>>;

/** A DID or the id of a template, which is written like one. */
export const didIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^did:[a-z0-9]+:[0-9a-f]{64}$/i.test(value.trim())
    ? value.trim().toLowerCase()
    : undefined;

const isDid = (value: string): boolean => didIn(value) !== undefined;

export const inboxRules: FilterRules = {
  status: inboxStates,
  order: ['newest', 'oldest'],
  template: isDid,
  holder: isDid,
};

export const readInboxSearch = (given: Given): InboxSearch => ({
  status: inboxStates.find((state) => state === given.status) ?? 'Pending',
  order: given.order === 'oldest' ? 'oldest' : 'newest',
  template: didIn(given.template),
  holder: didIn(given.holder),
});

/** For the address: what is usual is left out. */
export const writeInboxSearch = ({
  status,
  order,
  template,
  holder,
}: InboxSearch): Record<string, string> => ({
  ...(status !== 'Pending' && { status }),
  ...(order !== 'newest' && { order }),
  ...(template !== undefined && { template }),
  ...(holder !== undefined && { holder }),
});

/** As the service is asked. */
export const inboxQuestion = ({ status, order, template, holder }: InboxSearch) => ({
  status,
  order,
  ...(template !== undefined && { templateId: template }),
  ...(holder !== undefined && { holder }),
});
