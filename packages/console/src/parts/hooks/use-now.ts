/** The time, for parts that say how long ago something was: one clock for all of them, which ticks while somebody looks. */
import { useSyncExternalStore } from 'react';

const tickMs = 1_000;
const readers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    now = Date.now();
    for (const each of readers) each();
  }, tickMs);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Milliseconds since 1970, at most a second old. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
