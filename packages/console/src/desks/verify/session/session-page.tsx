/** One session: open, answered, or ended without an answer. */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { isOpenidSession } from '@symbolon/wire/sessions/session-ids';
import { Link } from '@tanstack/react-router';
import { failureWords } from '../../../api/failure.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { requestOfSession } from '../request/ask-again.ts';
import { AskAgain } from './ask-again-button.tsx';
import { EventLog } from './event-log.tsx';
import { openidRequestOf } from './field-session.ts';
import { FieldSessionView } from './field-session-view.tsx';
import { ResultView } from './result-view.tsx';
import { isOpen, type SessionReply, type SessionStanding, sessionStanding } from './session-facts.ts';
import { type HeardEvents, useSession, useSessionEvents } from './use-session.ts';
import { WaitingView } from './waiting-view.tsx';

export function SessionPage({ id }: { readonly id: string }) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.session;
  const { data: session, error, refetch } = useSession(id);
  const events = useSessionEvents(id, session !== undefined && isOpen(session.status));
  useShownCode(words.shell.places.sessions, [
    ...(session ? [openingOf(session)] : []),
    { server: 'service', route: 'watchVerification', given: { id } },
    { server: 'service', route: 'getVerification', given: { id } },
  ]);
  if (session) return <SessionView session={session} events={events} />;
  const isUnknown = error instanceof ServiceError && error.status === 404;
  return (
    <DeskPage title={isUnknown ? texts.unknown : words.verify.sessions.title}>
      <Panel>
        {error && !isUnknown && (
          <ErrorState failure={failureWords(error, words)} onAgain={() => void refetch()} />
        )}
        {isUnknown && (
          <EmptyState title={texts.unknown} text={texts.unknownWhy}>
            <Link to="/verify/sessions" className="btn sm">
              {texts.all}
            </Link>
          </EmptyState>
        )}
        {!error && <Bones />}
      </Panel>
    </DeskPage>
  );
}

/** What opened the session. */
const openingOf = (session: SessionReply) =>
  isOpenidSession(session.presentationId)
    ? ({
        server: 'service',
        route: 'requestOpenidVerification',
        given: openidRequestOf(session),
      } as const)
    : ({ server: 'service', route: 'requestVerification', given: requestOfSession(session) } as const);

function SessionView({ session, events }: { readonly session: SessionReply; readonly events: HeardEvents }) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.session;
  if (isOpenidSession(session.presentationId)) return <FieldSessionView session={session} events={events} />;
  if (isOpen(session.status)) return <WaitingView session={session} events={events} />;
  if (session.result && session.status !== 'ABORTED' && session.status !== 'EXPIRED')
    return <ResultView session={session} result={session.result} events={events} />;
  const standing = sessionStanding(session);
  const { endings }: { readonly endings: Partial<Record<SessionStanding, string>> } = texts;
  return (
    <DeskPage title={texts.states[standing]} text={endings[standing]} acts={<AskAgain session={session} />}>
      <EventLog session={session} events={events} />
    </DeskPage>
  );
}
