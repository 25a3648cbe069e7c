/** What changes from one version to the next, one line a change. */
import { useDeskWords } from '../../../../words/words.ts';
import { kindText } from './attribute-words.ts';
import { type AttributeChange, type ComparedAttribute, changesBetween } from './version-changes.ts';

export interface ChangeLinesProps {
  readonly before: readonly ComparedAttribute[];
  readonly after: readonly ComparedAttribute[];
}

export function ChangeLines({ before, after }: ChangeLinesProps) {
  const { words } = useDeskWords('issue');
  const { templates } = words;
  const changes = changesBetween(before, after);
  const required = (mandatory: boolean) => (mandatory ? templates.required : templates.optional);
  const told = (change: AttributeChange): string => {
    if (change.change === 'moved') return templates.orderChanged;
    const { key, format, mandatory } = change.attribute;
    if (change.change !== 'changed') return `${key} ${kindText(format, templates)} ${required(mandatory)}`;
    const was = change.before;
    const parts = change.members.map((member) => {
      if (member === 'label') return `“${was.label}” → “${change.attribute.label}”`;
      if (member === 'format') return `${kindText(was.format, templates)} → ${kindText(format, templates)}`;
      return `${required(was.mandatory)} → ${required(mandatory)}`;
    });
    return `${key}: ${parts.join(', ')}`;
  };
  if (changes.length === 0) return <p className="muted">{templates.noChanges}</p>;
  return (
    <ul className="diff">
      {changes.map((change) => (
        <li key={`${change.change} ${told(change)}`} data-change={change.change}>
          <span aria-hidden="true">{signs[change.change]}</span>
          <span className="sr">{templates.changes[change.change]}</span>
          <span>{told(change)}</span>
        </li>
      ))}
    </ul>
  );
}

const signs = { added: '+', removed: '−', changed: '~', moved: '⇅' } as const;
