/**
 * A dialog over the page: its title says what it asks. Escape and the cross close it, unless what it shows would be lost
 * with it; what is behind stays as it is.
 */
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../words/words.ts';
import { Button } from '../controls/button.tsx';
import { useReturnedFocus } from '../hooks/use-returned-focus.ts';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Closed by what stands in it alone: for what is shown once. */
  readonly isHeldOpen?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, isHeldOpen = false, children }: DialogProps) {
  const { words } = useWords();
  useReturnedFocus();
  return (
    <Modal.Root opened onClose={onClose} closeOnEscape={!isHeldOpen} closeOnClickOutside={!isHeldOpen}>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <header className="drawer-head dialog-head">
          <h2 className="h2">{title}</h2>
          {!isHeldOpen && (
            <Button kind="quiet" size="small" icon="cross" aria-label={words.shell.close} onClick={onClose} />
          )}
        </header>
        {children}
      </Modal.Content>
    </Modal.Root>
  );
}
