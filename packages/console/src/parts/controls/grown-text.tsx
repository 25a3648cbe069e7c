/** A field as high as what is in it, so that all of a text is seen where it counts. A line break is one only where it may be. */
import type { TextareaHTMLAttributes } from 'react';

export interface GrownTextProps
  extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'rows'> {
  readonly value: string;
  readonly hasLines: boolean;
  readonly onChange: (value: string) => void;
}

export function GrownText({ value, hasLines, onChange, className = '', ...rest }: GrownTextProps) {
  return (
    // The same text lies behind the field, and gives it its height.
    <span className={`grown ${className}`} data-text={value}>
      <textarea
        {...rest}
        rows={1}
        value={value}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !hasLines) event.preventDefault();
        }}
        onChange={(event) =>
          onChange(hasLines ? event.target.value : event.target.value.replace(/[\r\n]+/g, ' '))
        }
      />
    </span>
  );
}
