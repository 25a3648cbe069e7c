/**
 * Ctrl K and /: one box for places, people, acts, and whatever the service and the ledger know under a name or an
 * identifier. Arrows choose, Enter opens, Escape closes.
 */
import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { searchLimits } from '@symbolon/core/limits/directory';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useClients } from '../../api/api.tsx';
import { useKnownNames } from '../../ledger/known-names.ts';
import type { SeenDesk } from '../../navigation/places.ts';
import { Icon } from '../../parts/controls/icon.tsx';
import { KeyHint } from '../../parts/controls/key-hint.tsx';
import { useReturnedFocus } from '../../parts/hooks/use-returned-focus.ts';
import { IdentityMark } from '../../parts/written/identity-mark.tsx';
import { isFitToSearch } from '../../text/secret-text.ts';
import { useWords } from '../../words/words.ts';
import { foundEntries, templateEntries } from './found-things.ts';
import { type FoundEntry, findEntries, type PaletteEntry, withFound } from './palette-entries.ts';

export interface PaletteBoxProps {
  readonly entries: readonly PaletteEntry[];
  readonly onDone: () => void;
  /** What is typed at first, for whoever shows it as an example. */
  readonly typed?: string;
  readonly isFocused?: boolean;
  /** Found elsewhere under what is typed. */
  readonly things?: readonly PaletteEntry[];
  /** Said below them. */
  readonly note?: string | undefined;
  readonly onTyped?: (text: string) => void;
}

export function PaletteBox(props: PaletteBoxProps) {
  const { entries, onDone, typed: first = '', isFocused = true, things = [], note, onTyped } = props;
  const { words } = useWords();
  const id = useId();
  const [typed, setTyped] = useState(first);
  const [chosen, setChosen] = useState(0);
  const found = withFound(findEntries(entries, typed), things);
  const current = Math.min(chosen, Math.max(0, found.length - 1));
  const open = (at: number): void => {
    const picked = found[at];
    if (!picked) return;
    onDone();
    picked.entry.act();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setChosen((current + step + found.length) % found.length);
    else if (event.key === 'Enter') open(current);
    else return;
    event.preventDefault();
  };
  return (
    <div className="pal-box">
      <div className="q">
        <Icon name="search" size={18} />
        <input
          role="combobox"
          aria-label={words.shell.palette.title}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          placeholder={words.shell.palette.placeholder}
          value={typed}
          data-autofocus={isFocused || undefined}
          onChange={(event) => {
            setTyped(event.target.value);
            onTyped?.(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKey}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label={words.shell.palette.results}>
        {found.map((one, at) => (
          <PaletteRow
            key={one.entry.id}
            id={`${id}-${at}`}
            found={one}
            isChosen={at === current}
            isFirst={found[at - 1]?.entry.group !== one.entry.group}
            onOpen={() => open(at)}
          />
        ))}
      </div>
      {found.length === 0 && note === undefined && (
        <p className="pal-none muted">{words.shell.palette.none(typed)}</p>
      )}
      <p className="pal-none muted" role="status" hidden={note === undefined}>
        {note}
      </p>
      <div className="f">
        <span>
          <KeyHint>↑</KeyHint> <KeyHint>↓</KeyHint> {words.shell.palette.choose}
        </span>
        <span>
          <KeyHint>Enter</KeyHint> {words.shell.palette.open}
        </span>
      </div>
    </div>
  );
}

interface PaletteRowProps {
  readonly id: string;
  readonly found: FoundEntry;
  readonly isChosen: boolean;
  readonly isFirst: boolean;
  readonly onOpen: () => void;
}

function PaletteRow({ id, found: { entry, match }, isChosen, isFirst, onOpen }: PaletteRowProps) {
  const { words } = useWords();
  const [from, to] = match;
  return (
    <>
      {isFirst && (
        <div className="g" role="presentation">
          {words.shell.palette[entry.group]}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys, as in every combobox. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: an option of a combobox never has the focus itself. */}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        className={isChosen ? 'o on' : 'o'}
        onClick={onOpen}
      >
        {entry.mark ? <IdentityMark {...entry.mark} /> : <Icon name={entry.icon} />}
        <span className="cut">
          {entry.text.slice(0, from)}
          {to > from && <b>{entry.text.slice(from, to)}</b>}
          {entry.text.slice(to)}
        </span>
        {entry.aside !== undefined && <span className="e mono faint">{entry.aside}</span>}
        {entry.key !== undefined && <KeyHint>{entry.key}</KeyHint>}
      </div>
    </>
  );
}

export interface PaletteProps {
  readonly entries: readonly PaletteEntry[];
  readonly desks: readonly SeenDesk[];
  readonly goTo: (path: string) => void;
  readonly onClose: () => void;
}

/** Nobody's every letter is searched for. */
const searchedAfterMs = 180;
const freshMs = 10_000;

/** What the service finds under a text; nothing for one that is too short or too long to be anything, or a secret. */
function useFound(typed: string) {
  const { service } = useClients();
  const [settled] = useDebouncedValue(typed.trim(), searchedAfterMs);
  const { nameCharsMin, textCharsMax } = searchLimits;
  const isNumber = /^[0-9]+$/.test(settled);
  const isLong = settled.length > textCharsMax;
  const isSearched = (isNumber || settled.length >= nameCharsMin) && !isLong && isFitToSearch(settled);
  const { data, isFetching, isError } = useQuery({
    queryKey: ['service', 'search', settled],
    queryFn: () => service.search({ q: settled }),
    enabled: isSearched,
    staleTime: freshMs,
    retry: false,
  });
  const isCurrent = isSearched && settled === typed.trim();
  return {
    found: isCurrent ? data : undefined,
    isSearching: isFetching,
    hasFailed: isCurrent && isError,
    isLong,
  };
}

export default function Palette({ entries, desks, goTo, onClose }: PaletteProps) {
  const { words } = useWords();
  useReturnedFocus();
  const [typed, setTyped] = useState('');
  const { found, isSearching, hasFailed, isLong } = useFound(typed);
  const { palette } = words.shell;
  const { templates } = useKnownNames();
  // Templates are many: only those that are called so are shown, behind everything else.
  const own = typed.trim() === '' ? entries : [...entries, ...templateEntries(templates, desks, goTo)];
  const noteOf = (): string | undefined => {
    if (!isFitToSearch(typed)) return palette.secret;
    if (isLong) return palette.tooLong;
    if (isSearching) return palette.searching;
    if (hasFailed) return palette.failed;
    return found && !found.isComplete ? palette.incomplete : undefined;
  };
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content aria-label={words.shell.palette.title}>
        <PaletteBox
          entries={own}
          things={foundEntries(found?.results ?? [], desks, { words, goTo })}
          note={noteOf()}
          onTyped={setTyped}
          onDone={onClose}
        />
      </Modal.Content>
    </Modal.Root>
  );
}
