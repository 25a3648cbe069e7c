/**
 * The states of an application for a credential and the status of an issued one (`docs/credentials.md`, "Application
 * and status"): one table each of which act leads where. What is not in the table is forbidden. Storing states, and who
 * may act, is not decided here.
 */

import type { LedgerStatus } from '../documents/model.ts';
import { Fault } from '../faults/faults.ts';
import { type Moves, moveOf, stateAfter } from './state-moves.ts';

/**
 * `submitting` is inside only: signatures are accepted, the ledger has not answered yet. Clients see it as approved.
 */
export const applicationStates = ['pending', 'approved', 'submitting', 'issued', 'rejected'] as const;
export type ApplicationState = (typeof applicationStates)[number];

/** What happens to an application after it was made. */
export const applicationActs = ['create', 'reject', 'submit', 'recordIssued', 'recordFailed'] as const;
export type ApplicationAct = (typeof applicationActs)[number];

const applicationMoves: Moves<ApplicationState, ApplicationAct> = {
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

export const applicationMove = (act: ApplicationAct) => moveOf(applicationMoves, act);

/** The next state. Throws the fault `stateForbids` for every move that is not in the table. */
export function nextApplicationState(state: ApplicationState, act: ApplicationAct): ApplicationState {
  const next = stateAfter(applicationMoves, state, act);
  if (next === undefined)
    throw new Fault('stateForbids', {
      detail: `The application is ${state === 'submitting' ? 'approved and being submitted' : state}: ${actWords[act]}`,
    });
  return next;
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

export type RecordedStatus = Exclude<LedgerStatus, 'unknown'>;

const statusMoves: Moves<RecordedStatus, CredentialAct> = {
  active: { revoke: 'revoked', suspend: 'suspended' },
  suspended: { revoke: 'revoked', reinstate: 'active' },
  revoked: {},
};

const statusAfter = (status: LedgerStatus, act: CredentialAct): RecordedStatus | undefined =>
  status === 'unknown' ? undefined : stateAfter(statusMoves, status, act);

export const mayActOnCredential = (status: LedgerStatus, act: CredentialAct): boolean =>
  statusAfter(status, act) !== undefined;

/** The next status. Throws the fault `statusForbids` for every move that is not in the table, and says of which one. */
export function nextCredentialStatus(
  status: LedgerStatus,
  act: CredentialAct,
  vcId?: string,
): RecordedStatus {
  const next = statusAfter(status, act);
  if (next === undefined)
    throw new Fault('statusForbids', {
      detail: `The credential ${vcId === undefined ? '' : `${vcId} `}is ${status === 'active' ? 'not suspended' : status}: it cannot be ${pastTense[act]}`,
    });
  return next;
}

export const credentialMove = (act: CredentialAct) => moveOf(statusMoves, act);

const pastTense: Readonly<Record<CredentialAct, string>> = {
  revoke: 'revoked',
  suspend: 'suspended',
  reinstate: 'reinstated',
};
