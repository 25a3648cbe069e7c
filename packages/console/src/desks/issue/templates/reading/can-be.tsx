/** Which ways a value of some kind can be shown: shared as it is, or proved to lie in a range. */
import { Icon } from '../../../../parts/controls/icon.tsx';
import { useDeskWords } from '../../../../words/words.ts';
import { canBeProved } from './attribute-words.ts';

export function CanBe({ format }: { readonly format: string }) {
  const { words } = useDeskWords('issue');
  return (
    <span className="can-be">
      <span title={words.templates.canBeShared}>
        <Icon name="shared" />
        <span className="sr">{words.templates.canBeShared}</span>
      </span>
      {canBeProved(format) && (
        <span className="can-prove" title={words.templates.canBeProved}>
          <Icon name="proved" />
          <span className="sr">{words.templates.canBeProved}</span>
        </span>
      )}
    </span>
  );
}
