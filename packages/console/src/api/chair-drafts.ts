/**
 * What was typed into a form and not sent yet, for whoever leaves the page and comes back. It may be personal, so it is in
 * the memory of the tab alone; it lies beside what was read in the chair, and is forgotten with that.
 */
import type { QueryClient } from '@tanstack/react-query';

const draftsKey = 'typed';

/** The drafts of one form, each of a place: what is typed for one template is no draft for another. */
export function chairDrafts<Draft>(queries: QueryClient, form: string) {
  const keyOf = (place: string) => [draftsKey, form, place] as const;
  queries.setQueryDefaults([draftsKey], { gcTime: Number.POSITIVE_INFINITY });
  return {
    read: (place: string): Draft | undefined => queries.getQueryData<Draft>(keyOf(place)),
    keep: (place: string, draft: Draft): void => {
      queries.setQueryData<Draft>(keyOf(place), () => draft);
    },
    forget: (place: string): void => queries.removeQueries({ queryKey: keyOf(place), exact: true }),
  };
}
