/**
 * What stands over a page whose session ended: since when, that what was typed stays, and the way back in; and over one
 * that was left while the service did not answer: until when its half may last. It ends a session, too, in whose tab nobody moves: pages that look for news by themselves would keep it going for ever.
 */
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { type Chair, useChair, useClients } from '../api/api.tsx';
import { readLeftSession, watchLeftSession } from '../api/left-session.ts';
import { endTabSession, readTabSession } from '../api/tab-session.ts';
import { Button } from '../parts/controls/button.tsx';
import { Icon } from '../parts/controls/icon.tsx';
import { useOpenSignIn } from '../parts/hooks/use-sign-in.ts';
import { clockText } from '../text/times.ts';
import { useOpenedVault, useOwnVault } from '../vault/use-vaults.ts';
import { useWords } from '../words/words.ts';

const lookedEveryMs = 10_000;
const movements = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

function useIdleEnd(idleSeconds: number | undefined): void {
  const { service } = useClients();
  useEffect(() => {
    if (idleSeconds === undefined) return;
    let movedAt = Date.now();
    const moved = (): void => {
      movedAt = Date.now();
    };
    const look = (): void => {
      const session = readTabSession();
      if (session === undefined || Date.now() - movedAt < idleSeconds * 1_000) return;
      // Where nobody answers, the session rests there just as well, and ends by itself.
      const end = (): void => endTabSession(session, 'idle');
      service.signOut().then(end, end);
    };
    const timer = setInterval(look, lookedEveryMs);
    for (const name of movements) addEventListener(name, moved, { passive: true });
    return () => {
      clearInterval(timer);
      for (const name of movements) removeEventListener(name, moved);
    };
  }, [idleSeconds, service]);
}

export function SessionWatch() {
  const { signedIn, ended } = useChair();
  useIdleEnd(ended ? undefined : signedIn?.idleSeconds);
  return (
    <>
      <LeftBar />
      {ended && <EndedBar ended={ended} did={signedIn?.did} />}
    </>
  );
}

interface BarProps {
  readonly text: string;
  readonly children?: ReactNode;
}

const Bar = ({ text, children }: BarProps) => (
  <div className="offline-place">
    <div className="offline">
      <Icon name="lock" />
      <span role="status">{text}</span>
      {children}
    </div>
  </div>
);

/** Somebody signed out here, and the service has not said that it knows. */
function LeftBar() {
  const { words, language } = useWords();
  const left = useSyncExternalStore(watchLeftSession, readLeftSession);
  return left ? <Bar text={words.signIn.left(clockText(left.until, language))} /> : null;
}

interface EndedBarProps {
  readonly ended: NonNullable<Chair['ended']>;
  /** Whose session it was. */
  readonly did: string | undefined;
}

/** A wallet has a key of its own, so it goes on where a session ends (decision C-188): whose is open is told that. */
function EndedBar({ ended, did }: EndedBarProps) {
  const { words, language } = useWords();
  const openSignIn = useOpenSignIn();
  const ofSession = useOpenedVault(did);
  const own = useOwnVault();
  const told = words.signIn.over[ended.why](clockText(ended.at, language));
  return (
    <Bar text={(ofSession ?? own) ? `${told} ${words.signIn.walletOpen}` : told}>
      <Button size="small" onClick={openSignIn}>
        {words.signIn.again}
      </Button>
    </Bar>
  );
}
