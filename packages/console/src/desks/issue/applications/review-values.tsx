/** What will be signed: each value beside what the template wants of it, to be corrected; the same as JSON. */
import { useId, useState } from 'react';
import { GrownText } from '../../../parts/controls/grown-text.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import { ForeignText, HiddenNote } from '../../../parts/written/foreign-text.tsx';
import type { Language } from '../../../text/language.ts';
import { dayText } from '../../../text/times.ts';
import type { DeskSections } from '../../../words/desk-words.ts';
import { useDeskWords } from '../../../words/words.ts';
import { misfitText } from '../values/typed-value.ts';
import { jsonOfValues, type TypedValues, type ValueRow, valuesOfJson } from './value-rows.ts';

export interface ReviewValuesProps {
  readonly rows: readonly ValueRow[];
  /** Whether they are to be signed, were signed here, or were only applied with. */
  readonly stage: 'open' | 'signed' | 'over';
  /** Both left out where nothing can be changed: values as somebody types them, and as they are kept. */
  readonly onType?: (typed: TypedValues) => void;
  readonly onKept?: (kept: TypedValues) => void;
}

export function ReviewValues({ rows, stage, onType, onKept }: ReviewValuesProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  const [form, setForm] = useState<'form' | 'json'>('form');
  const title = {
    open: texts.signedTitle,
    signed: texts.wasSignedTitle,
    over: texts.appliedTitle,
  }[stage];
  return (
    <section aria-label={title}>
      <div className="row between rev-head">
        <h2 className="h2">{title}</h2>
        <Segments
          label={texts.formOrJson}
          value={form}
          options={[
            { value: 'form', label: texts.form },
            { value: 'json', label: 'JSON' },
          ]}
          onChoose={setForm}
        />
      </div>
      {form === 'form' ? (
        <div className="panel">
          {rows.map((row) => (
            <ValueLine
              key={row.key}
              row={row}
              onType={onType && ((text) => onType({ ...typedOfRows(rows), [row.key]: text }))}
            />
          ))}
        </div>
      ) : (
        <JsonValues rows={rows} title={title} onChange={onKept} />
      )}
    </section>
  );
}

const typedOfRows = (rows: readonly ValueRow[]): TypedValues =>
  Object.fromEntries(rows.map(({ key, typed }) => [key, typed]));

interface ValueLineProps {
  readonly row: ValueRow;
  readonly onType: ((text: string) => void) | undefined;
}

function ValueLine({ row, onType }: ValueLineProps) {
  const { words, language } = useDeskWords('issue');
  const id = useId();
  const texts = words.issueInbox;
  const { label, type, typed, applied, isChanged, misfit } = row;
  const isPicture = type === 'image';
  const said = misfit && misfitText(misfit, words);
  return (
    <div className="vr" data-changed={isChanged} data-bad={said !== undefined}>
      <label htmlFor={isPicture ? undefined : id} className="muted">
        {label}
      </label>
      {isPicture ? (
        <Picture value={typed} format={row.format} label={label} />
      ) : (
        <GrownText
          id={id}
          className="vr-value"
          value={onType ? typed : row.signed}
          hasLines={type === 'text'}
          readOnly={onType === undefined}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={said !== undefined}
          aria-describedby={`${id}-hint`}
          onChange={(text) => onType?.(text)}
        />
      )}
      <span className={said === undefined ? 'hint right' : 'hint right vr-bad'} id={`${id}-hint`}>
        {said ?? hintOf(row, texts, language)}
      </span>
      {isChanged && applied !== '' && !isPicture && (
        <span className="hint vr-before">
          <s>
            <ForeignText text={applied} />
          </s>{' '}
          {texts.changed}
        </span>
      )}
      {!isPicture && <HiddenNote text={typed} />}
    </div>
  );
}

/** What a value is, in the reader's words; a date as people write it. */
function hintOf(row: ValueRow, texts: DeskSections['issueInbox'], language: Language): string {
  const ms = row.type === 'date' ? Date.parse(row.signed) : Number.NaN;
  if (!Number.isNaN(ms)) return dayText(ms, language);
  if (row.type === 'text' && row.format !== 'string' && row.format !== 'text') return row.format;
  return row.isMandatory ? texts.kinds[row.type] : texts.optional(texts.kinds[row.type]);
}

/** Only what the template calls an image, and only of the kinds that browsers draw without running anything. */
function Picture({
  value,
  format,
  label,
}: {
  readonly value: string;
  readonly format: string;
  readonly label: string;
}) {
  const start = `data:${format};base64,`;
  const isImage = /^image\/(png|jpeg|webp|gif)$/.test(format) && value.startsWith(start);
  return isImage ? <img className="vr-picture" src={value} alt={label} /> : <span className="muted">—</span>;
}

interface JsonValuesProps extends Pick<ReviewValuesProps, 'rows'> {
  readonly title: string;
  readonly onChange: ((kept: TypedValues) => void) | undefined;
}

function JsonValues({ rows, title, onChange }: JsonValuesProps) {
  const { words } = useDeskWords('issue');
  const [text, setText] = useState(() => jsonOfValues(rows));
  const isRead = valuesOfJson(text) !== undefined;
  return (
    <>
      <textarea
        className="fld-input mono vr-json"
        rows={Math.min(18, rows.length + 3)}
        aria-label={title}
        aria-invalid={!isRead}
        spellCheck={false}
        readOnly={onChange === undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          const values = valuesOfJson(event.target.value);
          if (values) onChange?.(values);
        }}
      />
      {!isRead && <p className="fld-error">{words.issueInbox.jsonWrong}</p>}
    </>
  );
}
