/**
 * Whoever has a wallet here gets it without a network, too: the files of its pages and of the frame, never an answer of the
 * API.
 */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { desks } from '../../../navigation/places.ts';
import { preloadOverlays } from '../../../shell/overlays.ts';

/** Files of the console that this page has loaded. */
const loadedFiles = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname);

const walletPaths = desks.find(({ name }) => name === 'wallet')?.places.map(({ path }) => path) ?? [];

export function useOffline(): void {
  const router = useRouter();
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const register = async (): Promise<void> => {
      await navigator.serviceWorker.register('/sw.js');
      const { active } = await navigator.serviceWorker.ready;
      await Promise.all([preloadOverlays(), ...walletPaths.map((to) => router.preloadRoute({ to }))]);
      // What was loaded before the worker stood between did not pass through it.
      active?.postMessage(loadedFiles());
    };
    // Where a browser refuses, the wallet works as long as there is a network.
    register().catch(() => undefined);
  }, [router]);
}
