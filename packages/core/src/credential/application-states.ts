/**
 * The states of an application for a credential and the status of an issued one (`spec/credential-service.md`, "States
 * and transitions"): one table each of which act leads where. What is not in the table is forbidden. Storing states,
 * and who may act, is not decided here.
 */

import type { LedgerStatus } from '../documents/model.ts';
import { Fault } from '../faults/faults.ts';

/** `submitting` is inside only: signatures are accepted, the ledger has not answered yet. Clients see it as approved. */
export const applicationStates = ['pending', 'approved', 'submitting', 'issued', 'rejected'] as const;
export type ApplicationState = (typeof applicationStates)[number];

/** What happens to an application after it was made. */
export const applicationActs = ['create', 'reject', 'submit', 'recordIssued', 'recordFailed'] as const;
export type ApplicationAct = (typeof applicationActs)[number];

const applicationMoves: Readonly<
  Record<ApplicationState, Readonly<Partial<Record<ApplicationAct, ApplicationState>>>>
> = {
  pending: { create: 'approved', reject: 'rejected' },
  // Until it is signed a draft is the issuer's to make anew.
  approved: { create: 'approved', submit: 'submitting', reject: 'rejected' },
  // The ledger took the record, or certainly did not: then the issuer may submit again.
  submitting: { recordIssued: 'issued', recordFailed: 'approved' },
  issued: {},
  rejected: {},
};

const actWords: Readonly<Record<ApplicationAct, string>> = {
  create: 'the credential cannot be created',
  reject: 'the application cannot be rejected',
  submit: 'the credential cannot be submitted',
  recordIssued: 'the credential cannot become issued',
  recordFailed: 'the submission cannot fail',
};

export const mayActOnApplication = (state: ApplicationState, act: ApplicationAct): boolean =>
  Object.hasOwn(applicationMoves[state], act);

/** The next state. Throws the fault `stateForbids` for every move that is not in the table. */
export function nextApplicationState(state: ApplicationState, act: ApplicationAct): ApplicationState {
  const next = mayActOnApplication(state, act) ? applicationMoves[state][act] : undefined;
  if (next === undefined)
    throw new Fault('stateForbids', {
      detail: `The application is ${state === 'submitting' ? 'approved and being submitted' : state}: ${actWords[act]}`,
    });
  return next;
}

/** The row of the table for an act: from which states it leads where. */
export function applicationMove(act: ApplicationAct): { from: ApplicationState[]; to: ApplicationState } {
  const from = applicationStates.filter((state) => mayActOnApplication(state, act));
  return { from, to: nextApplicationState(from[0], act) };
}

/** What clients read of a state. */
export const shownState = {
  pending: 'Pending',
  approved: 'Approved',
  submitting: 'Approved',
  issued: 'Issued',
  rejected: 'Rejected',
} as const satisfies Readonly<Record<ApplicationState, string>>;

/** What is done to an issued credential. Revocation is for good. */
export const credentialActs = ['revoke', 'suspend', 'reinstate'] as const;
export type CredentialAct = (typeof credentialActs)[number];

const statusMoves: Readonly<Record<LedgerStatus, Readonly<Partial<Record<CredentialAct, LedgerStatus>>>>> = {
  active: { revoke: 'revoked', suspend: 'suspended' },
  suspended: { revoke: 'revoked', reinstate: 'active' },
  revoked: {},
  unknown: {},
};

export const mayActOnCredential = (status: LedgerStatus, act: CredentialAct): boolean =>
  Object.hasOwn(statusMoves[status], act);

/** The next status. Throws the fault `statusForbids` for every move that is not in the table, and says of which one. */
export function nextCredentialStatus(status: LedgerStatus, act: CredentialAct, vcId?: string): LedgerStatus {
  const next = mayActOnCredential(status, act) ? statusMoves[status][act] : undefined;
  if (next === undefined)
    throw new Fault('statusForbids', {
      detail: `The credential ${vcId === undefined ? '' : `${vcId} `}is ${status === 'active' ? 'not suspended' : status}: it cannot be ${pastTense[act]}`,
    });
  return next;
}

export type KnownStatus = Exclude<LedgerStatus, 'unknown'>;
const knownStatuses: readonly KnownStatus[] = ['active', 'suspended', 'revoked'];

/** The row of the table for an act: from which statuses it leads where. */
export function credentialMove(act: CredentialAct): { from: KnownStatus[]; to: KnownStatus } {
  const from = knownStatuses.filter((status) => mayActOnCredential(status, act));
  return { from, to: nextCredentialStatus(from[0], act) as KnownStatus };
}

const pastTense: Readonly<Record<CredentialAct, string>> = {
  revoke: 'revoked',
  suspend: 'suspended',
  reinstate: 'reinstated',
};
