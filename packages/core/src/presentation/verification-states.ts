/**
 * The states of a verification session: one table of which act leads where. What is not in the table is forbidden; an
 * ended session stays as it is. Storing states, and who may act, is not decided here.
 */
import { type Moves, moveOf, stateAfter } from '../credential/state-moves.ts';
import { Fault } from '../faults/faults.ts';

export const verificationStates = ['CREATED', 'FETCHED', 'VERIFIED', 'FAILED', 'ABORTED', 'EXPIRED'] as const;
export type VerificationState = (typeof verificationStates)[number];

export const verificationActs = ['fetch', 'accept', 'refuse', 'abort', 'expire'] as const;
export type VerificationAct = (typeof verificationActs)[number];

/** A wallet that fetched the request by other means submits without fetching it here. */
const endings = { accept: 'VERIFIED', refuse: 'FAILED', abort: 'ABORTED', expire: 'EXPIRED' } as const;

const moves: Moves<VerificationState, VerificationAct> = {
  CREATED: { fetch: 'FETCHED', ...endings },
  FETCHED: { fetch: 'FETCHED', ...endings },
  VERIFIED: {},
  FAILED: {},
  ABORTED: {},
  EXPIRED: {},
};

export const isOpenVerification = (state: VerificationState): boolean => Object.keys(moves[state]).length > 0;
export const openVerificationStates = verificationStates.filter(isOpenVerification);
export const endedVerificationStates = verificationStates.filter((state) => !isOpenVerification(state));

export const verificationMove = (act: VerificationAct) => moveOf(moves, act);

/** The next state. Throws `sessionExpired` or `sessionClosed` for every move that is not in the table. */
export function nextVerificationState(state: VerificationState, act: VerificationAct): VerificationState {
  const next = stateAfter(moves, state, act);
  if (next !== undefined) return next;
  if (state === 'EXPIRED') throw new Fault('sessionExpired', { detail: 'The time to answer is over' });
  throw new Fault('sessionClosed', { detail: `The verification session is ${state}` });
}
