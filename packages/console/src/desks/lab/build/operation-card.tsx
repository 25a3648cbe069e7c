/** One operation of a draft: folded to a line, or with its fields. */

import { Checkbox } from '@mantine/core';
import type { OperationName } from '@symbolon/core/ledger/terms/operation-types';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { Button } from '../../../parts/controls/button.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { useDeskWords } from '../../../words/words.ts';
import {
  bodyName,
  memberAt,
  memberText,
  nameOfOperation,
  withBodyMember,
  withDraftMember,
} from '../draft/draft.ts';
import { type OperationField, operationFields, operationTerms } from '../draft/operation-fields.ts';
import { memberOfOperation } from '../draft/problem-place.ts';
import { AccountField } from '../fields/account-field.tsx';
import { CoinsField } from '../fields/coins-field.tsx';
import { ListField } from '../fields/list-field.tsx';
import { SeenField } from '../fields/seen-field.tsx';
import { WholeField } from '../fields/whole-field.tsx';

export interface OperationCardProps {
  readonly operation: JsonObject;
  readonly place: number;
  readonly count: number;
  readonly isOpen: boolean;
  readonly isFixed: boolean;
  readonly onChange: (operation: JsonObject) => void;
  readonly onToggle: () => void;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
  readonly onMove: (to: number) => void;
}

export function OperationCard(props: OperationCardProps) {
  const { operation, place, count, isOpen, isFixed, onToggle, onDuplicate, onRemove, onMove } = props;
  const { words } = useDeskWords('lab');
  const { lab } = words;
  const number = place + 1;
  const name = nameOfOperation(operation);
  return (
    <section className={isOpen ? 'lab-op' : 'lab-op shut'} aria-label={`${number}`}>
      <header>
        <span className="lab-n">{number}</span>
        <button
          type="button"
          className="lab-op-title"
          aria-expanded={isOpen}
          title={isOpen ? lab.shut(number) : lab.open(number)}
          onClick={onToggle}
        >
          <b>{lab.operationKinds[name ?? 'unknown']}</b>
          {!isOpen && (
            <span className="muted cut mono">
              <ForeignText text={summaryOf(operation, name)} />
            </span>
          )}
        </button>
        {!isFixed && (
          <span className="lab-op-acts">
            {count > 1 && (
              <>
                <Button
                  size="small"
                  kind="quiet"
                  icon="up"
                  aria-label={lab.up(number)}
                  disabled={place === 0}
                  onClick={() => onMove(place - 1)}
                />
                <Button
                  size="small"
                  kind="quiet"
                  icon="down"
                  aria-label={lab.down(number)}
                  disabled={place === count - 1}
                  onClick={() => onMove(place + 1)}
                />
              </>
            )}
            <Button size="small" kind="quiet" onClick={onDuplicate}>
              {lab.duplicate}
            </Button>
            <Button
              size="small"
              kind="quiet"
              icon="cross"
              aria-label={lab.remove(number)}
              onClick={onRemove}
            />
          </span>
        )}
      </header>
      {isOpen && <OperationBody {...props} name={name} />}
    </section>
  );
}

/** What tells it from others of its kind. */
function summaryOf(operation: JsonObject, name: OperationName | undefined): string {
  if (name === undefined) return '';
  const body = memberAt(operation, [bodyName(name)]);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return '';
  return operationFields[name]
    .map(({ path }) => memberText(body as JsonObject, path))
    .filter(Boolean)
    .slice(0, 2)
    .join(' = ');
}

function OperationBody({
  operation,
  place,
  name,
  isFixed,
  onChange,
}: OperationCardProps & { readonly name: OperationName | undefined }) {
  const { words } = useDeskWords('lab');
  if (name === undefined) return <p className="lab-op-body muted">{words.lab.unknownWhy}</p>;
  const set = ({ path, flag }: OperationField, value: JsonValue): void => {
    const changed = withBodyMember(operation, { name, path }, value);
    onChange(flag ? withBodyMember(changed, { name, path: flag }, value !== '') : changed);
  };
  const hasTerm = Object.keys(operationTerms).some((term) => memberText(operation, [term]) !== '');
  const fields = operationFields[name];
  const memberOf = ({ path }: OperationField) => memberAt(operation, [bodyName(name), ...path]);
  const seldom = fields.filter(({ isSeldom = false }) => isSeldom);
  const draw = (field: OperationField) => (
    <FieldOf
      key={field.path.join('.')}
      field={field}
      value={memberOf(field)}
      onChange={(value) => set(field, value)}
      isFixed={isFixed}
      member={memberOfOperation(place, bodyName(name), ...field.path)}
      isCreating={name === 'payCoin'}
    />
  );
  return (
    <div className="lab-op-body">
      {fields.filter(({ isSeldom = false }) => !isSeldom).map(draw)}
      <details
        className="lab-more"
        open={hasTerm || seldom.some((field) => memberOf(field) !== undefined) || undefined}
      >
        <summary>{words.lab.more}</summary>
        <div className="lab-stack">
          {seldom.map(draw)}
          <TermFields {...{ operation, place, isFixed, onChange }} />
        </div>
      </details>
    </div>
  );
}

/** What any operation may say beside its body. */
function TermFields({
  operation,
  place,
  isFixed,
  onChange,
}: Pick<OperationCardProps, 'operation' | 'place' | 'isFixed' | 'onChange'>) {
  const { words } = useDeskWords('lab');
  const field = (term: keyof typeof operationTerms) => ({
    label: words.lab[operationTerms[term]],
    member: memberOfOperation(place, term),
    value: memberText(operation, [term]),
    onChange: (value: string) => onChange(withDraftMember(operation, [term], value)),
    isDisabled: isFixed,
  });
  return (
    <>
      <SeenField hint={words.lab.notePublic} {...field('metadata_text')} />
      <SeenField placeholder={words.lab.conditionHint} isMono {...field('expr_condition')} />
      <AccountField absent="missing" {...field('source_address')} />
    </>
  );
}

interface FieldOfProps {
  readonly field: OperationField;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue) => void;
  readonly isFixed: boolean;
  readonly member: string;
  readonly isCreating: boolean;
}

const longRows = 4;

function FieldOf({ field: { name, kind }, value, onChange, isFixed, member, isCreating }: FieldOfProps) {
  const { words } = useDeskWords('lab');
  const label = words.lab.fields[name];
  const text = value === undefined || value === null || typeof value === 'object' ? '' : String(value);
  switch (kind) {
    case 'account':
      return (
        <AccountField
          label={label}
          member={member}
          value={text}
          onChange={onChange}
          absent={isCreating ? 'created' : 'fine'}
          isDisabled={isFixed}
        />
      );
    case 'coins':
      return (
        <CoinsField label={label} member={member} value={text} onChange={onChange} isDisabled={isFixed} />
      );
    case 'flag':
      return (
        <Checkbox
          label={label}
          checked={value === true}
          disabled={isFixed}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'lines':
    case 'weights':
    case 'thresholds':
      return (
        <ListField
          label={label}
          member={member}
          kind={kind}
          value={value}
          onChange={onChange}
          isDisabled={isFixed}
        />
      );
    case 'whole':
      return (
        <WholeField label={label} member={member} value={text} onChange={onChange} isDisabled={isFixed} />
      );
    default:
      return (
        <SeenField
          label={label}
          member={member}
          value={text}
          onChange={onChange}
          isMono={kind === 'text'}
          isDisabled={isFixed}
          {...(kind === 'text' && { rows: longRows })}
        />
      );
  }
}
