/**
 * The session of this tab. Its id is no secret: a cookie that no script can read proves it, and the header that names it
 * is what no form and no foreign page can send. Kept per tab, so that two windows can be two people. One that has ended
 * is remembered until somebody signs in: what it showed stays on the page, and no request names it any more.
 */
import { browserSessionHeader } from '@symbolon/wire/console/browser-session';

export const sessionHeader = browserSessionHeader;
const keptName = 'symbolon-session';

/** Why a session is over: the service said so, or nobody moved in this tab for as long as a session may rest. */
export type TabSessionEnd = 'ended' | 'idle';

export interface TabSeat {
  /** Undefined where nobody is signed in. */
  readonly id: string | undefined;
  /** The last session of this tab, if it ended without anybody's leaving. */
  readonly ended: { readonly id: string; readonly why: TabSessionEnd; readonly at: number } | undefined;
}

const readers = new Set<() => void>();
let seat: TabSeat | undefined;
let reads = new AbortController();

/** Ends with whatever is read in the name of the session. */
export const signalOfReads = (): AbortSignal => reads.signal;

/** Before a session is ended: what is still being read in its name would be refused. Another seat reads again. */
export const stopReads = (): void => reads.abort();

export function resumeReads(): void {
  if (reads.signal.aborted) reads = new AbortController();
}

/** The same object as long as nothing changed. */
export function readTabSeat(): TabSeat {
  seat ??= { id: sessionStorage.getItem(keptName) ?? undefined, ended: undefined };
  return seat;
}

export const readTabSession = (): string | undefined => readTabSeat().id;

/** Calls a reader when this tab's session becomes another one; gives what ends that. */
export function watchTabSession(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

function set(next: TabSeat): void {
  if (next.id === undefined) sessionStorage.removeItem(keptName);
  else sessionStorage.setItem(keptName, next.id);
  seat = next;
  resumeReads();
  for (const reader of readers) reader();
}

export const keepTabSession = (id: string | undefined): void => set({ id, ended: undefined });

/** Only the session that is named: another one may have begun in the meantime. */
export function endTabSession(id: string, why: TabSessionEnd): void {
  if (readTabSession() === id) set({ id: undefined, ended: { id, why, at: Date.now() } });
}

/** The same for a tab that was opened from this one: its store is its own. */
export const keepTabSessionIn = (store: Pick<Storage, 'setItem'>, id: string): void =>
  store.setItem(keptName, id);
