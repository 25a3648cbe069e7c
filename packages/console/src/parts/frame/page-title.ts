/**
 * What the open page is called: in the window's title, and as the last crumb of the top bar where it is one of many. The
 * title of a window stays in the history of the browser and in lists of tabs: it holds no value of anybody's credential.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { useWords } from '../../words/words.ts';

let crumb: string | undefined;
const readers = new Set<() => void>();

function tell(next: string | undefined): void {
  crumb = next;
  for (const reader of readers) reader();
}

/** `short` where the title is a whole sentence. */
export function usePageTitle(title: string, short = title): void {
  const { words } = useWords();
  useEffect(() => {
    document.title = `${title} · ${words.shell.name}`;
  }, [title, words]);
  useEffect(() => {
    tell(short);
    return () => tell(undefined);
  }, [short]);
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

export const usePageCrumb = (): string | undefined => useSyncExternalStore(subscribe, () => crumb);
