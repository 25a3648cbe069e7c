/** Has events posted to an address; another address under the same name, and a paused one goes on. */
import { TextInput } from '@mantine/core';
import { eventLimits, sessionLimits } from '@symbolon/core/limits/waiting';
import { useState } from 'react';
import { useClients } from '../../api/api.tsx';
import { ActForm } from '../../parts/frame/act-form.tsx';
import { Dialog } from '../../parts/frame/dialog.tsx';
import { CodeFold } from '../../shell/code-fold.tsx';
import { useDeskWords } from '../../words/words.ts';
import { useToldAct } from './use-act.ts';

export interface WebhookDialogProps {
  /** Of a webhook that is there. */
  readonly name?: string;
  readonly onClose: () => void;
  readonly onSet: () => void;
}

export function WebhookDialog({ name: given, onClose, onSet }: WebhookDialogProps) {
  const { words } = useDeskWords('dev');
  const { service } = useClients();
  const act = useToldAct();
  const [name, setName] = useState(given ?? '');
  const [callbackUrl, setUrl] = useState('');
  const { webhooks } = words.dev;
  const body = { name: name.trim(), callbackUrl: callbackUrl.trim() };
  return (
    <Dialog title={webhooks.set} onClose={onClose}>
      <div className="pad">
        <ActForm
          submit={webhooks.setIt}
          hint={webhooks.setHint}
          isReady={body.name !== '' && URL.canParse(body.callbackUrl)}
          onSubmit={async () => {
            await act({
              call: () => service.setWebhook(body),
              done: (reply) => webhooks.isSet(reply.name),
            });
            onSet();
          }}
        >
          <TextInput
            label={webhooks.name}
            value={name}
            maxLength={eventLimits.webhookNameCharsMax}
            disabled={given !== undefined}
            onChange={(event) => setName(event.target.value)}
            data-autofocus={given === undefined || undefined}
          />
          <TextInput
            label={webhooks.receiver}
            type="url"
            placeholder="https://"
            value={callbackUrl}
            maxLength={sessionLimits.callbackUrlCharsMax}
            onChange={(event) => setUrl(event.target.value)}
            data-autofocus={given !== undefined || undefined}
          />
        </ActForm>
        <CodeFold requests={[{ server: 'service', route: 'setWebhook', given: body }]} />
      </div>
    </Dialog>
  );
}
