/** A session as its verifier reads it: its reply, its states, and how many of the six checks passed. */
import { type VerificationState, verificationStates } from '@symbolon/core/presentation/verification-states';
import type { Clients } from '../../../api/clients.ts';

type Service = Clients['service'];
export type SessionReply = Awaited<ReturnType<Service['getVerification']>>;
export type SessionOutcome = NonNullable<SessionReply['result']>;
export type OutcomeCredential = SessionOutcome['credentials'][number];
export type OutcomeCheck = NonNullable<SessionOutcome['checks']>[number];

/** Where a session stands, for its verifier: an aborted one was cancelled by them or declined in a wallet, where that is known. */
export type SessionStanding = VerificationState | 'cancelled' | 'declined' | 'unknown';

export function sessionStanding({
  status,
  abortedBy,
}: Pick<SessionReply, 'status' | 'abortedBy'>): SessionStanding {
  const state = verificationStates.find((one) => one === status);
  if (state !== 'ABORTED' || abortedBy === undefined) return state ?? 'unknown';
  return abortedBy === 'verifier' ? 'cancelled' : 'declined';
}

export type Changed = 'revoked' | 'suspended' | 'expired' | 'other';

/** What has become of credentials that were good when they were checked; undefined where all are good still. */
export function changedSince(
  told: readonly { readonly status: string; readonly record: { readonly validUntil: string } }[],
  now: number,
): Changed | undefined {
  const found = told.flatMap(({ status, record }): Changed[] => {
    if (status === 'Revoked') return ['revoked'];
    if (status === 'Suspended') return ['suspended'];
    if (status === 'Expired' || Date.parse(record.validUntil) <= now) return ['expired'];
    return status === 'Active' ? [] : ['other'];
  });
  return (['revoked', 'suspended', 'expired', 'other'] as const).find((one) => found.includes(one));
}

export const isOpen = (status: string): boolean => status === 'CREATED' || status === 'FETCHED';

/** How many of the checks passed, and how many had nothing to compare with. */
export const countChecks = (checks: readonly Pick<OutcomeCheck, 'passed'>[]) => ({
  passed: checks.filter(({ passed }) => passed === true).length,
  idle: checks.filter(({ passed }) => passed === null).length,
});
