/**
 * The session of this tab. Its id is no secret: a cookie that no script can read proves it, and the header that names it
 * is what no form and no foreign page can send. Kept per tab, so that two windows can be two people.
 */

export const sessionHeader = 'x-symbolon-session';
const keptName = 'symbolon-session';

export const readTabSession = (): string | undefined => sessionStorage.getItem(keptName) ?? undefined;

const readers = new Set<() => void>();

/** Calls a reader when this tab's session becomes another one; gives what ends that. */
export function watchTabSession(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

export function keepTabSession(id: string | undefined): void {
  if (id === undefined) sessionStorage.removeItem(keptName);
  else sessionStorage.setItem(keptName, id);
  for (const reader of readers) reader();
}
