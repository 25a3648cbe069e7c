/** A field for text that may be a stranger's: what cannot be seen in it, or turns it around, is named beneath it. */
import { TextField, type TextFieldProps } from '../../../parts/controls/fields.tsx';
import { HiddenNote } from '../../../parts/written/foreign-text.tsx';
import { hidesSomething } from '../../../text/foreign-text.ts';

export function SeenField({ hint, ...props }: TextFieldProps) {
  const { value, rows } = props;
  // Where there are rows, lines and tabs are seen.
  const lines = rows === undefined ? [value] : value.split(/[\n\t]/);
  return <TextField {...props} hint={lines.some(hidesSomething) ? <HiddenNote text={value} /> : hint} />;
}
