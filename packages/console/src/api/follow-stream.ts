/**
 * Follows a stream for as long as somebody looks at the tab: hidden, it hears nothing, and where the stream fails, it is
 * opened again after a pause. Either way something may have been missed, and is told as a gap.
 */
import { hearStream, type SharedStream } from './shared-stream.ts';

/** The page, as far as it says whether somebody looks at it. */
export type Visibility = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

export interface FollowedStream<Event> extends SharedStream<Event> {
  /** Something may have happened that nobody told: read again what matters. */
  readonly onGap: () => void;
  readonly page?: Visibility;
  /** Between a stream that failed and the next one. */
  readonly pauseMs?: number;
}

const usualPauseMs = 3_000;

/** Follows until the function that it gives is called. */
export function followStream<Event>({
  onGap,
  page = document,
  pauseMs = usualPauseMs,
  ...stream
}: FollowedStream<Event>): () => void {
  let hearing: AbortController | undefined;
  const hear = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      // Whether the ledger or the service answers is found out by whoever reads again now.
      await hearStream(stream, signal).catch(() => undefined);
      if (signal.aborted) return;
      onGap();
      await pause(pauseMs, signal);
    }
  };
  const turn = (): void => {
    if (page.hidden) {
      hearing?.abort();
      hearing = undefined;
    } else if (!hearing) {
      hearing = new AbortController();
      void hear(hearing.signal);
    }
  };
  const look = (): void => {
    const wasHearing = hearing !== undefined;
    turn();
    if (hearing && !wasHearing) onGap();
  };
  page.addEventListener('visibilitychange', look);
  turn();
  return () => {
    page.removeEventListener('visibilitychange', look);
    hearing?.abort();
  };
}

/** Ends early with the signal. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
