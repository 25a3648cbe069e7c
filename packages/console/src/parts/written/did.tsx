/** A DID: its method faint, then both ends. */
import { shortDid } from '../../text/short-ids.ts';
import { useWords } from '../../words/words.ts';
import { CopyButton } from '../controls/copy-button.tsx';

export interface DidProps {
  readonly did: string;
  readonly isCopied?: boolean;
}

export function Did({ did, isCopied = true }: DidProps) {
  const { words } = useWords();
  const { method, id } = shortDid(did);
  return (
    <span className="ref" title={did}>
      <span>
        <span className="pre">{method}</span>
        {id}
      </span>
      {isCopied && <CopyButton text={did} what={words.parts.did} />}
    </span>
  );
}
