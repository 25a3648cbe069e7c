/** The request of a dialog as code, beneath its form: the drawer is out of reach behind a dialog. */
import { useState } from 'react';
import type { CodeRequest } from '../code/code-request.ts';
import { latePart } from '../late/late-part.tsx';
import { Button } from '../parts/controls/button.tsx';
import { useWords } from '../words/words.ts';

const CodeSamples = latePart(() => import('./code-samples.tsx'));

export function CodeFold({ requests }: { readonly requests: readonly CodeRequest[] }) {
  const { words } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="code-fold stack">
      <Button kind="quiet" size="small" icon="code" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {words.shell.showAsCode}
      </Button>
      {isOpen && <CodeSamples requests={requests} />}
    </div>
  );
}
