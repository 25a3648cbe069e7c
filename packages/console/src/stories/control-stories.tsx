/** Controls and dialogs of forms, in their states. */
import { useState } from 'react';
import { Button } from '../parts/controls/button.tsx';
import { GrownText } from '../parts/controls/grown-text.tsx';
import { Switch } from '../parts/controls/switch.tsx';
import { ActForm } from '../parts/frame/act-form.tsx';
import { ConfirmDialog } from '../parts/frame/confirm-dialog.tsx';
import { Panel } from '../parts/frame/panel.tsx';
import { Story } from './story.tsx';

export function SwitchStory() {
  const [isOn, setOn] = useState(true);
  return (
    <Story title="Switch: on or off at once">
      <Panel isPadded>
        <div className="stack">
          <Switch label="Issue at once" hint="Applications wait for nobody" isOn={isOn} onSwitch={setOn} />
          <Switch label="Off" isOn={false} onSwitch={() => undefined} />
          <Switch label="Cannot be changed" isOn isDisabled onSwitch={() => undefined} />
        </div>
      </Panel>
    </Story>
  );
}

export function GrownTextStory() {
  const [text, setText] = useState(
    'Faculty of everything that has a name which does not end on one line. '.repeat(3),
  );
  return (
    <Story title="A field as high as what is in it">
      <Panel isPadded>
        <GrownText aria-label="Faculty" value={text} hasLines onChange={setText} />
      </Panel>
    </Story>
  );
}

export function DialogStory() {
  const [isAsked, setAsked] = useState(false);
  return (
    <Story title="A form says what failed; what cannot be undone is asked for">
      <Panel isPadded>
        <ActForm submit="Save" hint="What is typed stays" isReady onSubmit={async () => undefined}>
          <p>Fields stand here.</p>
        </ActForm>
        <Button kind="bad" onClick={() => setAsked(true)}>
          End the key
        </Button>
        {isAsked && (
          <ConfirmDialog
            title="End the key nightly export?"
            text="Programs that use it are refused from now on. It cannot be undone."
            act="End the key"
            onConfirm={async () => undefined}
            onClose={() => setAsked(false)}
          />
        )}
      </Panel>
    </Story>
  );
}
