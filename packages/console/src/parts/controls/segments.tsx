/** A choice of a few, all of them seen. */
import { SegmentedControl } from '@mantine/core';

export interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
}

export function Segments<Value extends string>({ label, value, options, onChoose }: SegmentsProps<Value>) {
  return (
    <SegmentedControl
      aria-label={label}
      value={value}
      data={options.map((option) => ({ ...option }))}
      onChange={(chosen) => onChoose(chosen as Value)}
      transitionDuration={0}
    />
  );
}
