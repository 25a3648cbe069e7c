/**
 * Ctrl-C. A command that works in steps says as it goes what would be done and what not if it ended there, and which
 * command takes it up again (`ifInterrupted`); what it has half-written it lists (`removeIfInterrupted`). Whoever closes
 * things first, such as a server, listens to the signal too and ends by itself; a second Ctrl-C ends anything at once.
 */
import { rmSync } from 'node:fs';
import type { Lines } from './terminal.ts';

let told: readonly string[] = ['Interrupted.'];
const unfinished = new Set<string>();

/** From here on this is what somebody is told who presses Ctrl-C. */
export const ifInterrupted = (lines: Lines): void => {
  told = typeof lines === 'string' ? [lines] : lines;
};

/** A file or folder that is of no use before it is whole; what is answered is called when it is, and keeps it. */
export function removeIfInterrupted(path: string): () => void {
  unfinished.add(path);
  return () => unfinished.delete(path);
}

/** As far as that is possible: whatever stays is no reason not to end. */
function remove(path: string): void {
  try {
    // What is being written at this moment may appear while the folder is emptied.
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch {
    // A folder that is a mount point is emptied and stays.
  }
}

/** `tell` says it to people and programs; `end` ends the process. */
export function endOnInterrupt({
  tell,
  end,
}: {
  readonly tell: (lines: readonly string[]) => void;
  readonly end: () => void;
}): void {
  let isTold = false;
  process.on('SIGINT', () => {
    const endsByItself = process.listenerCount('SIGINT') > 1;
    if (!endsByItself) for (const path of unfinished) remove(path);
    if (!isTold) tell(told);
    isTold = true;
    if (!endsByItself) end();
  });
}
