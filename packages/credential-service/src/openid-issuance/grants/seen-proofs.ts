/** Proofs that are good once: remembered for as long as they would be taken again. */
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Queries } from '../../database/schema.ts';
import { addOnce, deleteBatch } from '../../database/statements.ts';
import { openidIssuanceLimits } from '../../limits/openid-limits.ts';

export interface SeenProof {
  /** Whose it is: nobody uses up what another one may say. */
  readonly owner: string;
  readonly jti: string;
  readonly now: number;
}

/** Whether it is seen for the first time. */
export const isFirstSeen = (queries: Queries, { owner, jti, now }: SeenProof): Promise<boolean> =>
  addOnce(queries, 'openidSeenProofs', {
    id: sha256Hex(JSON.stringify([owner, jti])),
    expiresAt: now + openidIssuanceLimits.seenProofMs,
  });

export const sweepSeenProofs = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'openidSeenProofs', {
    key: 'id',
    first: 'expiresAt',
    where: (eb) => eb('expiresAt', '<=', now),
  });
