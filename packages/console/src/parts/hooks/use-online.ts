/** Whether the browser has a network, as far as it says so itself. */
import { useSyncExternalStore } from 'react';

function subscribe(reader: () => void): () => void {
  addEventListener('online', reader);
  addEventListener('offline', reader);
  return () => {
    removeEventListener('online', reader);
    removeEventListener('offline', reader);
  };
}

export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);
