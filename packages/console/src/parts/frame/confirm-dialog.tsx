/** Asks before what cannot be undone: names the thing and the consequence, and stays open until it is done or failed. */
import { useState } from 'react';
import { failureWords } from '../../api/failure.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../controls/button.tsx';
import { ErrorState, type FailureWords } from '../states/error-state.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  /** The question, with the name of the thing. */
  readonly title: string;
  /** What follows from it. */
  readonly text: string;
  /** What the button does: "End the key". */
  readonly act: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export function ConfirmDialog({ title, text, act, onConfirm, onClose }: ConfirmDialogProps) {
  const { words } = useWords();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<FailureWords>();
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFailure(failureWords(error, words));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="pad stack">
        <p>{text}</p>
        {failure && <ErrorState failure={failure} />}
        <div className="row dialog-acts">
          <Button onClick={onClose} data-autofocus>
            {words.parts.cancel}
          </Button>
          <Button kind="bad" disabled={isBusy} onClick={() => void confirm()}>
            {act}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
