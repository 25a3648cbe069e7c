/**
 * How long an account is locked after wrong passwords: not at all for the first few, then longer with each. Pure; where
 * the count is kept is the service's business.
 */
import { custodyLimits } from '../limits/custody.ts';

export interface Attempts {
  /** Wrong passwords since the last right one. */
  readonly failures: number;
  /** Milliseconds since 1970; 0 when it never was. */
  readonly lockedUntil: number;
}
export const noAttempts: Attempts = { failures: 0, lockedUntil: 0 };

export const isLocked = ({ lockedUntil }: Attempts, nowMs: number): boolean => nowMs < lockedUntil;

/** The attempts after one more wrong password. */
export function afterFailure({ failures, lockedUntil }: Attempts, nowMs: number): Attempts {
  const { freeFailures, lockMs, lockMsMax } = custodyLimits;
  const next = failures + 1;
  if (next < freeFailures) return { failures: next, lockedUntil };
  // Beyond thirty doublings it is the maximum in any case.
  const ms = Math.min(lockMs * 2 ** Math.min(next - freeFailures, 30), lockMsMax);
  return { failures: next, lockedUntil: nowMs + ms };
}
