/** What a draft says beside what the form shows, and the way to where all of it is seen. */
import { Button } from '../../../parts/controls/button.tsx';
import { ForeignText, ForeignValue } from '../../../parts/written/foreign-text.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { Draft } from '../draft/draft.ts';
import { unseenMembers } from '../draft/unseen-members.ts';

export interface UnseenNoteProps {
  readonly draft: Draft;
  readonly onJson: () => void;
}

export function UnseenNote({ draft, onJson }: UnseenNoteProps) {
  const { words } = useDeskWords('lab');
  const unseen = unseenMembers(draft);
  if (unseen.length === 0) return null;
  return (
    <div className="note warn lab-note lab-unseen" role="status">
      <div className="grow">
        {words.lab.unseen}
        <ul>
          {unseen.map(({ path, text }) => (
            <li key={path}>
              <code>
                <ForeignText text={path} />
              </code>{' '}
              <ForeignValue text={text} />
            </li>
          ))}
        </ul>
      </div>
      <Button size="small" kind="quiet" onClick={onJson}>
        {words.lab.json}
      </Button>
    </div>
  );
}
