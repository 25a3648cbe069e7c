/**
 * Buckets of tokens (`rate-limit.ts`) that several processes give from. Each gives from its own at once, so that nobody
 * waits; what all of them have given is added up a moment later, in one statement for many callers, and what comes back
 * puts the own buckets right. Whoever comes to several processes in that moment gets a little more, and waits so much
 * longer afterwards. While nothing can be added up, each process counts for itself.
 */
import { rateSharingLimits as limits } from '../limits/server-limits.ts';

/** What was given from a bucket. */
export interface GivenTokens {
  /** Whose bucket, of which kind: no process calls two buckets alike. */
  readonly bucket: string;
  /** How long the bucket takes to have it again. */
  readonly ms: number;
}

/** Where all processes add up. */
export interface SharedBuckets {
  /** Answers of each bucket how long it takes until it is full again; no bucket is named twice. */
  add(given: readonly GivenTokens[]): Promise<ReadonlyMap<string, number>>;
}

export interface ToldTokens {
  readonly ms: number;
  /** Whether to ask at once, not with the next round. */
  readonly isUrgent: boolean;
}

export interface RateSharing {
  /** `learn` is told how long a caller's bucket takes until it is full; what is answered tells of what was given here. */
  join(
    kind: string,
    learn: (caller: string, emptyMs: number) => void,
  ): (caller: string, told: ToldTokens) => void;
  /** No round begins any more; resolves when none is under way. */
  close(): Promise<void>;
}

export interface RateSharingOptions {
  readonly buckets: SharedBuckets;
  /** Told the first time in a row that nothing could be added up. */
  readonly onFailure: (error: unknown) => void;
}

interface Pending extends GivenTokens {
  readonly learn: (emptyMs: number) => void;
}

export function createRateSharing({ buckets, onFailure }: RateSharingOptions): RateSharing {
  const pending = new Map<string, Pending>();
  let timer: { readonly handle: NodeJS.Timeout; readonly dueAt: number } | undefined;
  let round: Promise<void> | undefined;
  let isFailing = false;
  let isClosed = false;

  const plan = (afterMs: number): void => {
    const dueAt = performance.now() + afterMs;
    if (isClosed || round || (timer && timer.dueAt <= dueAt)) return;
    clearTimeout(timer?.handle);
    timer = { handle: setTimeout(begin, afterMs).unref(), dueAt };
  };

  const begin = (): void => {
    timer = undefined;
    round = addUp().finally(() => {
      round = undefined;
      if (pending.size > 0) plan(limits.roundMs);
    });
  };

  async function addUp(): Promise<void> {
    const batch = [...pending.values()].slice(0, limits.bucketsMax);
    for (const { bucket } of batch) pending.delete(bucket);
    try {
      const found = await buckets.add(batch.map(({ bucket, ms }) => ({ bucket, ms })));
      isFailing = false;
      for (const { bucket, learn } of batch) {
        const emptyMs = found.get(bucket);
        if (emptyMs !== undefined) learn(emptyMs + (pending.get(bucket)?.ms ?? 0));
      }
    } catch (error) {
      // What is not added up is given up: by the time that it could be, it is mostly there again.
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
  }

  return {
    join:
      (kind, learn) =>
      (caller, { ms, isUrgent }) => {
        const bucket = `${kind} ${caller}`;
        const known = pending.get(bucket);
        if (!known && pending.size >= limits.pendingMax) return;
        pending.set(bucket, {
          bucket,
          ms: (known?.ms ?? 0) + ms,
          learn: (emptyMs) => learn(caller, emptyMs),
        });
        plan(isUrgent ? limits.urgentMs : limits.roundMs);
      },
    async close() {
      isClosed = true;
      clearTimeout(timer?.handle);
      await round;
    },
  };
}
