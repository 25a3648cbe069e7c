/**
 * The states of an authorization (`docs/standards.md`, "Logging in"), as one table: which act leads where. What is not in
 * it is forbidden. Whether its code was redeemed is told by the offer that it is for.
 */
import { type Moves, moveOf } from '../credential/state-moves.ts';

export type AuthorizationState = 'pushed' | 'begun' | 'granted' | 'denied' | 'answered';

export type AuthorizationAct = 'begin' | 'grant' | 'deny' | 'answer';

const moves: Moves<AuthorizationState, AuthorizationAct> = {
  pushed: { begin: 'begun' },
  begun: { grant: 'granted', deny: 'denied' },
  granted: { answer: 'answered' },
  denied: { answer: 'answered' },
  answered: {},
};

/** From which states an act leads where: the condition of an update, and what it sets. */
export const authorizationMove = (act: AuthorizationAct) => moveOf(moves, act);
