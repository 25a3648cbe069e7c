/** A field for a list, an element a line. */
import type { JsonValue } from '@symbolon/wire/json/json';
import { useState } from 'react';
import { useDeskWords } from '../../../words/words.ts';
import { hasWrongNumber, type ListKind, listOfText, textOfList } from '../draft/list-text.ts';
import { SeenField } from './seen-field.tsx';

export interface ListFieldProps {
  readonly label: string;
  readonly kind: ListKind;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue) => void;
  readonly isDisabled: boolean;
  readonly member: string;
}

const shownRows = 3;

export function ListField({ label, kind, value, onChange, isDisabled, member }: ListFieldProps) {
  const { words } = useDeskWords('lab');
  const kept = textOfList(value, kind);
  const [typed, setTyped] = useState(kept);
  // What is typed stands as long as it says what the draft says: a space at the end of a line is on its way to a word.
  const shown = textOfList(listOfText(typed, kind), kind) === kept ? typed : kept;
  return (
    <SeenField
      label={label}
      member={member}
      value={shown}
      onChange={(text) => {
        setTyped(text);
        onChange(listOfText(text, kind));
      }}
      rows={shownRows}
      isMono
      isDisabled={isDisabled}
      error={hasWrongNumber(value ?? '', kind) ? words.lab.digitsOnly : undefined}
    />
  );
}
