/** A command to copy into a terminal. */
import { useWords } from '../../words/words.ts';
import { CopyButton } from '../controls/copy-button.tsx';

export function CommandLine({ command }: { readonly command: string }) {
  const { words } = useWords();
  return (
    <div className="cmd">
      <code className="cut">{command}</code>
      <CopyButton text={command} what={words.parts.command} />
    </div>
  );
}
