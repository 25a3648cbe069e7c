/**
 * Whether the service can do its work right now, in words for operators: opened at all, database answering, ledger
 * answering. Anybody may ask, so an answer holds for a moment and a slow part costs a bounded wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceWorkLimits as limits } from '@symbolon/core/limits';

export interface ReadinessCheck {
  /** What is said when it fails or takes too long. */
  readonly problem: string;
  readonly check: () => Promise<unknown>;
}

/** Answers the first problem, or undefined when there is none. */
export function createReadiness(
  checks: readonly ReadinessCheck[],
  timeoutMs: number = limits.readinessTimeoutMs,
): () => Promise<string | undefined> {
  let known: { readonly answer: Promise<string | undefined>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (known && known.until > now) return known.answer;
    const answer = firstProblem(checks, timeoutMs);
    known = { answer, until: now + limits.readinessRememberedMs };
    return answer;
  };
}

async function firstProblem(
  checks: readonly ReadinessCheck[],
  timeoutMs: number,
): Promise<string | undefined> {
  const results = await Promise.all(
    checks.map(async ({ check, problem }) => ((await isFine(check, timeoutMs)) ? undefined : problem)),
  );
  return results.find((problem) => problem !== undefined);
}

async function isFine(check: () => Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const done = check().then(
    () => true,
    () => false,
  );
  const isInTime = await Promise.race([done, late]);
  timer.abort();
  return isInTime;
}
