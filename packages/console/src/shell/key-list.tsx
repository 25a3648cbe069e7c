/** `?`: every key that does something here. */
import { Modal } from '@mantine/core';
import { heldBindings, spelledKey } from '../keys/bindings.ts';
import { useKeyBindings } from '../keys/keys.tsx';
import { Button } from '../parts/controls/button.tsx';
import { KeyHint } from '../parts/controls/key-hint.tsx';
import { useWords } from '../words/words.ts';

export default function KeyList({ onClose }: { readonly onClose: () => void }) {
  const { words } = useWords();
  const bindings = heldBindings(useKeyBindings());
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content aria-label={words.shell.keys.title}>
        <header className="drawer-head">
          <b>{words.shell.keys.title}</b>
          <Button
            kind="quiet"
            size="small"
            icon="cross"
            aria-label={words.shell.close}
            onClick={onClose}
            data-autofocus
          />
        </header>
        <dl className="key-list">
          {bindings.map(({ keys, title }) => (
            <div key={`${keys} ${title}`}>
              <dt>
                {keys.split(' ').map((key, at) => (
                  <span key={key}>
                    {at > 0 && ` ${words.shell.keys.followedBy} `}
                    <KeyHint>{spelledKey(key, words.shell.keys.control)}</KeyHint>
                  </span>
                ))}
              </dt>
              <dd>{title}</dd>
            </div>
          ))}
        </dl>
      </Modal.Content>
    </Modal.Root>
  );
}
