/**
 * Where callers have proofs made and checked: each pays by the cost of the work, before any of it is begun, from a
 * budget of its own, and its work then waits in its own name. Who pays is whoever sends the request: the API key that
 * it shows, or else its network address. Nothing that a request says about anybody else spends their budget.
 */

import { Fault } from '@symbolon/core/faults/faults';
import { createRateLimiter } from '@symbolon/host/http/rate-limit';
import type { RateSharing } from '@symbolon/host/http/rate-sharing';
import { rateCaller } from '@symbolon/host/service/service-access';
import type { Caller } from '@symbolon/wire/http/service-route';
import { serviceLimits } from '../limits/service-limits.ts';
import { type ProofWork, proofCosts } from './proof-cost.ts';
import { type CallerProofs, engineOver, runTask } from './proof-job.ts';
import type { ProofPool } from './proof-workers.ts';

export interface ProofDesk {
  /** Takes the cost of all of a request's work at once. Throws `tooManyRequests`, `proofTooCostly`. */
  prepaid(caller: Caller, work: readonly ProofWork[]): CallerProofs;
  /** Takes the cost of each piece as it comes, for requests that need one or two. */
  metered(caller: Caller): CallerProofs;
}

export interface ProofDeskOptions {
  readonly pool: ProofPool;
  readonly nowMs: () => number;
  /** Of an address without a key, and of a key. */
  readonly unitsPerMinute: number;
  readonly unitsPerMinuteWithKey: number;
  readonly rateSharing?: RateSharing | undefined;
}

export function createProofDesk(options: ProofDeskOptions): ProofDesk {
  const { pool, nowMs, rateSharing: sharing } = options;
  // A caller has a key or none, so both kinds of budget can be counted as one kind of work.
  const shared = sharing && { sharing, kind: 'proofs' };
  const budgetOf = (perMinute: number) =>
    createRateLimiter(
      { perMinute, burst: Math.max(1, perMinute * serviceLimits.proofBurstShare) },
      { nowMs, shared },
    );
  const withoutKey = budgetOf(options.unitsPerMinute);
  const withKey = budgetOf(options.unitsPerMinuteWithKey);

  const charge = (caller: Caller, work: readonly ProofWork[]): void => {
    const hasKey = caller.keyId !== undefined;
    const budget = hasKey ? withKey : withoutKey;
    const cost = proofCosts(work);
    const { burst } = budget.policy;
    if (cost > burst)
      throw new Fault('proofTooCostly', {
        detail: `The proofs cost ${Math.ceil(cost)} units, and ${hasKey ? 'an API key' : 'a caller without an API key'} has ${Math.floor(burst)} at most`,
      });
    const { isAllowed, resetSeconds } = budget.take(rateCaller(caller), cost);
    if (!isAllowed)
      throw new Fault('tooManyRequests', {
        detail: 'The budget for proofs is used up for now',
        retryAfterSeconds: resetSeconds,
      });
  };

  return {
    prepaid(caller, work) {
      charge(caller, work);
      return pool.inNameOf(rateCaller(caller));
    },
    metered(caller) {
      const engine = pool.inNameOf(rateCaller(caller));
      return engineOver(async (task) => {
        charge(caller, [task]);
        return runTask(engine, task);
      });
    },
  };
}
