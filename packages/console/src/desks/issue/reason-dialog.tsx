/** Asks before something that cannot be undone, or that somebody is told of: what it is, what follows, and why. */
import { Modal, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Button } from '../../parts/controls/button.tsx';
import { useReturnedFocus } from '../../parts/hooks/use-returned-focus.ts';
import { ErrorState, type FailureWords } from '../../parts/states/error-state.tsx';
import { useDeskWords } from '../../words/words.ts';

export interface ReasonDialogProps {
  /** Names the thing. */
  readonly title: string;
  /** Names the consequence. */
  readonly text: string;
  readonly reasonLabel: string;
  readonly isReasonNeeded: boolean;
  readonly act: string;
  readonly isBad?: boolean;
  readonly isWorking: boolean;
  readonly failure: FailureWords | undefined;
  readonly onAct: (reason: string) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

const reasonCharsMax = 500;

export function ReasonDialog(props: ReasonDialogProps) {
  const { title, text, reasonLabel, isReasonNeeded, act, isBad, isWorking, failure, onAct, onClose } = props;
  const { words } = useDeskWords('issue');
  const [reason, setReason] = useState('');
  useReturnedFocus();
  const isReady = !isWorking && (!isReasonNeeded || reason.trim() !== '');
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <form
          className="ask"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) onAct(reason.trim());
          }}
        >
          <h2>{title}</h2>
          <p className="muted">{text}</p>
          {props.children}
          <Textarea
            label={reasonLabel}
            rows={3}
            maxLength={reasonCharsMax}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          {failure && (
            <div className="panel">
              <ErrorState failure={failure} />
            </div>
          )}
          <div className="row ask-foot">
            <Button type="submit" kind={isBad ? 'bad' : 'primary'} disabled={!isReady}>
              {isWorking ? words.issueInbox.working : act}
            </Button>
            <Button onClick={onClose} kind="quiet">
              {words.issueInbox.cancel}
            </Button>
          </div>
        </form>
      </Modal.Content>
    </Modal.Root>
  );
}
