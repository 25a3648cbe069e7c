/** What happened in a session, in the order in which it did. A time that nobody kept is left out. */
import { Panel } from '../../../parts/frame/panel.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { isOpen, type SessionReply, type SessionStanding, sessionStanding } from './session-facts.ts';
import type { HeardEvents } from './use-session.ts';

export interface EventLogProps {
  readonly session: SessionReply;
  readonly events: HeardEvents;
}

interface LogLine {
  readonly status: string;
  readonly standing: SessionStanding;
  readonly at: number | undefined;
}

/** Where a session stands that a wallet has read for certain. */
const readBefore: ReadonlySet<SessionStanding> = new Set(['FETCHED', 'VERIFIED', 'FAILED', 'declined']);

/** Opened, read, ended: what is known of each from the session and from what was heard. */
function linesOf(session: SessionReply, { heard }: HeardEvents): readonly LogLine[] {
  const { status, createdAt, updatedAt, result } = session;
  const standing = sessionStanding(session);
  const heardAt = (state: string): number | undefined => heard.find((one) => one.status === state)?.at;
  const wasFetched = readBefore.has(standing) || heardAt('FETCHED') !== undefined;
  const readAt = status === 'FETCHED' ? updatedAt : result?.fetchedAt;
  const fetchedAt = readAt === undefined ? heardAt('FETCHED') : Date.parse(readAt);
  return [
    { status: 'CREATED', standing: 'CREATED', at: Date.parse(createdAt) },
    ...(wasFetched ? [{ status: 'FETCHED', standing: 'FETCHED', at: fetchedAt } as const] : []),
    ...(isOpen(status) ? [] : [{ status, standing, at: Date.parse(updatedAt) }]),
  ];
}

const toneOf = (status: string): string => {
  if (status === 'VERIFIED') return 'ok';
  return status === 'FAILED' ? 'bad' : '';
};

export function EventLog({ session, events }: EventLogProps) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.session;
  const open = isOpen(session.status);
  const seconds = ((Date.parse(session.updatedAt) - Date.parse(session.createdAt)) / 1_000).toFixed(1);
  const line = (
    <>
      <span className={events.line === 'connected' ? 'live' : 'live off'} />
      <span className="hint">{texts[events.line]}</span>
    </>
  );
  return (
    <Panel
      title={texts.events}
      aside={open ? line : <span className="hint num">{seconds} s</span>}
      className="log"
    >
      <ul aria-live="polite">
        {linesOf(session, events).map(({ status, standing, at }) => (
          <li key={status} className={toneOf(status)}>
            <span className="mono tm">{at === undefined ? '' : <Time at={at} width="log" />}</span>
            <span className="mono cd">{status}</span>
            <span className="grow">{texts.states[standing]}</span>
          </li>
        ))}
        {open && (
          <li className="pend">
            <span className="tm" />
            <span className="mono cd">…</span>
            <span className="grow">{session.status === 'FETCHED' ? texts.deciding : texts.waiting}</span>
          </li>
        )}
      </ul>
    </Panel>
  );
}
