/** What becomes of a value: shared, proved or hidden, with icon and word. */
import { useWords } from '../../words/words.ts';
import { Icon } from '../controls/icon.tsx';

export type FateName = 'shared' | 'proved' | 'hidden';

export function Fate({ fate }: { readonly fate: FateName }) {
  const { words } = useWords();
  return (
    <span className={`sp ${fate}`}>
      <Icon name={fate} size={15} />
      {words.parts[fate]}
    </span>
  );
}

/** Stands for a hidden value. Always this wide: a length would leak. */
export function Hatch() {
  return <span className="hatch" aria-hidden="true" />;
}
