/** Webhooks of the API key: where events are posted to, how far each has come, and what keeps it. */
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChair, useClients } from '../../api/api.tsx';
import type { CodeRequest } from '../../code/code-request.ts';
import { Button } from '../../parts/controls/button.tsx';
import { ConfirmDialog } from '../../parts/frame/confirm-dialog.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import type { Column } from '../../parts/frame/rows.tsx';
import { Time } from '../../parts/written/time.tsx';
import { useShownCode } from '../../shell/shown-code.tsx';
import type { DeskWords } from '../../words/desk-words.ts';
import { useDeskWords } from '../../words/words.ts';
import './dev.css';
import { DeliveriesPage } from './deliveries-page.tsx';
import { ListPanel } from './list-panel.tsx';
import { ShownOnce } from './shown-once.tsx';
import { useToldAct } from './use-act.ts';
import { type OwnWebhook, useWebhooks, webhooksKey } from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

const requests: readonly CodeRequest[] = [{ server: 'service', route: 'listWebhooks' }];

export default function WebhooksPage() {
  const { name } = useParams({ strict: false }) as { readonly name?: string };
  return name === undefined ? <WebhookList /> : <DeliveriesPage name={name} />;
}

function WebhookList() {
  const { words } = useDeskWords('dev');
  const { signedIn } = useChair();
  const query = useWebhooks();
  const queries = useQueryClient();
  const [isSetting, setSetting] = useState(false);
  const { webhooks } = words.dev;
  useShownCode(webhooks.title, requests);
  const mayVerify = signedIn?.scopes.includes('verify') ?? false;
  const setButton = (
    <Button kind="primary" icon="plus" onClick={() => setSetting(true)}>
      {webhooks.set}
    </Button>
  );
  return (
    <DeskPage
      title={webhooks.title}
      text={webhooks.about}
      acts={
        signedIn && (
          <>
            {mayVerify && <CallbackSecret />}
            {setButton}
          </>
        )
      }
    >
      <ListPanel
        query={query}
        label={webhooks.title}
        columns={columnsOf(words)}
        idOf={({ name }) => name}
        hrefOf={({ name }) => `/dev/webhooks/${encodeURIComponent(name)}`}
        empty={{ title: webhooks.empty, text: webhooks.emptyWhy }}
      />
      {isSetting && (
        <WebhookDialog
          onClose={() => setSetting(false)}
          onSet={() => {
            setSetting(false);
            void queries.invalidateQueries({ queryKey: webhooksKey });
          }}
        />
      )}
    </DeskPage>
  );
}

/** The secret under which results and events are signed for this key. */
function CallbackSecret() {
  const { words } = useDeskWords('dev');
  const { service } = useClients();
  const act = useToldAct();
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const { webhooks } = words.dev;
  return (
    <>
      <Button icon="key" onClick={() => setAsking(true)}>
        {webhooks.secret}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={webhooks.secretTitle}
          text={webhooks.secretWhy}
          act={webhooks.secretMake}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const { callbackSecretKey } = await act({
              call: () => service.makeCallbackSecret({}),
              done: () => webhooks.secretMade,
            });
            setSecret(callbackSecretKey);
          }}
        />
      )}
      {secret !== undefined && (
        <ShownOnce
          title={webhooks.secret}
          text={webhooks.secretOnce}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

const columnsOf = ({ dev: { webhooks } }: DeskWords<'dev'>): readonly Column<OwnWebhook>[] => [
  { key: 'name', title: webhooks.name, width: 'minmax(0, 1fr)', cell: ({ name }) => <b>{name}</b> },
  {
    key: 'receiver',
    title: webhooks.receiver,
    width: 'minmax(0, 2fr)',
    isHiddenOnPhone: true,
    cell: ({ receiver }) => <span className="mono">{receiver}</span>,
  },
  {
    key: 'state',
    title: webhooks.state,
    width: '130px',
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
  {
    key: 'delivered',
    title: webhooks.delivered,
    width: '130px',
    isHiddenOnPhone: true,
    cell: ({ deliveredAt }) =>
      deliveredAt === undefined ? (
        <span className="faint">{webhooks.never}</span>
      ) : (
        <Time at={Date.parse(deliveredAt)} />
      ),
  },
];
