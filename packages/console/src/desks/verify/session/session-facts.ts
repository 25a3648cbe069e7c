/** A session as its verifier reads it: its reply, its states, and how many of the six checks passed. */
import { type VerificationState, verificationStates } from '@symbolon/core/presentation/verification-states';
import type { Clients } from '../../../api/clients.ts';

type Service = Clients['service'];
export type SessionReply = Awaited<ReturnType<Service['getVerification']>>;
export type SessionOutcome = NonNullable<SessionReply['result']>;
export type OutcomeCredential = SessionOutcome['credentials'][number];
export type OutcomeCheck = NonNullable<SessionOutcome['checks']>[number];

export const stateOf = (status: string): VerificationState | 'unknown' =>
  verificationStates.find((state) => state === status) ?? 'unknown';

export const isOpen = (status: string): boolean => status === 'CREATED' || status === 'FETCHED';

/** How many of the checks passed, and how many had nothing to compare with. */
export const countChecks = (checks: readonly Pick<OutcomeCheck, 'passed'>[]) => ({
  passed: checks.filter(({ passed }) => passed === true).length,
  idle: checks.filter(({ passed }) => passed === null).length,
});
