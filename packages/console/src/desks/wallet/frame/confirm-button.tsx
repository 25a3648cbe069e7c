/** An act that cannot be undone: the first press asks, naming the thing and the consequence, the second does it. */
import { Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { useDeskWords } from '../../../words/words.ts';

export interface ConfirmButtonProps {
  readonly label: string;
  /** Of the first press. */
  readonly kind?: 'bad' | 'quiet';
  readonly question: string;
  readonly consequence: string;
  /** What is typed before it is done, where a press is too little. */
  readonly word?: string;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
}

export function ConfirmButton({ kind = 'bad', isDisabled = false, ...asked }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  return (
    <>
      <Button kind={kind} disabled={isDisabled} onClick={() => setAsking(true)}>
        {asked.label}
      </Button>
      <Modal.Root opened={isAsking} onClose={close}>
        <Modal.Overlay />
        <Modal.Content aria-label={asked.question}>
          <Question {...asked} onClose={close} />
        </Modal.Content>
      </Modal.Root>
    </>
  );
}

interface QuestionProps extends Omit<ConfirmButtonProps, 'kind' | 'isDisabled'> {
  readonly onClose: () => void;
}

function Question({ label, question, consequence, word, onConfirm, onClose }: QuestionProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.confirm;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (word !== undefined && typed.trim().toLowerCase() !== word) return setWrong(true);
    onClose();
    onConfirm();
  };
  return (
    <form className="pad stack" onSubmit={submit} noValidate>
      <h2 className="wallet-question">{question}</h2>
      <p className="muted">{consequence}</p>
      {word !== undefined && (
        <TextInput
          label={texts.typeWord(word)}
          value={typed}
          autoComplete="off"
          error={isWrong && texts.wrongWord(word)}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setWrong(false);
          }}
        />
      )}
      <div className="row">
        <Button kind="bad" type="submit">
          {label}
        </Button>
        <Button kind="quiet" onClick={onClose} data-autofocus>
          {texts.keepIt}
        </Button>
      </div>
    </form>
  );
}
