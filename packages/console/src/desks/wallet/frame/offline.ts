/** Whoever has a wallet here gets the console without a network, too: its own files alone, never an answer of the API. */

/** Files of the console that this page has loaded. */
const loadedFiles = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname);

async function register(): Promise<void> {
  await navigator.serviceWorker.register('/sw.js');
  const { active } = await navigator.serviceWorker.ready;
  // What was loaded before there was a worker did not pass through it.
  active?.postMessage(loadedFiles());
}

export function registerOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Where a browser refuses, the wallet works as long as there is a network.
  register().catch(() => undefined);
}
