/** A field for an amount of coins: typed in the large unit, kept in the smallest. */
import { useEffect, useState } from 'react';
import { TextField } from '../../../parts/controls/fields.tsx';
import { amountText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { coinsOfUnits, unitsOfCoins } from '../draft/coin-text.ts';

export interface CoinsFieldProps {
  readonly label: string;
  /** In the smallest unit. */
  readonly value: string;
  readonly onChange: (units: string) => void;
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
  const { words, language } = useDeskWords();
  const [typed, setTyped] = useState(() => coinsOfUnits(value, language));
  const units = unitsOfCoins(typed, language);
  const isOther = units === undefined ? value !== '' : String(units) !== value;
  useEffect(() => {
    // The draft was changed elsewhere: as JSON, by a link, by another place in the list.
    if (isOther) setTyped(coinsOfUnits(value, language));
  }, [isOther, value, language]);
  const isWrong = typed.trim() !== '' && units === undefined;
  return (
    <TextField
      label={label}
      member={member}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(String(unitsOfCoins(text, language) ?? ''));
      }}
      placeholder={placeholder}
      isDisabled={isDisabled}
      error={isWrong ? words.lab.noAmount : undefined}
      hint={units === undefined ? hint : words.parts.units(amountText(units, language).exact)}
      aside={amountText(0n, language).unit}
    />
  );
}
