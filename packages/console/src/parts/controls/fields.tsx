/** Fields of forms: a label above, what is wrong or a hint below, both tied to the field. */
import { type ChangeEvent, type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';

interface FieldFacts {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** The label is said and not shown, where a column has it in its head. */
  readonly isLabelHidden?: boolean;
  /** What it fills in of a document, for whoever looks for the field (`focus-member.ts`). */
  readonly member?: string | undefined;
}

interface Tied {
  readonly id: string;
  readonly 'aria-invalid': boolean | undefined;
  readonly 'aria-describedby': string | undefined;
}

function Framed({
  label,
  hint,
  error,
  isLabelHidden = false,
  member,
  children,
}: FieldFacts & { readonly children: (tied: Tied) => ReactNode }) {
  const id = useId();
  const below = error ?? hint;
  return (
    <div className="fld" data-member={member}>
      <label htmlFor={id} className={isLabelHidden ? 'sr' : ''}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': below === undefined ? undefined : `${id}-below`,
      })}
      {below !== undefined && (
        <span id={`${id}-below`} className={error === undefined ? 'hint' : 'fld-error'}>
          {below}
        </span>
      )}
    </div>
  );
}

export interface TextFieldProps extends FieldFacts {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
  readonly isMono?: boolean;
  readonly isLocked?: boolean;
  readonly isDisabled?: boolean;
  /** Right of the text, in the field: a unit, or who it is. */
  readonly aside?: ReactNode;
  /** Values that are offered. */
  readonly offers?: readonly { readonly value: string; readonly label: string }[];
  readonly inputMode?: 'text' | 'numeric' | 'decimal';
  readonly isFocused?: boolean;
  readonly rows?: number;
}

export function TextField({ onChange, rows, isMono = false, isLocked = false, ...given }: TextFieldProps) {
  const { value, placeholder, isDisabled, aside, offers, inputMode = 'text', isFocused, ...facts } = given;
  const common = {
    value,
    placeholder,
    disabled: isDisabled,
    spellCheck: false,
    className: isMono ? 'fld-input mono' : 'fld-input',
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(target.value),
  };
  return (
    <Framed {...facts}>
      {(tied) => (
        <span className="fld-with">
          {rows === undefined ? (
            <input
              {...tied}
              {...common}
              readOnly={isLocked}
              inputMode={inputMode}
              autoComplete="off"
              list={offers && `${tied.id}-offers`}
              // biome-ignore lint/a11y/noAutofocus: a row that somebody has just added is where they go on.
              autoFocus={isFocused}
            />
          ) : (
            <textarea {...tied} {...common} rows={rows} />
          )}
          {isLocked && <Icon name="lock" />}
          {aside !== undefined && <span className="fld-aside">{aside}</span>}
          {offers && <Offers id={`${tied.id}-offers`} offers={offers} />}
        </span>
      )}
    </Framed>
  );
}

type OffersProps = Required<Pick<TextFieldProps, 'offers'>> & { readonly id: string };

function Offers({ id, offers }: OffersProps) {
  return (
    <datalist id={id}>
      {offers.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </datalist>
  );
}

export interface ChoiceFieldProps extends FieldFacts {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

export function ChoiceField({ value, options, onChange, ...facts }: ChoiceFieldProps) {
  return (
    <Framed {...facts}>
      {(tied) => (
        <select
          {...tied}
          className="fld-input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Framed>
  );
}

export interface TickFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly isTicked: boolean;
  readonly onChange: (isTicked: boolean) => void;
}

export function TickField({ label, hint, isTicked, onChange }: TickFieldProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        className="check-input"
        checked={isTicked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {label}
        {hint !== undefined && <span className="hint tick-hint">{hint}</span>}
      </span>
    </label>
  );
}

/** A switch where no word has room; what it is about is said and not shown. */
export function BareSwitch({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      className={isOn ? 'sw on' : 'sw'}
      onClick={() => onChange(!isOn)}
    />
  );
}
