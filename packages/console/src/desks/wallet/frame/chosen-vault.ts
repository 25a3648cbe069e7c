/** Which of several vaults this tab means, and which of them somebody has locked by hand; in memory alone. */
import { useSyncExternalStore } from 'react';
import { lockVault } from '../../../vault/open-vaults.ts';

let chosen: string | undefined;
const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Undefined where nobody has chosen. */
export const useChosenVault = (): string | undefined => useSyncExternalStore(subscribe, () => chosen);

export function chooseVault(did: string | undefined): void {
  chosen = did;
  for (const reader of readers) reader();
}

/** What was locked by hand is opened by hand, also where that is a single click. */
const lockedByHand = new Set<string>();

export function lockByHand(did: string): void {
  lockedByHand.add(did);
  lockVault(did);
}

export const wasLockedByHand = (did: string): boolean => lockedByHand.has(did);
