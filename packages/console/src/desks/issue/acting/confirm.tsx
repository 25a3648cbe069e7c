/** A question before an act that cannot be taken back: it names the thing and the consequence. */
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { useReturnedFocus } from '../../../parts/hooks/use-returned-focus.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { Act } from './use-act.ts';

export interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  /** What the button says. */
  readonly doIt: string;
  readonly act: Act<[]>;
  readonly onClose: () => void;
  /** Asked along with it. */
  readonly children?: ReactNode;
}

export function Confirm({ title, text, doIt, act, onClose, children }: ConfirmProps) {
  const { words } = useDeskWords('issue');
  const { isBusy, failure, run } = act;
  useReturnedFocus();
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <div className="pad confirm">
          <h2 className="confirm-title">{title}</h2>
          <p className="muted">{text}</p>
          {children}
          {failure && <ErrorState failure={failure} />}
          <div className="row confirm-acts">
            <Button onClick={onClose} data-autofocus>
              {words.templates.leaveIt}
            </Button>
            <Button kind="bad" onClick={run} disabled={isBusy}>
              {isBusy ? words.templates.underWay : doIt}
            </Button>
          </div>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
