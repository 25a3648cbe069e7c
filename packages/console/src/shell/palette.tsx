/** Ctrl K: one box for places, people and acts. Arrows choose, Enter opens, Escape closes. */
import { Modal } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { Icon } from '../parts/controls/icon.tsx';
import { KeyHint } from '../parts/controls/key-hint.tsx';
import { IdentityMark } from '../parts/written/identity-mark.tsx';
import { useWords } from '../words/words.tsx';
import { type FoundEntry, findEntries, type PaletteEntry } from './palette-entries.ts';

export interface PaletteBoxProps {
  readonly entries: readonly PaletteEntry[];
  readonly onDone: () => void;
  /** What is typed at first, for whoever shows it as an example. */
  readonly typed?: string;
  readonly isFocused?: boolean;
}

export function PaletteBox({ entries, onDone, typed: first = '', isFocused = true }: PaletteBoxProps) {
  const { words } = useWords();
  const id = useId();
  const [typed, setTyped] = useState(first);
  const [chosen, setChosen] = useState(0);
  const found = findEntries(entries, typed);
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
      {found.length === 0 && <p className="pal-none muted">{words.shell.palette.none(typed)}</p>}
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
  readonly onClose: () => void;
}

export default function Palette({ entries, onClose }: PaletteProps) {
  const { words } = useWords();
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content aria-label={words.shell.palette.title}>
        <PaletteBox entries={entries} onDone={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}
