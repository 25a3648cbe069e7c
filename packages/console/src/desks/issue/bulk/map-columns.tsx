/** Which column is what: guessed, and a person's to change. Shows no value of the table. */

import { ChoiceField, TickField } from '../../../parts/controls/fields.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { type ColumnUse, faultOfUses, type MappedAttribute } from './column-uses.ts';
import type { CsvTable } from './table-text.ts';

export interface MapColumnsProps {
  readonly table: CsvTable;
  readonly uses: readonly ColumnUse[];
  readonly attributes: readonly MappedAttribute[];
  readonly keepsApplied: boolean;
  readonly isLocked: boolean;
  readonly onUses: (uses: readonly ColumnUse[]) => void;
  readonly onKeepsApplied: (keepsApplied: boolean) => void;
}

export function MapColumns(props: MapColumnsProps) {
  const { table, uses, attributes, keepsApplied, isLocked, onUses, onKeepsApplied } = props;
  const { words } = useDeskWords('issue');
  const fault = faultOfUses(uses);
  const given = new Set<string>(uses);
  const left = attributes.filter(({ key }) => !given.has(`attribute:${key}`));
  const options = [
    { value: '', label: words.bulk.leaveOut },
    { value: 'holder', label: words.bulk.useHolder },
    { value: 'application', label: words.bulk.useApplication },
    ...attributes.map(({ key, attribute }) => ({
      value: `attribute:${key}`,
      label: `${attribute} (${key})`,
    })),
  ];
  return (
    <Panel title={words.bulk.columns} isPadded>
      <fieldset className="stack tight plain-fields" disabled={isLocked}>
        <div className="column-uses">
          {table.header.map((column, at) => (
            <ChoiceField
              key={column}
              label={column === '' ? words.bulk.unnamed(at + 1) : column}
              value={uses[at] ?? ''}
              options={options}
              onChange={(use) => onUses(uses.with(at, use as ColumnUse))}
            />
          ))}
        </div>
        {fault !== undefined && (
          <p className="fld-error" role="alert">
            {words.bulk.useFaults[fault]}
          </p>
        )}
        {left.length > 0 && (
          <p className="hint">{words.bulk.notInTable(left.map(({ attribute }) => attribute).join(', '))}</p>
        )}
        <TickField
          label={words.bulk.keepsApplied}
          hint={words.bulk.keepsAppliedHint}
          isTicked={keepsApplied}
          onChange={onKeepsApplied}
        />
      </fieldset>
    </Panel>
  );
}
