/** The operations of a draft, as a form or as JSON. */
import { Menu } from '@mantine/core';
import { type OperationName, operationNames } from '@symbolon/core/ledger/terms/operation-types';
import { stringifyJson } from '@symbolon/wire/json/json';
import { useState } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import { useDeskWords } from '../../../words/words.ts';
import {
  type Draft,
  draftOfText,
  moved,
  newOperation,
  operationsMax,
  operationsOf,
  withOperations,
} from '../draft/draft.ts';
import type { FormDesk } from '../facts/use-form.ts';
import { SeenField } from '../fields/seen-field.tsx';
import { OperationCard } from './operation-card.tsx';
import { UnseenNote } from './unseen-note.tsx';

export interface DraftViewProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** Somebody has signed it, or the screen is too narrow. */
  readonly isFixed: boolean;
}

export interface OperationsPanelProps extends DraftViewProps {
  readonly form: FormDesk;
}

export function OperationsPanel(props: OperationsPanelProps) {
  const { words } = useDeskWords('lab');
  const { view, show } = props.form;
  return (
    <>
      <div className="row between lab-head">
        <h2>{words.lab.operations}</h2>
        <Segments
          label={words.lab.view}
          value={view}
          options={[
            { value: 'form', label: words.lab.form },
            { value: 'json', label: words.lab.json },
          ]}
          onChoose={show}
        />
      </div>
      {view === 'form' ? (
        <>
          <UnseenNote draft={props.draft} onJson={() => show('json')} />
          <OperationList {...props} />
        </>
      ) : (
        <JsonView {...props} />
      )}
    </>
  );
}

function OperationList({ draft, onChange, isFixed, form: { open, setOpen } }: OperationsPanelProps) {
  const { words } = useDeskWords('lab');
  const operations = operationsOf(draft);
  const put = (next: readonly (typeof operations)[number][]): void => onChange(withOperations(draft, next));
  const left = operationsMax - operations.length;
  const add = (name: OperationName): void => {
    put([...operations, newOperation(name)]);
    setOpen(operations.length);
  };
  return (
    <div className="lab-ops" data-member="operations">
      {operations.map((operation, at) => (
        <OperationCard
          // biome-ignore lint/suspicious/noArrayIndexKey: operations are nothing but their places; fields follow what they are given.
          key={at}
          operation={operation}
          place={at}
          count={operations.length}
          isOpen={open === at}
          isFixed={isFixed}
          onChange={(next) => put(operations.with(at, next))}
          onToggle={() => setOpen(open === at ? -1 : at)}
          onDuplicate={() => put(operations.toSpliced(at + 1, 0, operation))}
          onRemove={() => {
            put(operations.toSpliced(at, 1));
            setOpen(-1);
          }}
          onMove={(to) => {
            put(moved(operations, at, to));
            setOpen(open === at ? to : -1);
          }}
        />
      ))}
      {!isFixed && left > 0 && (
        <Menu position="bottom" width="target">
          <Menu.Target>
            <Button icon="plus" className="lab-add">
              {words.lab.add} <span className="hint">{words.lab.left(left)}</span>
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {operationNames.map((name) => (
              <Menu.Item key={name} onClick={() => add(name)}>
                {words.lab.operationKinds[name]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

const jsonRows = 18;

function JsonView({ draft, onChange, isFixed }: DraftViewProps) {
  const { words } = useDeskWords('lab');
  const [typed, setTyped] = useState(() => stringifyJson(draft, 2));
  const isReadable = draftOfText(typed) !== undefined;
  return (
    <SeenField
      label={words.lab.jsonLabel}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        const next = draftOfText(text);
        if (next) onChange(next);
      }}
      rows={jsonRows}
      isMono
      isDisabled={isFixed}
      error={isReadable ? undefined : words.lab.jsonWrong}
    />
  );
}
