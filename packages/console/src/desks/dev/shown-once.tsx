/** A secret that is shown this once: to be copied now, and gone when somebody says that they have it. */
import { Button } from '../../parts/controls/button.tsx';
import { CopyButton } from '../../parts/controls/copy-button.tsx';
import { Dialog } from '../../parts/frame/dialog.tsx';
import { useDeskWords } from '../../words/words.ts';

export interface ShownOnceProps {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}

export function ShownOnce({ title, text, secret, onClose }: ShownOnceProps) {
  const { words } = useDeskWords('dev');
  return (
    <Dialog title={title} onClose={onClose} isHeldOpen>
      <div className="pad stack">
        <p>{text}</p>
        <output className="code dev-secret">{secret}</output>
        <div className="row dialog-acts">
          <CopyButton text={secret} what={words.dev.secret} isWordy />
          <Button kind="primary" onClick={onClose}>
            {words.dev.haveIt}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
