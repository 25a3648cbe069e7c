/**
 * A request that is being written, kept in this tab until it is asked or discarded: a reload or another page costs nobody
 * their work. It is no secret, and whoever signs in next in this tab has drafts of their own.
 */
import { parseJsonOrNothing } from '@symbolon/wire/json/json';
import type { RequestDraft } from '../request/request-draft.ts';
import { requestDraftForm } from './saved-requests.ts';

export interface RequestPlace {
  /** The DID of who asks. */
  readonly asker: string;
  /** What it began with, as the address has it: a saved request, an earlier session; empty for a new one. */
  readonly begun: string;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const nameOf = ({ asker, begun }: RequestPlace): string => `symbolon-request-draft ${asker} ${begun}`;

/** Undefined where there is none, and where what is there is none. */
export function keptRequest(place: RequestPlace, store: Store = sessionStorage): RequestDraft | undefined {
  const text = store.getItem(nameOf(place));
  const read = text === null ? undefined : requestDraftForm.safeParse(parseJsonOrNothing(text));
  return read?.success ? read.data : undefined;
}

/** False where the browser has no room for it. */
export function keepRequest(
  place: RequestPlace,
  draft: RequestDraft,
  store: Store = sessionStorage,
): boolean {
  try {
    store.setItem(nameOf(place), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export const dropRequest = (place: RequestPlace, store: Store = sessionStorage): void =>
  store.removeItem(nameOf(place));
