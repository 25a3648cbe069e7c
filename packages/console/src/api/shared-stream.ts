/**
 * Streams of a browser and not of a tab. A browser opens six connections to one origin for all of its tabs, and a stream
 * holds one as long as it lasts: with a stream or two in every tab, the fourth tab would wait for ever. So one tab reads
 * and tells the others, and whichever waits longest follows it when it goes.
 */
export interface SharedStream<Event> {
  /** Tabs that give the same name hear the same events. */
  readonly name: string;
  /** Opens the stream; it ends with the signal. */
  readonly open: (signal: AbortSignal) => AsyncIterable<Event>;
  readonly onEvent: (event: Event) => void;
}

/** Hears events until the signal; ends before it only where this tab was the one that read, as its stream ended. */
export async function hearStream<Event>(
  { name, open, onEvent }: SharedStream<Event>,
  signal: AbortSignal,
): Promise<void> {
  const locks = locksOfBrowser();
  if (!locks) {
    for await (const event of open(signal)) onEvent(event);
    return;
  }
  const channel = new BroadcastChannel(`symbolon ${name}`);
  channel.onmessage = ({ data }: MessageEvent<Event>) => onEvent(data);
  try {
    await locks.request(`symbolon ${name}`, { signal }, async () => {
      for await (const event of open(signal)) {
        channel.postMessage(event);
        onEvent(event);
      }
    });
  } finally {
    channel.close();
  }
}

/** How many streams that no other tab can use there may be at once, over all tabs: the rest is for questions. */
const ownStreams = 2;

/** Does the work while holding one of a few places of this browser; gives false at once where none is free. */
export async function withStreamPlace(work: () => Promise<void>): Promise<boolean> {
  const locks = locksOfBrowser();
  if (!locks) {
    await work();
    return true;
  }
  for (let place = 1; place <= ownStreams; place += 1) {
    const wasFree = await locks.request(`symbolon place ${place}`, { ifAvailable: true }, async (lock) => {
      if (lock) await work();
      return lock !== null;
    });
    if (wasFree) return true;
  }
  return false;
}

/** Pages that came without TLS from another machine have none. */
const locksOfBrowser = (): LockManager | undefined => globalThis.navigator?.locks;
