/** Where a table is given: dropped, chosen or pasted. It stays in this tab; nothing of it is sent or kept. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useId, useState } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { TextField } from '../../../parts/controls/fields.tsx';
import { saveFile } from '../../../parts/controls/save-file.ts';
import { csvText, csvType } from '../../../text/csv.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useAct } from '../acting/use-act.ts';
import { tableLimits } from './bulk-limits.ts';
import { type CsvTable, readTable, type TableFault } from './table-text.ts';

export interface GiveTableProps {
  readonly table: CsvTable | undefined;
  readonly template: TemplateReply;
  readonly isLocked: boolean;
  readonly onTable: (table: CsvTable | undefined) => void;
}

interface Given {
  readonly fault: TableFault;
  readonly line?: number;
}

export function GiveTable({ table, template, isLocked, onTable }: GiveTableProps) {
  const { words } = useDeskWords('issue');
  const [isOver, setOver] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const [fault, setFault] = useState<Given>();
  const reading = useAct(async (given: Blob | string) => {
    const isTooLarge = typeof given !== 'string' && given.size > tableLimits.fileBytesMax;
    const text = typeof given === 'string' ? given : isTooLarge ? '' : await given.text();
    const read = isTooLarge ? ({ fault: 'tooLarge' } as const) : await readTable(text);
    setFault('fault' in read ? read : undefined);
    onTable('table' in read ? read.table : undefined);
  });
  const example = (): void => {
    const columns = ['did', ...template.credentialFormat.map(({ key }) => key)];
    saveFile({ name: 'table.csv', type: csvType, contents: csvText(columns, []) });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be chosen and pasted by keyboard, too.
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file && !isLocked) reading.run(file);
      }}
    >
      <p>
        <b>{table ? words.bulk.read(table.lines.length, table.header.length) : words.bulk.drop}</b>
      </p>
      <p className="hint">{words.bulk.staysHere(tableLimits.rowsMax)}</p>
      <div className="row wrap">
        <ChooseFile isLocked={isLocked} onFile={reading.run} />
        <Button size="small" onClick={() => setPasting(!isPasting)} disabled={isLocked}>
          {words.bulk.paste}
        </Button>
        <Button size="small" kind="quiet" onClick={example}>
          {words.bulk.blank}
        </Button>
      </div>
      {isPasting && (
        <PasteTable
          isLocked={isLocked}
          onTake={(text) => {
            setPasting(false);
            reading.run(text);
          }}
        />
      )}
      {fault && (
        <p className="fld-error" role="alert">
          {words.bulk.faults[fault.fault]}
          {fault.line !== undefined && ` ${words.templates.line(fault.line)}`}
        </p>
      )}
    </div>
  );
}

/** A file that somebody chooses; a label that is pressed like a button. */
function ChooseFile({
  isLocked,
  onFile,
}: {
  readonly isLocked: boolean;
  readonly onFile: (file: Blob) => void;
}) {
  const { words } = useDeskWords('issue');
  const id = useId();
  return (
    <>
      <label className="btn sm" htmlFor={id}>
        {words.bulk.chooseFile}
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv,text/plain"
        className="sr"
        disabled={isLocked}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
          event.target.value = '';
        }}
      />
    </>
  );
}

function PasteTable({
  isLocked,
  onTake,
}: {
  readonly isLocked: boolean;
  readonly onTake: (text: string) => void;
}) {
  const { words } = useDeskWords('issue');
  const [pasted, setPasted] = useState('');
  return (
    <div className="stack tight">
      <TextField
        label={words.bulk.pasteField}
        value={pasted}
        onChange={setPasted}
        rows={6}
        isMono
        isFocused
      />
      <div>
        <Button size="small" onClick={() => onTake(pasted)} disabled={pasted.trim() === '' || isLocked}>
          {words.bulk.takePasted}
        </Button>
      </div>
    </div>
  );
}
