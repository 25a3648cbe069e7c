/**
 * Whether a server can do its work right now, in words for operators: a list of checks, each with its own verdict.
 * Anybody may ask, so an answer holds for a moment and a slow part costs a bounded wait. What is only being looked at,
 * or worth knowing, keeps nobody from calling.
 */
import { healthLimits as limits } from '../limits/server-limits.ts';
import { within } from '../work/within.ts';

export interface HealthVerdict {
  readonly state: 'ok' | 'checking' | 'warning' | 'failed';
  /** Anybody may read it: no paths, no secrets. */
  readonly detail?: string | undefined;
}

export interface HealthCheck {
  /** What is looked at, in a word or two. */
  readonly name: string;
  /** What is said when looking fails or takes too long. */
  readonly problem: string;
  readonly check: () => Promise<HealthVerdict>;
}

export interface HealthFinding extends HealthVerdict {
  readonly name: string;
}

export const healthy: HealthVerdict = { state: 'ok' };
export const unhealthy = (detail: string): HealthVerdict => ({ state: 'failed', detail });

/** A check that is passed by whatever does not throw. */
export const answers =
  (call: () => Promise<unknown>): HealthCheck['check'] =>
  async () => {
    await call();
    return healthy;
  };

/** Carries out all checks together; the findings are remembered for a moment. */
export function createReadiness(
  checks: readonly HealthCheck[],
  timeoutMs: number = limits.checkTimeoutMs,
): () => Promise<readonly HealthFinding[]> {
  let known: { readonly findings: Promise<readonly HealthFinding[]>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (known && known.until > now) return known.findings;
    const findings = Promise.all(checks.map((check) => find(check, timeoutMs)));
    known = { findings, until: now + limits.checkRememberedMs };
    return findings;
  };
}

/** The first thing that stands in the way, or nothing. */
export const firstProblem = (findings: readonly HealthFinding[]): string | undefined => {
  const failed = findings.find(({ state }) => state === 'failed');
  return failed && (failed.detail ?? `${failed.name} failed`);
};

/** One line for each finding. */
export const findingsText = (findings: readonly HealthFinding[]): string =>
  findings
    .map(({ name, state, detail }) => `${name}: ${state}${detail === undefined ? '' : `, ${detail}`}\n`)
    .join('');

async function find({ name, problem, check }: HealthCheck, timeoutMs: number): Promise<HealthFinding> {
  const found = await within(timeoutMs, check()).catch(() => undefined);
  return { name, ...(found?.answer ?? unhealthy(problem)) };
}
