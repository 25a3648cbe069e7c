/** What becomes of a value: shared, proved or hidden, with icon and word; or that there is none, as far as that can be known. */
import { useWords } from '../../words/words.ts';
import { Icon } from '../controls/icon.tsx';

export type FateName = 'shared' | 'proved' | 'hidden' | 'hiddenOrEmpty' | 'empty';

export function Fate({ fate }: { readonly fate: FateName }) {
  const { words } = useWords();
  return (
    <span className={`sp ${fate}`}>
      <Icon name={fate === 'hiddenOrEmpty' ? 'hidden' : fate} size={15} />
      {words.parts[fate]}
    </span>
  );
}

/** Stands for a hidden value. Always this wide: a length would leak. */
export function Hatch() {
  return <span className="hatch" aria-hidden="true" />;
}
