/** Our mark and name, and whether this is the demo. */
import { TokenGlyph } from '../parts/controls/token-glyph.tsx';
import { useWords } from '../words/words.ts';

export function Brand({ isDemo }: { readonly isDemo: boolean }) {
  const { words } = useWords();
  return (
    <div className="brand">
      <TokenGlyph />
      {words.shell.name}
      {isDemo && (
        <span className="tag" title={words.shell.demoTitle}>
          {words.shell.demo}
        </span>
      )}
    </div>
  );
}
