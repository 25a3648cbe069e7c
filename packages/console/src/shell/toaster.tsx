/** Shows what parts say in passing, a few at a time, for a few seconds; read out to whoever does not see it. */
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { Icon } from '../parts/controls/icon.tsx';
import { ToastContext, type ToastText } from '../parts/hooks/use-toast.ts';
import { useWords } from '../words/words.ts';

const shownMs = 6_000;
const shownMax = 3;

interface ShownToast extends ToastText {
  readonly id: number;
}

export function Toaster({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const count = useRef(0);
  const drop = useCallback((id: number) => setToasts((before) => before.filter((one) => one.id !== id)), []);
  const show = useCallback(
    (toast: ToastText) => {
      count.current += 1;
      const id = count.current;
      setToasts((before) => [...before, { ...toast, id }].slice(-shownMax));
      setTimeout(() => drop(id), shownMs);
    },
    [drop],
  );
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ToastLine key={toast.id} toast={toast} onDrop={() => drop(toast.id)} />
        ))}
      </div>
    </ToastContext>
  );
}

const icons = { plain: 'check', ok: 'statusOk', bad: 'statusBad' } as const;

export function ToastLine({ toast, onDrop }: { readonly toast: ToastText; readonly onDrop: () => void }) {
  const { words } = useWords();
  return (
    <div className={`toast ${toast.tone}`}>
      <Icon name={icons[toast.tone]} />
      <span className="grow">{toast.text}</span>
      <button type="button" className="copy" aria-label={words.parts.dismiss} onClick={onDrop}>
        <Icon name="cross" size={13} />
      </button>
    </div>
  );
}
