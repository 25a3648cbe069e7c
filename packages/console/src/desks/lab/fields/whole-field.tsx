/** A field for a whole number. What is none stays in the draft as it was typed, where it is refused. */
import { TextField, type TextFieldProps } from '../../../parts/controls/fields.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { isWhole } from '../draft/list-text.ts';

export function WholeField(props: Omit<TextFieldProps, 'error' | 'inputMode'>) {
  const { words } = useDeskWords('lab');
  const isWrong = props.value !== '' && !isWhole(props.value);
  return <TextField {...props} inputMode="numeric" error={isWrong ? words.lab.digitsOnly : undefined} />;
}
