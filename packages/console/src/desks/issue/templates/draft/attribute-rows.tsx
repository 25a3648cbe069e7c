/** The attributes of a template as rows of a form. Their order is part of what is signed, so they can be moved. */
import { credentialLimits } from '@symbolon/core/limits/documents';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Button } from '../../../../parts/controls/button.tsx';
import { BareSwitch, ChoiceField, TextField } from '../../../../parts/controls/fields.tsx';
import { Icon } from '../../../../parts/controls/icon.tsx';
import { Panel } from '../../../../parts/frame/panel.tsx';
import { useDeskWords } from '../../../../words/words.ts';
import { kindOptions } from '../reading/attribute-words.ts';
import { CanBe } from '../reading/can-be.tsx';
import {
  type BuiltTemplate,
  blankAttribute,
  type DraftAttribute,
  keyOfLabel,
  movedTo,
} from './template-draft.ts';

/** Where a form's fields find what is wrong with them. */
export type ComplaintAt = (pointer: string) => string | undefined;

export interface AttributeRowsProps {
  readonly draft: BuiltTemplate;
  readonly base: TemplateReply | undefined;
  readonly complaintAt: ComplaintAt;
  readonly onChange: (draft: BuiltTemplate) => void;
}

export function AttributeRows({ draft, base, complaintAt, onChange }: AttributeRowsProps) {
  const { words } = useDeskWords('issue');
  const { attributes } = draft;
  const known = new Set(base?.credentialFormat.map(({ key }) => key));
  const [added, setAdded] = useState<number>();
  const dragged = useRef<number>(undefined);
  const put = (next: readonly DraftAttribute[]): void => onChange({ ...draft, attributes: next });
  const move = (from: number, to: number): void => put(movedTo(attributes, from, to));
  const add = (): void => {
    const attribute = blankAttribute();
    setAdded(attribute.id);
    put([...attributes, attribute]);
  };
  const whole = complaintAt('/credentialFormat');
  return (
    <Panel
      title={words.templates.attributesTitle}
      aside={
        <>
          <span className="hint num">
            {words.templates.countOf(attributes.length, credentialLimits.attributesMax)}
          </span>
          <Button
            size="small"
            icon="plus"
            onClick={add}
            disabled={attributes.length >= credentialLimits.attributesMax}
          >
            {words.templates.add}
          </Button>
        </>
      }
    >
      <div className="at at-head only-d" aria-hidden="true">
        <span />
        <span>{words.templates.label}</span>
        <span>{words.templates.key}</span>
        <span>{words.templates.kind}</span>
        <span>{words.templates.requiredTitle}</span>
        <span>{words.templates.canBe}</span>
        <span />
      </div>
      <ol>
        {attributes.map((attribute, at) => (
          <AttributeRow
            key={attribute.id}
            attribute={attribute}
            at={at}
            isNew={base !== undefined && !known.has(attribute.key)}
            isFocused={attribute.id === added}
            complaintAt={(member) => complaintAt(`/credentialFormat/${at}/${member}`)}
            onChange={(next) => put(attributes.with(at, next))}
            onRemove={() => put(attributes.toSpliced(at, 1))}
            onMove={(step) => move(at, at + step)}
            onDrag={() => {
              dragged.current = at;
            }}
            onDrop={() => {
              if (dragged.current !== undefined) move(dragged.current, at);
              dragged.current = undefined;
            }}
          />
        ))}
      </ol>
      {whole !== undefined && <p className="fld-error at-foot">{whole}</p>}
      <p className="hint at-foot">{words.templates.orderHint}</p>
    </Panel>
  );
}

interface AttributeRowProps {
  readonly attribute: DraftAttribute;
  readonly at: number;
  readonly isNew: boolean;
  readonly isFocused: boolean;
  readonly complaintAt: ComplaintAt;
  readonly onChange: (attribute: DraftAttribute) => void;
  readonly onRemove: () => void;
  readonly onMove: (step: number) => void;
  readonly onDrag: () => void;
  readonly onDrop: () => void;
}

function AttributeRow(props: AttributeRowProps) {
  const { attribute, at, isNew, isFocused, complaintAt, onChange, onRemove, onMove, onDrag, onDrop } = props;
  const { words } = useDeskWords('issue');
  const { templates } = words;
  const { label, key, format, mandatory } = attribute;
  const named = label === '' ? templates.attributeAt(at + 1) : label;
  const rename = (next: string): void => {
    // A key that follows from the name goes on doing so, until somebody writes another.
    const follows = key === keyOfLabel(label);
    onChange({ ...attribute, label: next, ...(follows && { key: keyOfLabel(next) }) });
  };
  return (
    <li
      className={isNew ? 'at new' : 'at'}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <Grip named={named} onMove={onMove} onDrag={onDrag} />
      <TextField
        label={templates.labelOf(named)}
        isLabelHidden
        value={label}
        onChange={rename}
        placeholder={templates.label}
        error={complaintAt('attribute')}
        isFocused={isFocused}
      />
      <TextField
        label={templates.keyOf(named)}
        isLabelHidden
        value={key}
        onChange={(next) => onChange({ ...attribute, key: next })}
        placeholder={templates.key}
        isMono
        error={complaintAt('key')}
      />
      <ChoiceField
        label={templates.kindOf(named)}
        isLabelHidden
        value={format}
        options={kindOptions(format, templates)}
        onChange={(next) => onChange({ ...attribute, format: next })}
        error={complaintAt('format') ?? complaintAt('type')}
      />
      <span className="at-required">
        <BareSwitch
          label={templates.requiredOf(named)}
          isOn={mandatory}
          onChange={(next) => onChange({ ...attribute, mandatory: next })}
        />
        <span className="only-m hint">{mandatory ? templates.required : templates.optional}</span>
      </span>
      <CanBe format={format} />
      <Button
        kind="quiet"
        size="small"
        icon="cross"
        aria-label={templates.remove(named)}
        onClick={onRemove}
      />
    </li>
  );
}

/** What a row is moved by: dragged, or with the arrow keys. */
function Grip({
  named,
  onMove,
  onDrag,
}: Pick<AttributeRowProps, 'onMove' | 'onDrag'> & { readonly named: string }) {
  const { words } = useDeskWords('issue');
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    onMove(step);
  };
  return (
    <button
      type="button"
      className="grip"
      draggable
      onDragStart={onDrag}
      onKeyDown={onKey}
      aria-label={words.templates.move(named)}
      title={words.templates.moveHint}
    >
      <Icon name="grip" />
    </button>
  );
}
