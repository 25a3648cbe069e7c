/** One webhook: what was posted to it and what its receiver answered, each of which can be posted once more. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClients } from '../../api/api.tsx';
import type { Clients } from '../../api/clients.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { failureWords } from '../../api/failure.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Icon } from '../../parts/controls/icon.tsx';
import { ConfirmDialog } from '../../parts/frame/confirm-dialog.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import { Panel } from '../../parts/frame/panel.tsx';
import type { Column } from '../../parts/frame/rows.tsx';
import { ErrorState, type FailureWords } from '../../parts/states/error-state.tsx';
import { Time } from '../../parts/written/time.tsx';
import { useShownCode } from '../../shell/shown-code.tsx';
import type { DeskWords } from '../../words/desk-words.ts';
import { useDeskWords } from '../../words/words.ts';
import { ListPanel } from './list-panel.tsx';
import { useToldAct } from './use-act.ts';
import { useWebhooks, webhooksKey } from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

type Delivery = Awaited<ReturnType<Clients['service']['listDeliveries']>>['deliveries'][number];

const pageRows = 50;

function useDeliveries(name: string) {
  const { service } = useClients();
  return useCursorPages<Delivery>([...webhooksKey, name], async (cursor) => {
    const { deliveries, nextCursor } = await service.listDeliveries({
      name,
      limit: String(pageRows),
      ...(cursor !== undefined && { cursor }),
    });
    return { rows: deliveries, next: nextCursor };
  });
}

export function DeliveriesPage({ name }: { readonly name: string }) {
  const { words } = useDeskWords('dev');
  const webhook = useWebhooks().rows?.find((one) => one.name === name);
  const query = useDeliveries(name);
  const [over, setOver] = useState<'change' | 'remove'>();
  const { webhooks } = words.dev;
  useShownCode(webhooks.one(name), [
    { server: 'service', route: 'listDeliveries', given: { name, limit: String(pageRows) } },
  ]);
  const { resend, failure, readAgain } = useResend(name);
  return (
    <DeskPage
      title={webhooks.one(name)}
      text={
        webhook && (
          <span className="row wrap">
            <span className="mono dev-words">{webhook.receiver}</span> <WebhookState webhook={webhook} />
          </span>
        )
      }
      acts={
        <>
          <Button icon="pencil" onClick={() => setOver('change')}>
            {webhook?.state === 'paused' ? webhooks.resume : webhooks.change}
          </Button>
          <Button kind="bad" onClick={() => setOver('remove')}>
            {webhooks.remove}
          </Button>
        </>
      }
    >
      {webhook?.problem !== undefined && (
        <p className="note warn dev-words">{webhooks.keeps(webhook.problem)}</p>
      )}
      {failure && (
        <Panel>
          <ErrorState failure={failure} />
        </Panel>
      )}
      <ListPanel
        query={query}
        label={webhooks.deliveries}
        title={webhooks.deliveries}
        columns={columnsOf(words, (delivery) => void resend(delivery))}
        idOf={({ id }) => id}
        empty={{ title: webhooks.noDeliveries, text: webhooks.noDeliveriesWhy }}
      />
      {over && <WebhookActs name={name} over={over} onClose={() => setOver(undefined)} onDone={readAgain} />}
    </DeskPage>
  );
}

/** Posts a delivery once more; what is refused is told beside the list. */
function useResend(name: string) {
  const { words } = useDeskWords('dev');
  const { service } = useClients();
  const queries = useQueryClient();
  const act = useToldAct();
  const [failure, setFailure] = useState<FailureWords>();
  const { webhooks } = words.dev;
  const readAgain = () => queries.invalidateQueries({ queryKey: webhooksKey });
  const resend = async ({ id }: Delivery): Promise<void> => {
    setFailure(undefined);
    try {
      await act({
        call: () => service.resendDelivery({ name, id }),
        done: ({ isTaken, status }) => (isTaken ? webhooks.resent : webhooks.resentRefused(status)),
      });
    } catch (error) {
      setFailure(failureWords(error, words));
    }
    await readAgain();
  };
  return { resend, failure, readAgain };
}

interface WebhookActsProps {
  readonly name: string;
  readonly over: 'change' | 'remove';
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function WebhookActs({ name, over, onClose, onDone }: WebhookActsProps) {
  const { words } = useDeskWords('dev');
  const { service } = useClients();
  const navigate = useNavigate();
  const act = useToldAct();
  const { webhooks } = words.dev;
  return (
    <>
      {over === 'change' && (
        <WebhookDialog
          name={name}
          onClose={onClose}
          onSet={() => {
            onClose();
            void onDone();
          }}
        />
      )}
      {over === 'remove' && (
        <ConfirmDialog
          title={webhooks.removeTitle(name)}
          text={webhooks.removeWhy}
          act={webhooks.remove}
          onClose={onClose}
          onConfirm={async () => {
            await act({
              call: () => service.removeWebhook({ name }),
              done: () => webhooks.removed(name),
            });
            await navigate({ to: '/dev/webhooks' });
            await onDone();
          }}
        />
      )}
    </>
  );
}

const columnsOf = (
  { dev: { webhooks } }: DeskWords<'dev'>,
  onResend: (delivery: Delivery) => void,
): readonly Column<Delivery>[] => [
  {
    key: 'time',
    title: webhooks.posted,
    width: 'minmax(0, 1fr)',
    cell: ({ time, isResent }) => (
      <span className="row">
        <Time at={Date.parse(time)} />
        {isResent && <span className="tag plain">{webhooks.again}</span>}
      </span>
    ),
  },
  {
    key: 'events',
    title: webhooks.events,
    width: 'minmax(0, 1fr)',
    isHiddenOnPhone: true,
    cell: ({ events, firstId, lastId }) => (
      <span title={`${firstId}–${lastId}`}>{webhooks.eventCount(events)}</span>
    ),
  },
  {
    key: 'answer',
    title: webhooks.answer,
    width: 'minmax(0, 1.6fr)',
    cell: ({ isTaken, status, problem }) => (
      <span className={`st ${isTaken ? 'ok' : 'bad'}`} title={problem}>
        <Icon name={isTaken ? 'statusOk' : 'statusBad'} />
        {status ?? problem ?? webhooks.noAnswer}
      </span>
    ),
  },
  {
    key: 'attempt',
    title: webhooks.attempt,
    width: '80px',
    isNumber: true,
    isHiddenOnPhone: true,
    cell: ({ attempt }) => attempt,
  },
  {
    key: 'ms',
    title: webhooks.took,
    width: '80px',
    isNumber: true,
    isHiddenOnPhone: true,
    cell: ({ ms }) => `${ms} ms`,
  },
  {
    key: 'resend',
    title: '',
    width: '120px',
    isNumber: true,
    cell: (delivery) => (
      <Button size="small" icon="again" onClick={() => onResend(delivery)}>
        {webhooks.resend}
      </Button>
    ),
  },
];
