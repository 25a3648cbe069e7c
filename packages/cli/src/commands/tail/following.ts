/**
 * Follows several sources of events at once, each in its own time: one that is away is told of and tried again, while the
 * others go on. Only when none of them was ever there does it fail.
 */
import { isPassing } from '@symbolon/sdk/errors/passing';
import { pause } from '@symbolon/sdk/transport/waiting';
import { tailLimits } from '../../limits/command-limits.ts';

export interface FollowedSource {
  /** Watches until the signal says so; calls `isThere` when it is connected. Throws when it is away. */
  readonly watch: (isThere: () => void) => Promise<void>;
  /** Told when it has gone away, and when it is back. */
  readonly onAway: () => void;
  readonly onBack: () => void;
}

export async function followAll(sources: readonly FollowedSource[], signal: AbortSignal): Promise<void> {
  const awayAtFirst = new Set<FollowedSource>();
  const everThere = new Set<FollowedSource>();
  const follow = async (source: FollowedSource): Promise<void> => {
    let isTold = false;
    const isThere = (): void => {
      everThere.add(source);
      if (isTold) source.onBack();
      isTold = false;
    };
    while (!signal.aborted) {
      try {
        return await source.watch(isThere);
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) throw error;
        awayAtFirst.add(source);
        if (everThere.size === 0 && awayAtFirst.size === sources.length) throw error;
        if (!isTold) source.onAway();
        isTold = true;
      }
      await pause(tailLimits.againMs, signal).catch(() => undefined);
    }
  };
  await Promise.all(sources.map(follow));
}
