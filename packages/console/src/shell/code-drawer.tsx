/** The drawer of "Show as code": the page's requests as curl, TypeScript or a command. Remembers which. */
import { Drawer } from '@mantine/core';
import { useState } from 'react';
import type { CodeRequest } from '../code/code-request.ts';
import { highlight } from '../code/highlight.ts';
import { type CodeSample, sampleOf } from '../code/sample.ts';
import { Button } from '../parts/controls/button.tsx';
import { CopyButton } from '../parts/controls/copy-button.tsx';
import { Segments } from '../parts/controls/segments.tsx';
import { useWords } from '../words/words.tsx';
import type { ShownCode } from './shown-code.tsx';

type CodeForm = keyof CodeSample;
const forms: readonly { readonly value: CodeForm; readonly label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'cli', label: 'CLI' },
];
const keptForm = 'symbolon-code-form';
const readForm = (): CodeForm =>
  forms.find(({ value }) => value === localStorage.getItem(keptForm))?.value ?? 'curl';

export interface CodePanelProps {
  readonly code: ShownCode | undefined;
  readonly origin: string;
  readonly onClose: () => void;
}

/** What stands in the drawer. */
export function CodePanel({ code, origin, onClose }: CodePanelProps) {
  const { words } = useWords();
  const [form, setForm] = useState(readForm);
  const choose = (chosen: CodeForm): void => {
    localStorage.setItem(keptForm, chosen);
    setForm(chosen);
  };
  return (
    <>
      <header className="drawer-head">
        <b className="cut">{code?.title ?? words.parts.codeTitle}</b>
        <Segments label={words.parts.codeLanguage} value={form} options={forms} onChoose={choose} />
        <Button kind="quiet" size="small" icon="cross" aria-label={words.shell.close} onClick={onClose} />
      </header>
      <div className="pad">
        {code?.requests.map((request) => (
          <CodeBlock key={JSON.stringify(request)} request={request} form={form} origin={origin} />
        ))}
        {(code?.requests.length ?? 0) === 0 && <p className="muted">{words.parts.codeNone}</p>}
        <p className="hint">{words.parts.codeKeys}</p>
      </div>
    </>
  );
}

function CodeBlock({
  request,
  form,
  origin,
}: {
  readonly request: CodeRequest;
  readonly form: CodeForm;
  readonly origin: string;
}) {
  const { words } = useWords();
  const text = sampleOf(request, origin)[form];
  if (text === undefined) return <p className="muted code-none">{words.parts.codeNoCommand}</p>;
  const pieces = highlight(text);
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre className="code" tabIndex={0}>
        {pieces.map(({ tone, text: piece }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have nothing but their place.
          <span key={at} className={tone}>
            {piece}
          </span>
        ))}
      </pre>
      <CopyButton text={text} what={words.parts.command} isWordy />
    </div>
  );
}

export interface CodeDrawerProps {
  readonly onClose: () => void;
  readonly code: ShownCode | undefined;
}

export default function CodeDrawer({ onClose, code }: CodeDrawerProps) {
  const { words } = useWords();
  return (
    <Drawer.Root opened onClose={onClose}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={words.parts.codeTitle}>
        <CodePanel code={code} origin={location.origin} onClose={onClose} />
      </Drawer.Content>
    </Drawer.Root>
  );
}
