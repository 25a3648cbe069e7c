/**
 * The vaults that are open in this tab. They lock themselves when nobody has touched the page for a while, and when
 * somebody locks or forgets them in another tab.
 */
import { vaultLimits } from './vault-limits.ts';
import type { OpenedVault } from './vaults.ts';

const open = new Map<string, OpenedVault>();
const readers = new Set<() => void>();
let touchedAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let channel: BroadcastChannel | undefined;

const tell = (): void => {
  for (const reader of readers) reader();
};

/** Calls a reader when a vault is opened, locked, made or forgotten; gives what ends that. */
export function watchVaults(reader: () => void): () => void {
  startListening();
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Of a person's own, not of the demo's people: the one that was opened last. */
export const ownVaultHere = (): OpenedVault | undefined =>
  [...open.values()].findLast(({ facts }) => facts.protection !== 'demo');

export const openedVaultOf = (did: string): OpenedVault | undefined => open.get(did);

/** Keeps a vault open in this tab until it is locked. */
export function keepOpen(vault: OpenedVault): void {
  startListening();
  open.delete(vault.facts.did);
  open.set(vault.facts.did, vault);
  touchedAt = Date.now();
  lockWhenIdle();
  channel?.postMessage({ changed: true });
  tell();
}

/** In every tab of this browser. */
export function lockVault(did: string): void {
  startListening();
  lockHere(did);
  channel?.postMessage({ locked: did });
}

/** After a vault was forgotten or protected anew, so that every list of them is read again. */
export function vaultsChanged(): void {
  startListening();
  channel?.postMessage({ changed: true });
  tell();
}

function lockHere(did: string): void {
  open.get(did)?.lock();
  if (open.delete(did)) tell();
}

/** Machines that sleep stop timers, so the time is looked at and not only waited for. */
function lockWhenIdle(): void {
  clearTimeout(timer);
  if (open.size === 0) return;
  const left = touchedAt + vaultLimits.idleMsMax - Date.now();
  if (left > 0) timer = setTimeout(lockWhenIdle, left);
  else for (const did of [...open.keys()]) lockHere(did);
}

function touched(): void {
  lockWhenIdle();
  touchedAt = Date.now();
}

function startListening(): void {
  if (channel !== undefined) return;
  channel = new BroadcastChannel('symbolon-vaults');
  channel.onmessage = ({ data }: MessageEvent<{ readonly locked?: unknown }>) => {
    if (typeof data?.locked === 'string') lockHere(data.locked);
    else tell();
  };
  for (const name of ['keydown', 'pointerdown', 'pointermove', 'wheel'])
    addEventListener(name, touched, { passive: true, capture: true });
  document.addEventListener('visibilitychange', lockWhenIdle);
}
