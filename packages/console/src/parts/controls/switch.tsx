/** Something that is on or off at once. What is only done by a button later is a checkbox. */
import { Switch as MantineSwitch } from '@mantine/core';

export interface SwitchProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}

export function Switch({ label, hint, isOn, isDisabled = false, onSwitch }: SwitchProps) {
  return (
    <MantineSwitch
      label={label}
      description={hint}
      checked={isOn}
      disabled={isDisabled}
      withThumbIndicator={false}
      onChange={(event) => onSwitch(event.target.checked)}
    />
  );
}
