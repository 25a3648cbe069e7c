/** An open session: the code to scan with its time, what is asked, and what happens. Turns into the result by itself. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useChair, useClients } from '../../../api/api.tsx';
import type { ShownPerson } from '../../../api/console-config.ts';
import { failureWords } from '../../../api/failure.ts';
import { latePart } from '../../../late/late-part.tsx';
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { shortSession } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { ConfirmAct } from '../confirm-act.tsx';
import { useTemplatesById } from '../parties.ts';
import { requestOfSession } from '../request/ask-again.ts';
import { readAsked } from '../request/asked-claims.ts';
import { AskedList } from '../request/asked-list.tsx';
import { todayText } from '../today.ts';
import { EventLog } from './event-log.tsx';
import { leftText } from './left-text.ts';
import { openTabAs } from './open-tab.ts';
import type { SessionReply } from './session-facts.ts';
import { TimedQrCode } from './timed-qr-code.tsx';
import { type HeardEvents, sessionKey } from './use-session.ts';

const CodeSamples = latePart(() => import('../../../shell/code-samples.tsx'));

export interface WaitingViewProps {
  readonly session: SessionReply;
  readonly events: HeardEvents;
}

export function WaitingView({ session, events }: WaitingViewProps) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.session;
  const { service } = useClients();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [isCancelling, setCancelling] = useState(false);
  const { presentationId: id, stateId } = session;
  const isRead = session.status === 'FETCHED';
  const cancelling = useSingleMutation({
    mutationFn: () => service.abortSession({ presentation_id: id, state: stateId }),
    onError: (error) => {
      const { title, text } = failureWords(error, words);
      toast({ tone: 'bad', text: `${title}. ${text}` });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionKey(id) }),
  });
  return (
    <DeskPage
      title={isRead ? texts.deciding : texts.waiting}
      crumb={shortSession(id)}
      text={isRead ? texts.decidingWhy : texts.waitingWhy}
      acts={
        <>
          <Button icon="pencil" onClick={() => void navigate({ to: '/verify/ask', search: { from: id } })}>
            {texts.change}
          </Button>
          <Button kind="bad" disabled={cancelling.isPending} onClick={() => setCancelling(true)}>
            {texts.cancel}
          </Button>
        </>
      }
    >
      <div className="wait">
        <ScanPanel session={session} />
        <div className="stack">
          <AskedPanel session={session} />
          <EventLog session={session} events={events} />
        </div>
      </div>
      <Panel title={texts.ownCode} className="only-d own-code" isPadded>
        <CodeSamples
          requests={[{ server: 'service', route: 'requestVerification', given: requestOfSession(session) }]}
          waiting={<Bones rows={3} hasMark={false} />}
        />
      </Panel>
      {isCancelling && (
        <ConfirmAct
          title={texts.cancelTitle}
          text={texts.cancelWhy}
          act={texts.cancelAct}
          keep={texts.keep}
          onAct={() => cancelling.mutate()}
          onClose={() => setCancelling(false)}
        />
      )}
    </DeskPage>
  );
}

function ScanPanel({ session }: { readonly session: SessionReply }) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.session;
  const now = useNow();
  const { createdAt, expiresAt, qrCodeData = '', presentationId } = session;
  const [opened, ends] = [Date.parse(createdAt), Date.parse(expiresAt)];
  const leftMs = Math.max(0, ends - now);
  const hasWallet = useBuiltPlaces().has('requests');
  return (
    <section className="panel scan">
      {qrCodeData !== '' && (
        <TimedQrCode text={qrCodeData} label={texts.qr} left={leftMs / (ends - opened)} />
      )}
      <p className="scan-left num" role="timer">
        {leftMs === 0 ? texts.over : texts.left(leftText(leftMs))}
      </p>
      <p className="muted">{texts.small}</p>
      <div className="row wrap scan-acts">
        <OpenAs id={presentationId} />
      </div>
      <ul className="scan-links">
        {hasWallet && (
          <ScanLink title={texts.browserLink} link={`${location.origin}${requestPath(presentationId)}`} />
        )}
        {qrCodeData !== '' && <ScanLink title={texts.walletLink} link={qrCodeData} />}
      </ul>
    </section>
  );
}

function ScanLink({ title, link }: { readonly title: string; readonly link: string }) {
  const { words } = useDeskWords('verify');
  return (
    <li>
      <b className="hint">{title}</b>
      <span className="hint mono cut" title={link}>
        {link}
      </span>
      <CopyButton text={link} what={title} label={words.verify.session.copyLink} isWordy />
    </li>
  );
}

/** Where the wallet of this console opens a request. */
const requestPath = (id: string): string => `/wallet/requests/${id}`;

/** In the demo, the holder's wallet is a click away, in a tab of its own. */
function OpenAs({ id }: { readonly id: string }) {
  const { words } = useDeskWords('verify');
  const { people } = useChair();
  const { service } = useClients();
  const toast = useToast();
  const isBuilt = useBuiltPlaces().has('requests');
  const isOpening = useRef(false);
  const holder = people.find(({ person }) => person === 'holder');
  if (!holder || !isBuilt) return null;
  const open = async ({ person }: ShownPerson): Promise<void> => {
    if (isOpening.current) return;
    isOpening.current = true;
    const isDone = await openTabAs(requestPath(id), async () => (await service.signIn({ person })).session);
    isOpening.current = false;
    if (!isDone) toast({ tone: 'bad', text: words.verify.session.openBlocked });
  };
  return (
    <Button kind="primary" icon="card" onClick={() => void open(holder)}>
      {words.verify.session.openAs(holder.name)}
    </Button>
  );
}

type AskedForm = 'form' | 'json';

function AskedPanel({ session }: { readonly session: SessionReply }) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.session;
  const [form, setForm] = useState<AskedForm>('form');
  const asked = readAsked(session.requirements, todayText(Date.parse(session.createdAt)));
  const templates = useTemplatesById(asked.credentials.flatMap(({ templateId }) => templateId ?? []));
  return (
    <Panel
      title={texts.asked}
      aside={
        <Segments
          label={texts.view}
          value={form}
          options={[
            { value: 'form', label: texts.form },
            { value: 'json', label: texts.json },
          ]}
          onChoose={setForm}
        />
      }
    >
      {form === 'json' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre className="code asked-json" tabIndex={0}>
          {JSON.stringify(session.requirements, undefined, 2)}
        </pre>
      ) : (
        <div className="pad">
          <AskedList asked={asked} templates={templates} />
          {session.purpose !== undefined && (
            <p className="asked-why">
              <span className="muted">{texts.purpose}</span> <ForeignText text={session.purpose} />
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}
