/** Places for streams: so many in all and so many of one API key, so that nobody takes all of them. */
import { Fault } from '@symbolon/core/faults/faults';

export interface StreamPlaces {
  /**
   * A place for one stream; throws `tooManyRequests`. What it answers gives the place back, once; so does the signal, for
   * a reader who is gone before the first word never ends the stream itself.
   */
  enter(keyId: string, signal?: AbortSignal): () => void;
}

/** Does it when the reader goes, and at once for one who has gone. */
export function whenGone(signal: AbortSignal | undefined, leave: () => void): void {
  if (signal?.aborted) leave();
  else signal?.addEventListener('abort', leave, { once: true });
}

export function createStreamPlaces({
  streamsMax,
  streamsPerKeyMax,
}: {
  readonly streamsMax: number;
  readonly streamsPerKeyMax: number;
}): StreamPlaces {
  const streamsByKey = new Map<string, number>();
  let streams = 0;
  return {
    enter(keyId, signal) {
      const own = streamsByKey.get(keyId) ?? 0;
      if (streams >= streamsMax || own >= streamsPerKeyMax)
        throw new Fault('tooManyRequests', { detail: 'There are too many streams', retryAfterSeconds: 5 });
      streams += 1;
      streamsByKey.set(keyId, own + 1);
      let isOver = false;
      const leave = (): void => {
        if (isOver) return;
        isOver = true;
        streams -= 1;
        const left = (streamsByKey.get(keyId) ?? 1) - 1;
        if (left === 0) streamsByKey.delete(keyId);
        else streamsByKey.set(keyId, left);
      };
      whenGone(signal, leave);
      return leave;
    },
  };
}
