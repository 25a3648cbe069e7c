/**
 * Calls to a service that is busy, counts its callers or is away for a moment: when one is told to wait, all wait, and
 * the call is made again. What the service refuses for good comes out at once. Every call that is made through here is
 * one that may be made twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOfError, isAway, isBusy } from '@symbolon/sdk/errors/passing';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { bulkLimits } from '../limits/command-limits.ts';

export type Patient = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

export interface PatienceOptions {
  readonly signal?: AbortSignal;
  readonly nowMs?: () => number;
  readonly wait?: (ms: number) => Promise<void>;
}

export function createPatience(options: PatienceOptions = {}): Patient {
  const { signal, nowMs = () => performance.now() } = options;
  const wait = options.wait ?? ((ms: number) => sleep(ms, undefined, { signal }));
  let resumeAt = 0;
  return async (call) => {
    const giveUpAt = nowMs() + bulkLimits.patienceMs;
    let failures = 0;
    for (;;) {
      for (let pause = resumeAt - nowMs(); pause > 0; pause = resumeAt - nowMs()) await wait(pause);
      try {
        return await call();
      } catch (error) {
        if (signal?.aborted) throw error;
        if (isAway(error)) failures += 1;
        else if (!isBusy(error)) throw error;
        if (failures >= bulkLimits.attemptsMax || nowMs() > giveUpAt) throw error;
        const told = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
        const grown = Math.min(bulkLimits.pauseMs * 2 ** Math.max(0, failures - 1), bulkLimits.pauseMsMax);
        // Whoever is told to wait for ever asks once more, and then gives up.
        const pause = told === undefined ? grown : Math.min(told * 1_000, bulkLimits.patienceMs);
        // One request that is under way elsewhere keeps nobody else waiting.
        if (codeOfError(error) === 'requestInProgress') await wait(pause);
        else resumeAt = Math.max(resumeAt, nowMs() + pause);
      }
    }
  };
}
