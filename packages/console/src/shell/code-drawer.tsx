/** The drawer of "Show as code": the page's requests as curl, TypeScript or a command. Remembers which. */
import { Drawer } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { type MadeRequest, readMadeRequests, watchMadeRequests } from '../api/made-requests.ts';
import { Button } from '../parts/controls/button.tsx';
import { CopyButton } from '../parts/controls/copy-button.tsx';
import { useReturnedFocus } from '../parts/hooks/use-returned-focus.ts';
import { Time } from '../parts/written/time.tsx';
import { useWords } from '../words/words.ts';
import { CodeBlock, CodeForms, useCodeForm } from './code-samples.tsx';
import type { ShownCode } from './shown-code.tsx';

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
  const [form, choose] = useCodeForm();
  return (
    <>
      <header className="drawer-head">
        <b className="cut">{code?.title ?? words.parts.codeTitle}</b>
        <CodeForms form={form} onChoose={choose} />
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

export interface CodeDrawerProps {
  readonly onClose: () => void;
  readonly code: ShownCode | undefined;
}

export default function CodeDrawer({ onClose, code }: CodeDrawerProps) {
  const { words } = useWords();
  useReturnedFocus();
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
