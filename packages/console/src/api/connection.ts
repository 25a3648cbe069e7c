/**
 * Whether the service answers. Every exchange tells this store how it went; while nobody answers it asks `/readyz` again
 * and again, with growing pauses, and says when it does so next. What was read before stays on the page and is dated.
 */

export interface ServiceConnection {
  /** `unknown` until the first answer or failure. */
  readonly state: 'unknown' | 'connected' | 'lost';
  /** When the last answer came; undefined if none ever did. */
  readonly lastAnswerAt: number | undefined;
  /** When it was found that nobody answers: a tab in the background may not have asked for long. Undefined unless lost. */
  readonly lostAt: number | undefined;
  /** When it is tried again; undefined while it is, and while there is no need. */
  readonly nextTryAt: number | undefined;
}

/** Pauses between tries, the last one again and again. */
const pausesMs = [2_000, 4_000, 8_000, 15_000, 30_000];

export interface ConnectionStore {
  readonly read: () => ServiceConnection;
  readonly subscribe: (reader: () => void) => () => void;
  readonly answered: () => void;
  readonly failed: () => void;
  readonly tryNow: () => void;
  /** There is reason to doubt: it is asked at once, whatever was known. */
  readonly look: () => void;
}

/** `probe` asks once and rejects where nobody answers; `onBack` is called when somebody does again. */
export function createConnection(
  probe: () => Promise<unknown>,
  onBack: () => void,
  clock: () => number = Date.now,
): ConnectionStore {
  let connection: ServiceConnection = {
    state: 'unknown',
    lastAnswerAt: undefined,
    lostAt: undefined,
    nextTryAt: undefined,
  };
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readers = new Set<() => void>();
  const set = (next: ServiceConnection): void => {
    connection = next;
    for (const reader of readers) reader();
  };

  const answered = (): void => {
    clearTimeout(timer);
    const wasLost = connection.state === 'lost';
    tries = 0;
    // Nobody reads when exactly an answer came while all is well, so nobody is told.
    const next: ServiceConnection = {
      state: 'connected',
      lastAnswerAt: clock(),
      lostAt: undefined,
      nextTryAt: undefined,
    };
    if (connection.state === 'connected') connection = next;
    else set(next);
    if (wasLost) onBack();
  };
  const tryOnce = (): void => {
    clearTimeout(timer);
    set({ ...connection, nextTryAt: undefined });
    probe().then(answered, schedule);
  };
  const schedule = (): void => {
    const pause = pausesMs[Math.min(tries, pausesMs.length - 1)] as number;
    tries += 1;
    clearTimeout(timer);
    timer = setTimeout(tryOnce, pause);
    const now = clock();
    set({ ...connection, state: 'lost', lostAt: connection.lostAt ?? now, nextTryAt: now + pause });
  };

  const tryNow = (): void => {
    if (connection.state === 'lost' && connection.nextTryAt !== undefined) tryOnce();
  };
  const failed = (): void => {
    if (connection.state !== 'lost') schedule();
  };

  return {
    read: () => connection,
    subscribe(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    answered,
    failed,
    tryNow,
    look() {
      if (connection.state === 'lost') tryNow();
      else probe().then(answered, failed);
    },
  };
}
