/**
 * What stands over a page whose session ended: since when, that what was typed stays, and the way back in. It ends a
 * session, too, in whose tab nobody moves: pages that look for news by themselves would keep it going for ever.
 */
import { useEffect } from 'react';
import { useChair, useClients } from '../api/api.tsx';
import { endTabSession, readTabSession } from '../api/tab-session.ts';
import { Button } from '../parts/controls/button.tsx';
import { Icon } from '../parts/controls/icon.tsx';
import { useOpenSignIn } from '../parts/hooks/use-sign-in.ts';
import { clockText } from '../text/times.ts';
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
  const { words, language } = useWords();
  const { signedIn, ended } = useChair();
  const openSignIn = useOpenSignIn();
  useIdleEnd(ended ? undefined : signedIn?.idleSeconds);
  if (!ended) return null;
  return (
    <div className="offline-place">
      <div className="offline">
        <Icon name="lock" />
        <span role="status">{words.signIn.over[ended.why](clockText(ended.at, language))}</span>
        <Button size="small" onClick={openSignIn}>
          {words.signIn.again}
        </Button>
      </div>
    </div>
  );
}
