/** Requests as curl, TypeScript or a command, and which of these the reader wants: remembered in this browser. */
import { useState } from 'react';
import { useConsoleConfig } from '../api/api.tsx';
import type { CodeRequest } from '../code/code-request.ts';
import { commandSetting } from '../code/command-setting.ts';
import { openPlace } from '../code/fill-ins.ts';
import { highlight } from '../code/highlight.ts';
import { isOpenName } from '../code/open-names.ts';
import { type CodeSample, sampleOf } from '../code/sample.ts';
import { CopyButton } from '../parts/controls/copy-button.tsx';
import { Segments } from '../parts/controls/segments.tsx';
import { useWords } from '../words/words.ts';

type CodeForm = keyof CodeSample;
const forms: readonly { readonly value: CodeForm; readonly label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'cli', label: 'CLI' },
];
const keptForm = 'symbolon-code-form';
const readForm = (): CodeForm =>
  forms.find(({ value }) => value === localStorage.getItem(keptForm))?.value ?? 'curl';

export function useCodeForm(): readonly [form: CodeForm, choose: (form: CodeForm) => void] {
  const [form, setForm] = useState(readForm);
  const choose = (chosen: CodeForm): void => {
    localStorage.setItem(keptForm, chosen);
    setForm(chosen);
  };
  return [form, choose];
}

interface CodeFormsProps {
  readonly form: CodeForm;
  readonly onChoose: (form: CodeForm) => void;
}

export function CodeForms({ form, onChoose }: CodeFormsProps) {
  const { words } = useWords();
  return <Segments label={words.parts.codeLanguage} value={form} options={forms} onChoose={onChoose} />;
}

/** Requests where they are asked for, outside of the drawer. */
export default function CodeSamples({ requests }: { readonly requests: readonly CodeRequest[] }) {
  const [form, choose] = useCodeForm();
  return (
    <div className="code-samples">
      <CodeForms form={form} onChoose={choose} />
      {requests.map((request) => (
        <CodeBlock key={JSON.stringify(request)} request={request} form={form} origin={location.origin} />
      ))}
    </div>
  );
}

export function CodeBlock({
  request,
  form,
  origin,
}: {
  readonly request: CodeRequest;
  readonly form: CodeForm;
  readonly origin: string;
}) {
  const { words } = useWords();
  const setting = commandSetting(useConsoleConfig(), origin);
  const sample = sampleOf(request, origin, setting)[form];
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
