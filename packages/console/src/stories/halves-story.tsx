/** Two halves along a line, and the right half alone. */
import { Panel } from '../parts/frame/panel.tsx';
import { Halves, type HalvesRow } from '../parts/halves/halves.tsx';
import { useWords } from '../words/words.ts';
import { bank, degreeTemplate } from './samples.ts';
import { Story } from './story.tsx';

const rows: readonly HalvesRow[] = [
  { key: 'degree', label: 'Degree', owned: 'BSc Mathematics', fate: 'shared', value: 'BSc Mathematics' },
  {
    key: 'birthDate',
    label: 'Date of birth',
    owned: '12 Apr 1999',
    fate: 'proved',
    range: { claim: '18 years or older', from: 0.34 },
  },
  {
    key: 'grade',
    label: 'Final grade',
    owned: '1.7',
    fate: 'proved',
    range: { claim: '2.0 or better', to: 0.4 },
  },
  { key: 'name', label: 'Name', owned: 'Mira Example', fate: 'hidden' },
  { key: 'studentNumber', label: 'Student number', owned: 'EX-20417', fate: 'hidden' },
];

export function HalvesStory() {
  const { words } = useWords();
  return (
    <Story title="Two halves along a line">
      <div className="grid halves-two">
        <Panel title={words.parts.halvesSum(1, 2, 2)}>
          <Halves templateId={degreeTemplate} rows={rows} owner="self" receiver={bank} />
        </Panel>
        <Panel title={words.parts.halvesTitle}>
          <Halves templateId={degreeTemplate} rows={rows} receiver={bank} />
        </Panel>
      </div>
    </Story>
  );
}
