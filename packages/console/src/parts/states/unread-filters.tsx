/** Says which filters of the address the list below does not know, so that nobody takes it for filtered. */
import { useSearch } from '@tanstack/react-router';
import { type FilterRules, unreadFilters } from '../../text/unread-filters.ts';
import { useWords } from '../../words/words.ts';

export function UnreadFilters({ rules }: { readonly rules: FilterRules }) {
  const { words } = useWords();
  const unread = unreadFilters(useSearch({ strict: false }), rules);
  if (unread.length === 0) return null;
  return (
    <div className="note warn unread-filters" role="alert">
      {unread.map(({ name, value, meant }) => (
        <p key={name}>
          {words.parts.unreadFilter(name, value)} {meant !== undefined && words.parts.meantFilter(meant)}
        </p>
      ))}
    </div>
  );
}
