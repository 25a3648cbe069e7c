/**
 * The session that this tab has left. The tab forgets it at once, whatever the network does; the service is told, and told
 * again when it answers. Until then the id is in memory alone, and never for longer than the session can last.
 */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { Clients } from './clients.ts';
import type { ConnectionStore } from './connection.ts';
import type { SignedIn } from './console-config.ts';
import { sessionHeader } from './tab-session.ts';

/** Left here, and the service has not said that it knows. */
export interface LeftSession {
  /** When it ends there by itself, at the latest. */
  readonly until: number;
}

/** `over`: the service said so. `late`: it did when it was told again. `unknown`: it never said so. */
export type LeftEnd = 'over' | 'late' | 'unknown';

export interface Leaving {
  readonly service: Pick<Clients['service'], 'signOut'>;
  readonly connection: Pick<ConnectionStore, 'read' | 'subscribe'>;
  readonly session: string;
  readonly lasts: Pick<SignedIn, 'idleSeconds' | 'until'> | undefined;
}

/** Whoever accepts and does not answer keeps nobody waiting for a word. */
const answeredWithinMs = 8_000;
const pauseMs = 1_000;
const triesMax = 5;
/** Of a session of which nothing was read yet: no session lasts longer. */
const longestMs = 12 * 3_600_000;

const readers = new Set<() => void>();
let left: LeftSession | undefined;

export const readLeftSession = (): LeftSession | undefined => left;

export function watchLeftSession(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

function set(next: LeftSession | undefined): void {
  left = next;
  for (const reader of readers) reader();
}

/** Tells the service that a session is over. Resolves when it has said so, or when the session cannot last any more. */
export async function tellSignedOut(leaving: Leaving): Promise<LeftEnd> {
  const until = endsBy(leaving.lasts, Date.now());
  if (await isTold(leaving)) return 'over';
  const mark = { until };
  set(mark);
  let isLate = false;
  for (let tries = 1; tries < triesMax && !isLate && Date.now() < until; tries += 1) {
    await answering(leaving.connection, until);
    isLate = Date.now() < until && (await isTold(leaving));
  }
  if (!isLate) await pause(until - Date.now());
  if (left === mark) set(undefined);
  return isLate ? 'late' : 'unknown';
}

/** Nobody calls in its name any more, so it rests from here on. */
const endsBy = (lasts: Leaving['lasts'], now: number): number =>
  lasts ? Math.min(now + lasts.idleSeconds * 1_000, Date.parse(lasts.until)) : now + longestMs;

async function isTold({ service, session }: Leaving): Promise<boolean> {
  try {
    const headers = { [sessionHeader]: session };
    await service.signOut(undefined, { headers, signal: AbortSignal.timeout(answeredWithinMs) });
    return true;
  } catch (error) {
    // One that ended meanwhile is one that was left.
    return error instanceof ServiceError && error.status === 401;
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, Math.max(0, ms)));

/** Resolves a little later, once somebody answers, or when it is too late for that. */
async function answering(connection: Leaving['connection'], until: number): Promise<void> {
  await pause(pauseMs);
  let end: () => void = () => undefined;
  const back = new Promise<void>((done) => {
    const look = (): void => {
      if (connection.read().state !== 'lost') done();
    };
    end = connection.subscribe(look);
    look();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, Math.max(0, until - Date.now()));
  });
  await Promise.race([back, late]);
  clearTimeout(timer);
  end();
}
