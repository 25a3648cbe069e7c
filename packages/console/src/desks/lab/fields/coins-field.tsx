/** A field for an amount of coins: typed in the large unit, kept in the smallest. */
import { int64Max } from '@symbolon/core/limits/consensus';
import { useEffect, useState } from 'react';
import { TextField } from '../../../parts/controls/fields.tsx';
import { unreadText } from '../../../parts/controls/misspelt-text.ts';
import { amountText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { coinsOfMember, memberOfCoins, unitsOfMember } from '../draft/coin-text.ts';

export interface CoinsFieldProps {
  readonly label: string;
  /** In the smallest unit; or what was typed and is no amount. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Below it, while nothing is typed. */
  readonly hint?: string;
  readonly placeholder?: string | undefined;
  readonly isDisabled?: boolean;
  readonly member?: string;
}

export function CoinsField({
  label,
  value,
  onChange,
  hint,
  placeholder,
  isDisabled = false,
  member,
}: CoinsFieldProps) {
  const { words, language } = useDeskWords('lab');
  const [typed, setTyped] = useState(() => coinsOfMember(value, language));
  const isOther = memberOfCoins(typed, language) !== value;
  useEffect(() => {
    // The draft was changed elsewhere: as JSON, by a link, by another place in the list.
    if (isOther) setTyped(coinsOfMember(value, language));
  }, [isOther, value, language]);
  const units = unitsOfMember(value);
  const isTooMuch = units !== undefined && units > int64Max;
  const errorOf = (): string | undefined => {
    if (isTooMuch) return words.lab.tooMuch;
    if (value === '' || units !== undefined) return undefined;
    return unreadText({ type: 'decimal', typed: value }, { words, language }, words.lab.noAmount);
  };
  return (
    <TextField
      label={label}
      member={member}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(memberOfCoins(text, language));
      }}
      placeholder={placeholder}
      isDisabled={isDisabled}
      error={errorOf()}
      hint={units === undefined ? hint : words.parts.units(amountText(units, language).exact)}
      aside={amountText(0n, language).unit}
    />
  );
}
