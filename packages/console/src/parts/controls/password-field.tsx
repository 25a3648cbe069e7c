/** A field for a password, which shows none of it. */
import { TextInput, type TextInputProps } from '@mantine/core';

export interface PasswordFieldProps extends Pick<TextInputProps, 'label' | 'description' | 'error'> {
  readonly value: string;
  readonly autoComplete: 'new-password' | 'current-password' | 'off';
  readonly onType: (value: string) => void;
}

export function PasswordField({ onType, ...rest }: PasswordFieldProps) {
  return (
    <TextInput
      {...rest}
      type="password"
      spellCheck={false}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    />
  );
}
