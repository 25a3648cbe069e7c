/** An act that cannot be undone: the first press asks, naming the thing and the consequence, the second does it. */
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { useDeskWords } from '../../../words/words.ts';

export interface ConfirmButtonProps {
  readonly label: string;
  readonly question: string;
  readonly consequence: string;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
}

export function ConfirmButton({
  label,
  question,
  consequence,
  isDisabled = false,
  onConfirm,
}: ConfirmButtonProps) {
  const { words } = useDeskWords();
  const [isAsking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  return (
    <>
      <Button kind="bad" disabled={isDisabled} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Modal.Root opened={isAsking} onClose={close}>
        <Modal.Overlay />
        <Modal.Content aria-label={question}>
          <div className="pad stack">
            <h2 className="wallet-question">{question}</h2>
            <p className="muted">{consequence}</p>
            <div className="row">
              <Button
                kind="bad"
                onClick={() => {
                  close();
                  onConfirm();
                }}
              >
                {label}
              </Button>
              <Button kind="quiet" onClick={close} data-autofocus>
                {words.wallet.keepIt}
              </Button>
            </div>
          </div>
        </Modal.Content>
      </Modal.Root>
    </>
  );
}
