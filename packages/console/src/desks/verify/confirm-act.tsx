/** Asks once more before what cannot be taken back: names the thing and the consequence. */
import { Modal } from '@mantine/core';
import { Button } from '../../parts/controls/button.tsx';
import { useReturnedFocus } from '../../parts/hooks/use-returned-focus.ts';
import { useDeskWords } from '../../words/words.ts';

export interface ConfirmActProps {
  readonly title: string;
  readonly text: string;
  readonly act: string;
  /** The way out. */
  readonly keep?: string;
  readonly onAct: () => void;
  readonly onClose: () => void;
}

export function ConfirmAct({ title, text, act, keep, onAct, onClose }: ConfirmActProps) {
  const { words } = useDeskWords('verify');
  useReturnedFocus();
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <div className="pad stack">
          <div>
            <h2 className="h2">{title}</h2>
            <p className="muted">{text}</p>
          </div>
          <div className="row confirm-acts">
            <Button onClick={onClose} data-autofocus>
              {keep ?? words.shell.close}
            </Button>
            <Button
              kind="bad"
              onClick={() => {
                onClose();
                onAct();
              }}
            >
              {act}
            </Button>
          </div>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
