/** The drawer of "Show as code": the page's requests as curl, TypeScript or a command. Remembers which. */
import { Drawer } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { type MadeRequest, readMadeRequests, watchMadeRequests } from '../api/made-requests.ts';
import type { CodeRequest } from '../code/code-request.ts';
import { openPlace } from '../code/fill-ins.ts';
import { highlight } from '../code/highlight.ts';
import { isOpenName } from '../code/open-names.ts';
import { type CodeSample, sampleOf } from '../code/sample.ts';
import { Button } from '../parts/controls/button.tsx';
import { CopyButton } from '../parts/controls/copy-button.tsx';
import { Segments } from '../parts/controls/segments.tsx';
import { Time } from '../parts/written/time.tsx';
import { useWords } from '../words/words.ts';
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
  /** What was done here, the newest first. */
  readonly made?: readonly MadeRequest[];
  readonly origin: string;
  readonly onClose: () => void;
}

/** What stands in the drawer. */
export function CodePanel({ code, made = [], origin, onClose }: CodePanelProps) {
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
        {made.length > 0 && <h3 className="h2 code-made">{words.parts.codeMade}</h3>}
        {made.map((one) => (
          <div key={`${one.at} ${one.requestId}`}>
            <p className="hint row code-made-line">
              <Time at={one.at} width="log" />
              {one.requestId !== undefined && (
                <span className="mono cut" title={one.requestId}>
                  {one.requestId}
                </span>
              )}
              {one.requestId !== undefined && (
                <CopyButton text={one.requestId} what={words.parts.requestId} />
              )}
            </p>
            <CodeBlock request={one.request} form={form} origin={origin} />
          </div>
        ))}
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
  const sample = sampleOf(request, origin)[form];
  if (sample === undefined) return <p className="muted code-none">{words.parts.codeNoCommand}</p>;
  const { text, open } = sample;
  const pieces = highlight(text);
  return (
    <>
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
      <FillIns names={open} />
    </>
  );
}

/** What the reader must put in before it runs, and what that is. */
function FillIns({ names }: { readonly names: readonly string[] }) {
  const { words } = useWords();
  const { codeOpen, codeOpenValue } = words.parts;
  if (names.length === 0) return null;
  return (
    <div className="code-open">
      <b>{words.parts.codeFillIn}</b>
      <dl>
        {names.map((name) => (
          <div key={name}>
            <dt className="mono">{openPlace(name)}</dt>
            <dd>{isOpenName(name) ? codeOpen[name] : codeOpenValue(name)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

export interface CodeDrawerProps {
  readonly onClose: () => void;
  readonly code: ShownCode | undefined;
}

export default function CodeDrawer({ onClose, code }: CodeDrawerProps) {
  const { words } = useWords();
  const made = useSyncExternalStore(watchMadeRequests, readMadeRequests);
  return (
    <Drawer.Root opened onClose={onClose}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={words.parts.codeTitle}>
        <CodePanel code={code} made={made} origin={location.origin} onClose={onClose} />
      </Drawer.Content>
    </Drawer.Root>
  );
}
