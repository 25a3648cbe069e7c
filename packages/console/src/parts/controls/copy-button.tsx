/** Copies a text and says so; where the browser refuses, it says that instead. */
import { useState } from 'react';
import { useWords } from '../../words/words.ts';
import { useToast } from '../hooks/use-toast.ts';
import { Icon } from './icon.tsx';

export interface CopyButtonProps {
  readonly text: string;
  /** What it is, for whoever does not see it: "DID". */
  readonly what: string;
  /** With the word beside the drawing. */
  readonly isWordy?: boolean;
  /** The word, where it is another than "Copy". */
  readonly label?: string;
  readonly onCopied?: () => void;
}

const shownMs = 1_500;

export function CopyButton({ text, what, isWordy = false, label, onCopied }: CopyButtonProps) {
  const { words } = useWords();
  const toast = useToast();
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      onCopied?.();
      setTimeout(() => setDone(false), shownMs);
    } catch {
      // Refused by the browser: no permission, or a page that is not in front.
      toast({ tone: 'bad', text: words.parts.copyFailed });
    }
  };
  return (
    <button
      type="button"
      className={isWordy ? 'btn sm' : 'copy'}
      aria-label={isWordy ? undefined : words.parts.copy(what)}
      title={isWordy ? undefined : words.parts.copy(what)}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void copy();
      }}
    >
      <Icon name={isDone ? 'check' : 'copy'} size={isWordy ? 16 : 13} />
      {isWordy && (isDone ? words.parts.copied : (label ?? words.parts.copyPlain))}
    </button>
  );
}
