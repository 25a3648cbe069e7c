/** The template as JSON. What is wrong has its line, and a press goes there. */
import { useRef } from 'react';
import { Button } from '../../../../parts/controls/button.tsx';
import { Panel } from '../../../../parts/frame/panel.tsx';
import { ErrorState } from '../../../../parts/states/error-state.tsx';
import { useDeskWords } from '../../../../words/words.ts';
import { useAct } from '../../acting/use-act.ts';
import type { ToldComplaint } from './draft-complaints.ts';
import { fetchTemplateExample } from './example.ts';
import { jsonPlaces, lineOfPointer } from './json-places.ts';

export interface JsonEditorProps {
  readonly text: string;
  readonly complaints: readonly ToldComplaint[];
  readonly onChange: (text: string) => void;
}

export function JsonEditor({ text, complaints, onChange }: JsonEditorProps) {
  const { words } = useDeskWords('issue');
  const field = useRef<HTMLTextAreaElement>(null);
  const places = jsonPlaces(text);
  const example = useAct(async () => onChange(await fetchTemplateExample()));
  const faults =
    'mistake' in places
      ? [{ line: places.mistake.line, text: words.templates.jsonMistakes[places.mistake.problem] }]
      : complaints.map((complaint) => ({
          line: lineOfPointer(places.lines, complaint.pointer),
          text: complaint.whole,
        }));
  const goTo = (line: number): void => {
    const area = field.current;
    if (!area) return;
    const lines = text.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    area.scrollTop = ((line - 2) * area.scrollHeight) / Math.max(1, lines.length);
  };
  return (
    <Panel
      title={words.templates.jsonTitle}
      aside={
        <Button size="small" onClick={example.run} disabled={example.isBusy}>
          {words.templates.useExample}
        </Button>
      }
    >
      <textarea
        ref={field}
        className="json-text"
        aria-label={words.templates.jsonField}
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby="json-faults"
        value={text}
        rows={Math.min(28, Math.max(12, text.split('\n').length + 1))}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <div id="json-faults" className="json-faults" role="status">
        {faults.length === 0 && <span className="hint">{words.templates.jsonFits}</span>}
        <ul>
          {faults.map(({ line, text: fault }) => (
            <li key={`${line} ${fault}`}>
              <button type="button" className="lk json-line" onClick={() => goTo(line)}>
                {words.templates.line(line)}
              </button>
              <span>{fault}</span>
            </li>
          ))}
        </ul>
        {example.failure && <ErrorState failure={example.failure} />}
      </div>
    </Panel>
  );
}
